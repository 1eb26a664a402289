"""Rewords markers as sentences, one per phase, for terminals and logs. `--verbose` prints the markers.

Invariant: an unknown marker is shown unchanged, so that nothing is lost. Not handled here: which markers are emitted, and
when.
"""

import re
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
_HALTS: Final = {
    "phase 3 partial": "The deep dive did not finish",
    "phase 4 partial": "Validation did not finish",
    "spot check failed": "A finding of the sample did not hold",
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
    "confirmed": "confirmed claim",
    "rejected": "rejected claim",
}
_WORDS: Final = {
    "needs_validation": "to validate",
    "pre_validated": "not sent to a validator",
    "needs_manual": "needs manual review",
    "disputed": "disputed between analysts and models",
}
_UNTOLD: Final = ("phase0", "formats", "coverage")
"""Evidence that is not shown: internal, or not final, as the coverage before the last phase."""


_LEFT_TO_THE_LOG: Final = ("[MODE]", "[LOADED]", "[PLAN_ACK]")
SURVEYED: Final = {"Project scale": "{}", "Tech stack": "{}", "Entry points": "{} entry points"}
_SENTENCES: Final = (
    (r"\[SCOPE\] (\w+) files=(\d+) tokens=(\d+) left_out=(\d+)", "Scope ({}): {} files, about {} tokens, {} left out"),
    (r"\[PHASE\] 1 specialists=(\d+) findings=(\d+)", "Findings submitted: {1} by {0} specialists"),
    (r"\[PHASE\] 2 round=(\d+) specialists=(\d+)", "Challenge round {}: specialists asked: {}"),
    (r"\[PHASE\] 3 (.+)", "Settled: {}"),
    (r"\[PLAN\] quality=(\w+) complexity=(\d+) team=(\w+) steps=(\d+)", "Plan read: {3} steps, {0}, complexity {1}; team: {2}"),
    (r"\[ITERATION (\d+)\] blocking=(\d+) significant=(\d+).*", "Iteration {}: {} blocking and {} significant challenges open"),
    (r"\[VERDICT\] (.+)", "Verdict: {}"),
    (r"\[BUDGET\] (.+)", "Budget: {}"),
    (r"\[SINCE\] (.+)", "Compared with {}"),
)
"""The markers of reviews, verifications and comparisons, and their sentences."""


def spoken(marker: str) -> str:
    """A marker as a sentence; '' for markers that only the log needs; unknown ones unchanged."""
    if marker.startswith(_LEFT_TO_THE_LOG):
        return ""
    if marker.startswith("[RECON]\n"):
        return f"Project: {', '.join(_survey(marker))}"
    if marker.startswith("[PLAN]\n"):
        cost = f"; {told}" if (told := _line(marker, "Estimate")) else ""
        return f"Plan: {_line(marker, 'Mode')} audit of {_line(marker, 'Scan dimensions').replace(', ', ' ')}{cost}"
    if marker.startswith("[HALT] trigger:"):
        trigger, _, recovery = marker.removeprefix("[HALT] trigger:").partition(" recovery:")
        return f"{_HALTS.get(trigger, f'Note: {trigger}')}; {recovery}" if recovery else marker
    return _phase(marker) or _sentence(marker)


def _survey(marker: str) -> list[str]:
    return [form.format(text) for name, form in SURVEYED.items() if (text := _line(marker, name))]


def _line(marker: str, name: str) -> str:
    """The rest of the line that starts with a name."""
    return next((each.removeprefix(f"{name}: ") for each in marker.split("\n") if each.startswith(f"{name}: ")), "")


def _sentence(marker: str) -> str:
    found = ((re.fullmatch(pattern, marker), form) for pattern, form in _SENTENCES)
    said = next((form.format(*match.groups()) for match, form in found if match), marker)
    return re.sub(r"\b1 (file|token|specialist|step)s\b", r"1 \1", said)


def _phase(marker: str) -> str:
    """The end of a phase of an audit; '' for every other marker."""
    fields = _fields(marker)
    name = _PHASES.get(fields.get("phase", ""), "")
    if not name or "status" not in fields:
        return ""
    evidence = [each for each in fields.get("evidence", "").split(",") if each.partition("=")[0] not in _UNTOLD]
    told = [_figure(each) for each in evidence if not each.endswith("=0") or each.startswith("findings=")]
    status = "done" if fields["status"] == "completed" else fields["status"]
    return f"{name.capitalize()} {status}" + (f": {', '.join(told)}" if any(told) else "")


def _fields(marker: str) -> dict[str, str]:
    """`phase`, `status`, `next` and `evidence`; the last may contain spaces."""
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
