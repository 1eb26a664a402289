"""The gates: before phase 2 (A5) and before the report (A48). They fail closed."""

from dataclasses import dataclass

from counterproof.protocols.audit import coverage, hunt, inventory, modes
from counterproof.protocols.audit.coverage import Score
from counterproof.protocols.audit.events import Ack
from counterproof.protocols.audit.state import AuditState, known


@dataclass(frozen=True, slots=True)
class Check:
    """One row of a checklist."""

    name: str
    passed: bool
    detail: str


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
    """The checklist before the report; quick checks the first three (A48)."""
    busy = hunt.running(state)
    reached = score(state)
    return (
        Check("gates passed", all(check.passed for check in before_hunting(state)), "before phase 2"),
        Check("coverage met", reached.met, f"{reached.covered} of {reached.counted}, {reached.threshold} needed"),
        Check("no agent running", not busy, ", ".join(busy) or "all handed in"),
    )
