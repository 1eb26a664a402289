"""Builds the plan that the user confirms from the state (A4)."""

from dataclasses import replace

from counterproof.model.budget import MILLION, dollars
from counterproof.model.contract import Role
from counterproof.model.counting import counted
from counterproof.protocols.audit import mode_words
from counterproof.protocols.audit.evaluation import present_languages
from counterproof.protocols.audit.modes import ROUND_LIMIT, Mode
from counterproof.protocols.audit.plan import TOKENS_IN, TOKENS_OUT, USUAL_TURNS, Estimate, Plan, first_round
from counterproof.protocols.audit.questions import first_questions, left_for_want_of_budget
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import AuditState, known

_FULL_GATE = (
    "all gates passed, coverage met or waived, no agent running, phases 3 and 4 completed, findings deduplicated, D1-D3 searched"
)

REPORT_GATE = {
    Mode.QUICK: "all gates passed, coverage evaluated, no agent running",
    Mode.STANDARD: _FULL_GATE,
    Mode.DEEP: _FULL_GATE,
}


def make_plan(state: AuditState, stack: str) -> Plan:
    """The work, the agents and the possible cost, before anything runs (A4)."""
    request, survey, mode = known(state.request), known(state.survey), known(state.mode)
    languages = present_languages(survey, known(state.recon))
    beside = tuple(language for language, _ in survey.languages() if language not in languages)
    tasks = first_round(mode, survey.loc, languages, request.only, beside=beside)
    model = request.model_of(Role.HUNTER)
    hunters = first_questions(state, model) if model else ()
    return Plan(
        mode=mode,
        stack=stack,
        checklist=state.checklist.value,
        dimensions=request.only,
        tasks=(*tasks, *hunters),
        rounds=" -> ".join(("R1", "R2(as needed)", "R3(as needed)")[: ROUND_LIMIT[mode]]),
        report_gate=REPORT_GATE[mode],
        estimate=_queued(state, model, estimate_of(request, mode, len(hunters))),
        modes=mode_words.choices(mode, survey.loc, len(request.only), bool(request.models)),
    )


def _queued(state: AuditState, model: str, estimate: Estimate) -> Estimate:
    """The estimate, with the part of the queue that does not fit the budget."""
    left = left_for_want_of_budget(state, model) if model else 0
    if not left:
        return estimate
    told = f"{counted(left, 'task')} of the queue, the least exposed, left out because the budget is too small"
    return replace(estimate, limit="; ".join(filter(None, (estimate.limit, told))))


def estimate_of(request: AuditRequest, mode: Mode, hunters: int) -> Estimate:
    """The probable use of models: hunters of one round, a diver, validators. Later rounds are extra (A4)."""
    if request.terms is None or not request.models:
        return Estimate(0, "0.00")
    turns = hunters * USUAL_TURNS if request.modelled(Role.HUNTER) else 0
    if mode is not Mode.QUICK:
        others = (Role.DEEP_DIVER, Role.VALIDATOR, Role.HIT_VERIFIER)
        turns += USUAL_TURNS * sum(request.modelled(role) for role in others)
    terms = request.terms
    limits = [f"{terms.budget_tokens:,} tokens"] if terms.budget_tokens else []
    limits += [dollars(terms.budget_micros)] if terms.budget_micros else []
    limit = f"the budget is {' and '.join(limits)}" if limits else ""
    cost = ""
    if terms.input_price is not None and terms.output_price is not None:
        micros = turns * (TOKENS_IN * terms.input_price + TOKENS_OUT * terms.output_price) // MILLION
        cost = dollars(micros).removeprefix("$")
    return Estimate(turns * (TOKENS_IN + TOKENS_OUT), cost, limit)
