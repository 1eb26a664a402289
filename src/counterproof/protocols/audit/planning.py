"""Making the plan: what the state knows, put into what the user confirms (A4)."""

from counterproof.protocols.audit.modes import ROUND_LIMIT, Mode
from counterproof.protocols.audit.plan import Estimate, Plan, first_round
from counterproof.protocols.audit.state import AuditState, known

_FULL_GATE = "gates passed, coverage met or waived, no agent running, phases 3 and 4 marked, deduplicated, D1-D3 searched"

REPORT_GATE = {
    Mode.QUICK: "gates passed, coverage judged, no agent running",
    Mode.STANDARD: _FULL_GATE,
    Mode.DEEP: _FULL_GATE,
}


def make_plan(state: AuditState, stack: str) -> Plan:
    """What will be done, by whom, and what it may cost; nothing has run yet (A4)."""
    request, survey, mode = known(state.request), known(state.survey), known(state.mode)
    languages = tuple(language for language, _ in survey.languages())
    return Plan(
        mode=mode,
        stack=stack,
        checklist=state.checklist.value,
        dimensions=request.only,
        tasks=first_round(mode, survey.loc, languages, request.only),
        rounds=" -> ".join(("R1", "R2(as needed)", "R3(as needed)")[: ROUND_LIMIT[mode]]),
        report_gate=REPORT_GATE[mode],
        estimate=Estimate(0, "0.00"),
    )
