"""The end of a verification: the report data, the verdict, the exit code (P7, P12, P14)."""

from dataclasses import replace

from counterproof.model.counting import counted
from counterproof.model.plan.carried_out import CarriedOut
from counterproof.model.plan.iteration import Verdict
from counterproof.model.plan.report import PlanReport
from counterproof.model.plan.score import disputes
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.protocols.plan.convergence import STRONGLY, debt
from counterproof.protocols.plan.state import PlanState

NOTHING_ASKED = "the plan contains nothing that a change's files could show"

SENTENCES: dict[Verdict, str] = {
    Verdict.PROCEED: "No objection to the plan remains.",
    Verdict.PROCEED_WITH_QUESTIONS: "No objection to the plan remains; the questions are open.",
    Verdict.PROCEED_TRIVIAL: "The plan is one small change; there is nothing to verify.",
    Verdict.REVISE: "The plan needs a change before work starts.",
    Verdict.REVISE_STRONG: f"{STRONGLY}.",
    Verdict.RETHINK: "The plan needs a fundamental revision: blocking objections were not resolved in three iterations.",
    Verdict.CARRIED_OUT: "The change contains everything that the plan asks for, as far as files can show.",
    Verdict.NOT_CARRIED_OUT: "The change lacks something that the plan asks for.",
    Verdict.NONE: "The verification ended before a verdict.",
}

NEXT_STEPS: dict[Verdict, str] = {
    Verdict.PROCEED: "Start implementing.",
    Verdict.PROCEED_TRIVIAL: "Start implementing.",
    Verdict.REVISE: "Change the plan where it is wrong, then start implementing.",
    Verdict.REVISE_STRONG: "Change the plan to address the remaining objections, then verify it again.",
    Verdict.RETHINK: "Answer the open questions, rewrite the plan and verify it again.",
    Verdict.CARRIED_OUT: "Check what the change does beyond the plan.",
    Verdict.NOT_CARRIED_OUT: "Implement what is missing, or correct the plan.",
    Verdict.NONE: "See the limitations, then run the verification again.",
}


BLOCKED = "The plan cannot be implemented as it is written."
UNANSWERED = "A question that blocks the plan is not answered."
FIX = "Fix what blocks the plan, then verify it again."
ANSWER_FIRST = "Answer the questions in the plan and fix what blocks it, then verify it again."
ALONE = "This verdict is by the embedded agents: a model did not finish its part."
ANSWERED = "Add your answers to the plan, then start implementing."
PROCEEDING = (Verdict.PROCEED, Verdict.PROCEED_WITH_QUESTIONS, Verdict.PROCEED_TRIVIAL)
MOST_WITH_QUESTIONS = 9
MOST_TO_REVISE = 7
MOST_TO_RETHINK = 3


def verdict(state: PlanState) -> Verdict:
    """Decided by counts alone; a run that was cut short cannot say PROCEED. If only models failed, the embedded agents'
    verdict stands, since their part is complete; the exit code still reports the gap."""
    if state.carried_out:
        return Verdict.NOT_CARRIED_OUT if state.carried_out.missing else Verdict.CARRIED_OUT
    reached = state.decision.verdict if state.decision else Verdict.PROCEED_TRIVIAL
    cut = set(state.incomplete) - set(state.unplayed)
    return Verdict.NONE if cut and reached in (*PROCEEDING, Verdict.PAUSE) else reached


def report(state: PlanState) -> PlanReport:
    """The report with everything on record."""
    reached = verdict(state)
    outline = state.outline
    card = state.card
    iterations = state.iterations
    if card and iterations:
        iterations = (*iterations[:-1], replace(iterations[-1], quality_score=score(state)))
    return PlanReport(
        plan_path=state.request.plan if state.request else "",
        plan_digest=outline.digest if outline else "",
        title=outline.title if outline else "",
        verdict=reached,
        sentence=_sentence(state, reached),
        next_step=_next_step(state, reached),
        quality=state.quality,
        complexity=state.complexity.parts if state.complexity else (),
        team=state.team,
        iterations=iterations,
        challenges=state.challenges,
        grounds=state.grounds,
        lines=state.lines,
        excerpts=state.excerpts,
        set_aside=state.set_aside,
        ungrounded=state.ungrounded,
        merged=state.merged,
        unknowns=state.unknowns,
        contexts=state.contexts,
        risks=state.risks,
        unmitigated=state.decision.unmitigated if state.decision else (),
        debt=debt(state.challenges),
        questions=state.questions if reached not in PROCEEDING else (),
        responses=state.responses,
        card=card,
        score=score(state),
        coverage=state.coverage,
        disputes=disputes(card, state.audit) if card and state.audit else (),
        ledger=state.ledger,
        limitations=state.limitations,
        log=state.log,
        carried_out=state.carried_out,
        source_url=state.request.source_url if state.request else "",
    )


def score(state: PlanState) -> int | None:
    """The weighted score, limited by the checked share and by the verdict (P22)."""
    if state.card is None:
        return None
    reached = verdict(state)
    most = min(10, state.coverage.most_points)
    if state.decision and state.decision.questions:
        most = min(most, MOST_WITH_QUESTIONS)
    if reached in (Verdict.REVISE, Verdict.REVISE_STRONG):
        most = min(most, MOST_TO_REVISE)
    return min(state.card.total, MOST_TO_RETHINK if reached is Verdict.RETHINK or _blocked(state) else most, most)


def _sentence(state: PlanState, reached: Verdict) -> str:
    parts = (_blocked(state) or SENTENCES.get(reached, ""), ALONE if state.unplayed else "", _unchecked(state, reached))
    return " ".join(filter(None, parts))


def _blocked(state: PlanState) -> str:
    """The reason why a plan to revise is blocked; '' if it is not."""
    decision = state.decision
    if decision is None or decision.verdict is not Verdict.REVISE or not decision.blocking_open:
        return ""
    return BLOCKED if decision.blocking_open > len(state.questions) else UNANSWERED


def _unchecked(state: PlanState, reached: Verdict) -> str:
    """A note on statements that were compared with nothing, if the verdict lets the plan proceed (P22)."""
    left = state.coverage.total - state.coverage.checked
    if reached not in PROCEEDING or not left:
        return ""
    who = "Only models read" if state.request and state.request.terms and not state.unplayed else "Nobody checked"
    return f"{who} {left} of its {counted(state.coverage.total, 'statement')}."


def _next_step(state: PlanState, reached: Verdict) -> str:
    if reached in (Verdict.PROCEED, Verdict.PROCEED_WITH_QUESTIONS) and state.responses:
        return ANSWERED
    if reached is Verdict.PROCEED_WITH_QUESTIONS and state.decision:
        count = len(state.decision.questions)
        return f"Start implementing; {counted(count, 'question')} {'is' if count == 1 else 'are'} open."
    if _blocked(state):
        return ANSWER_FIRST if state.questions else FIX
    return NEXT_STEPS.get(reached, "")


def outcome(state: PlanState) -> Outcome:
    """PROCEED is clean; REVISE and RETHINK are findings; missing parts are further reasons."""
    reasons = [Reason(Exit.OVER_BUDGET, text) for text in state.over_budget]
    reasons += [Reason(Exit.INCOMPLETE, text) for text in state.incomplete if text not in state.over_budget]
    reached = verdict(state)
    if reached in (Verdict.REVISE, Verdict.REVISE_STRONG, Verdict.RETHINK):
        reasons.insert(0, Reason(Exit.FINDINGS, f"verdict {reached}"))
    if state.carried_out:
        reasons += _of_the_change(state.carried_out)
    return Outcome(tuple(reasons))


def _of_the_change(found: CarriedOut) -> list[Reason]:
    """A change is judged by the plan's firm requests; a plan without any, and unread files, prove nothing."""
    short = f"{counted(len(found.missing), 'intent')} of the plan not implemented"
    reasons = [Reason(Exit.FINDINGS, short)] if found.missing else []
    reasons += [Reason(Exit.INCOMPLETE, NOTHING_ASKED)] if not found.asked else []
    return reasons + [Reason(Exit.INCOMPLETE, f"{path} could not be read") for path in found.unread]
