"""The gates: before phase 2 (A5) and before the report (A48). They fail closed."""

from dataclasses import dataclass

from counterproof.model.coverage import Status
from counterproof.model.dimension import CORE_DIMENSIONS
from counterproof.protocols.audit import coverage, hunt, inventory, modes
from counterproof.protocols.audit.coverage import Score
from counterproof.protocols.audit.events import Ack
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.state import AuditState, known


@dataclass(frozen=True, slots=True)
class Check:
    """One row of a checklist. A waivable one that fails is stated in the report instead of closing the gate."""

    name: str
    passed: bool
    detail: str
    waivable: bool = False


def missing_documents(state: AuditState) -> tuple[str, ...]:
    """Documents of the mode that were not really loaded."""
    loaded = {document.name for document in state.documents}
    return tuple(name for name in modes.DOCUMENTS[known(state.mode)] if name not in loaded)


def before_hunting(state: AuditState) -> tuple[Check, ...]:
    """The four checks of A5; any failure keeps phase 2 closed."""
    if state.mode is None:
        return (Check("mode set", False, "no mode"),)
    missing = missing_documents(state)
    return (
        Check("mode set", True, state.mode.value),
        Check("documents loaded", not missing, f"missing: {', '.join(missing)}" if missing else "all"),
        Check("reconnaissance complete", inventory.sufficient(state.mode, state.checklist), state.checklist.value),
        Check(
            "plan acknowledged",
            state.ack in (Ack.CONFIRMED, Ack.AUTO_CONFIRMED),
            state.ack.value if state.ack else "waiting for the user",
        ),
    )


def score(state: AuditState) -> Score:
    """Coverage against the mode's threshold."""
    covered, counted = coverage.counts(state.coverage)
    return Score(covered, counted, modes.threshold(known(state.mode), counted))


def can_report(state: AuditState) -> tuple[Check, ...]:
    """The checklist before the report (A48). Quick, and an audit in which every agent failed, check the first three."""
    busy = hunt.running(state)
    reached = score(state)
    met = f"{reached.covered} of {reached.counted}, {reached.threshold} needed"
    first = (
        Check("gates passed", all(check.passed for check in before_hunting(state)), "before phase 2"),
        Check("coverage met", reached.met, met, waivable=True),
        Check("no agent running", not busy, ", ".join(busy) or "all handed in"),
    )
    if state.mode is Mode.QUICK or not any(work.whole for work in state.work if work.hunting):
        return first
    unmarked = [phase for phase in ("3", "4") if phase not in state.marked]
    core = [row for row in state.coverage if row.dimension in CORE_DIMENSIONS and row.status is Status.UNCOVERED]
    return (
        *first,
        Check("phases 3 and 4 marked", not unmarked, f"missing: {', '.join(unmarked)}" if unmarked else "both"),
        Check("deduplicated after 4a and 4c", state.resolved is not None and state.archive is not None, "phase 4b"),
        Check(
            "D1-D3 searched",
            not core,
            ", ".join(f"{row.dimension.value} uncovered" for row in core) or "covered, or shallow and explained",
            waivable=bool(state.waivers),
        ),
    )
