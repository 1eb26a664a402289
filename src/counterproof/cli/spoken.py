"""Markers in words, for a person who watches a terminal. Logs, pipes and `--verbose` get the markers themselves.

Always holds: what is not understood is shown as it came, so that nothing a run says is lost. Deciding what is said, and when,
does not belong here.
"""

from typing import Final

from counterproof.model.counting import counted

_PHASES: Final = {
    "1": "reconnaissance",
    "2": "hunt",
    "2.5": "merging",
    "3": "deep dive",
    "4": "validation",
    "5": "report",
}
_NOUNS: Final = {
    "agents": "agent",
    "handlers": "entry point",
    "findings": "finding",
    "merged_findings": "finding",
    "new_findings": "new finding",
    "dedup_removed": "repeat",
    "deep_files": "more file",
    "validation_agents": "validator",
}
_WORDS: Final = {
    "coverage": "dimensions covered",
    "confirmed": "confirmed",
    "rejected": "rejected",
    "needs_validation": "to validate",
    "pre_validated": "not sent to a validator",
    "needs_manual": "for a person to look at",
    "disputed": "disputed between analysts and models",
}
_UNTOLD: Final = ("phase0", "formats")
"""Evidence that says nothing to somebody who watches."""


def spoken(marker: str) -> str:
    """A `[PHASE]` or `[HALT]` of an audit as a sentence; everything else as it is."""
    if marker.startswith("[HALT] trigger:"):
        trigger, _, recovery = marker.removeprefix("[HALT] trigger:").partition(" recovery:")
        return f"Halt: {trigger}; {recovery}" if recovery else marker
    fields = _fields(marker)
    name = _PHASES.get(fields.get("phase", ""), "")
    if not name or "status" not in fields:
        return marker
    told = [_figure(each) for each in fields.get("evidence", "").split(",") if each.partition("=")[0] not in _UNTOLD]
    status = "done" if fields["status"] == "completed" else fields["status"]
    return f"{name.capitalize()} {status}" + (f": {', '.join(told)}" if any(told) else "")


def _fields(marker: str) -> dict[str, str]:
    """`phase`, `status`, `next` and `evidence`; the last may hold blanks."""
    if not marker.startswith("[PHASE] phase:"):
        return {}
    head, _, evidence = marker.removeprefix("[PHASE] ").partition(" evidence:")
    pairs = [word.partition(":") for word in head.split()]
    return {**{key: value for key, _, value in pairs}, "evidence": evidence}


def _figure(text: str) -> str:
    name, _, value = text.partition("=")
    if name in _NOUNS and value.isdecimal():
        return counted(int(value), _NOUNS[name])
    return f"{value} {_WORDS[name]}" if name in _WORDS else text
