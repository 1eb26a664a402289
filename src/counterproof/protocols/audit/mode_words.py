"""Describes what each mode would do for this project before anything runs, and afterwards what the deeper mode added (A1).

Invariant: estimates come from this project and measured ones; afterwards everything is counted, and a mode that added nothing
is reported so.
"""

from typing import Final

from counterproof.model.counting import counted
from counterproof.protocols.audit import evidence
from counterproof.protocols.audit.modes import ROUND_LIMIT, Mode, threshold
from counterproof.protocols.audit.state import AuditState, known

TOOK: Final = ((2_000, 3, 4, 4), (9_000, 4, 5, 5), (23_000, 8, 10, 13), (35_000, 16, 16, 16))
"""Lines of code of measured projects, with the processor seconds of each mode: benchmarks/modes.py."""

_DOES: Final = {
    Mode.QUICK: "one hunt, without validation",
    Mode.STANDARD: "up to {rounds} hunts; validators check what they found; flaws are combined into chains",
    Mode.DEEP: "up to {rounds} hunts, at least 2; as standard, and attack paths, stored data and earlier revisions",
}


def choices(chosen: Mode, loc: int, dimensions: int, modelled: bool) -> tuple[str, ...]:
    """One line for each mode; the chosen one is marked."""
    return tuple(
        f"{each.value}{' (chosen)' if each is chosen else ''}: {_line(each, loc, dimensions, modelled)}" for each in Mode
    )


def _line(mode: Mode, loc: int, dimensions: int, modelled: bool) -> str:
    does = _DOES[mode].format(rounds=ROUND_LIMIT[mode])
    needed = f"{threshold(mode, dimensions)} of {counted(dimensions, 'dimension')} must be covered"
    size, *seconds = min(TOOK, key=lambda row: abs(row[0] - loc))
    took = seconds[tuple(Mode).index(mode)]
    models = ", plus the time of the models" if modelled else ""
    return f"{does}; {needed}. A project of {counted(size, 'line')} took {counted(took, 'second')} of one core{models}."


def added(state: AuditState, paths: int, chains: int) -> str:
    """The results of the steps that a quick audit omits; '' for a quick one."""
    mode = known(state.mode)
    if mode is Mode.QUICK:
        return ""
    later = {row.agent_id for row in state.registry if row.round != 1}
    found = sum(each.kept for each in evidence.sources(state) if each.source in later)
    checked = evidence.validation(state)
    verdicts = (counted(checked.confirmed, "confirmation"), counted(checked.rejected, "rejection")) if checked else ()
    parts = [
        f"of the validators' verdicts {' and '.join(verdicts)} count" if checked and checked.confirmed + checked.rejected else "",
        f"later rounds and the deep dive added {counted(found, 'finding') if found else 'nothing new'}",
        counted(chains, "chain") if chains else "",
        counted(paths, "attack path") if paths else "",
    ]
    return f"Beyond a quick audit: {'; '.join(part for part in parts if part)}."
