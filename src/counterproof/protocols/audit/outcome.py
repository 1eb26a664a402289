"""How a run ended, with every reason (A51). Nothing is green by default: clean is what is left when no reason holds."""

from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.model.report import ReportedFinding
from counterproof.protocols.audit.gates import can_report
from counterproof.protocols.audit.inventory import Checklist
from counterproof.protocols.audit.state import AuditState, known


def outcome_of(state: AuditState, findings: tuple[ReportedFinding, ...]) -> Outcome:
    """All reasons that hold at the end of phase 2 or later."""
    fail_on = known(state.request).fail_on
    reasons: list[Reason] = []
    grave = [each for each in findings if each.severity.rank >= fail_on.rank]
    if grave:
        text = f"{len(grave)} findings at or above {fail_on.value}"
        reasons.append(Reason(Exit.FINDINGS, text if len(grave) > 1 else text.replace("findings", "finding")))
    reasons.extend(Reason(Exit.INCOMPLETE, text) for text in shortfalls(state))
    return Outcome(tuple(reasons))


def shortfalls(state: AuditState) -> tuple[str, ...]:
    """What keeps the audit from being complete, in words; each becomes a banner."""
    reasons: list[str] = []
    if state.work and not any(work.whole for work in state.work):
        reasons.append("Audit incomplete: every agent failed or was cut off; the report holds what was collected.")
    reasons.extend(f"Coverage not met: {c.detail}." for c in can_report(state) if c.name == "coverage met" and not c.passed)
    if state.checklist is Checklist.PARTIAL_ACCEPTED:
        missing = ", ".join(state.attempts[-1].missing)
        reasons.append(f"Incomplete reconnaissance: {missing} stayed partial after {len(state.attempts)} attempts.")
    for work in state.work:
        if work.failure:
            reasons.append(f"Agent {work.task.agent_id} failed: {work.failure}.")
        elif not work.whole:
            reasons.append(f"Agent {work.task.agent_id} was cut off before it had finished.")
    if state.time_up:
        reasons.append("The time limit was reached.")
    return tuple(reasons)
