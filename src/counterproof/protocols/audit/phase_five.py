"""Phase 5: the report gate and the report (A48, A50)."""

from dataclasses import replace

from counterproof.model.errors import EngineBug
from counterproof.protocols.audit import gates, narration, report
from counterproof.protocols.audit.commands import WriteReport
from counterproof.protocols.audit.events import ReportWritten
from counterproof.protocols.audit.moves import Step, announce, trail, wait
from counterproof.protocols.audit.state import AuditState, Stage


def write_report(state: AuditState) -> Step:
    """Write the report if the gate allows it. Waivable failures are stated in the report; anything else is a bug."""
    closed = [check for check in gates.can_report(state) if not check.passed and not check.waivable]
    if closed:
        raise EngineBug(f"the report gate is closed: {closed[0].name}, {closed[0].detail}")
    result = report.build(state)
    state = trail(replace(state, outcome=result.outcome), "REPORT")
    return wait(state, Stage.REPORTING, WriteReport("report", result))


def report_written(state: AuditState, event: ReportWritten) -> Step:
    state = announce(state, narration.phase_5(event.digests))
    return replace(state, stage=Stage.ENDED, outstanding=(), digests=event.digests), ()
