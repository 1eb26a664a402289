"""Whether the loop continues, from counts and confirmed evidence alone (P3, P6). Agents and scores have no influence."""

from collections.abc import Collection, Iterable

from counterproof.model.plan.challenge import Challenge, Standing, Weight
from counterproof.model.plan.iteration import Convergence, Decision, Verdict

LAST_ITERATION = 3
STRONG = 3
DEBT = 5

STRONGLY = "Strongly recommended: address these before proceeding"


def decide(
    challenges: Iterable[Challenge], iteration: int, confirmed: Collection[str] = (), unanswered: bool = False
) -> Decision:
    """The first matching row of the convergence table. A BLOCKING challenge that evidence confirms needs no answer: the plan is
    revised. If the user leaves everything unanswered, nothing new can come, and the loop ends."""
    known = tuple(challenges)
    standing = [each for each in known if each.counts]
    blocking = [each for each in standing if each.severity is Weight.BLOCKING]
    significant = [each for each in standing if each.severity is Weight.SIGNIFICANT]
    questions = tuple(each.id for each in known if each.is_open_question)
    bare = tuple(each.id for each in significant if not each.resolution.strip())
    last = iteration >= LAST_ITERATION

    def decision(status: Convergence, verdict: Verdict, unmitigated: tuple[str, ...] = ()) -> Decision:
        return Decision(len(blocking), len(significant), status, verdict, unmitigated, questions)

    if blocking and last:
        return decision(Convergence.FORCED_EXIT, Verdict.RETHINK)
    if blocking:
        proved = unanswered or any(each.id in confirmed for each in blocking)
        return decision(Convergence.CONVERGED, Verdict.REVISE) if proved else decision(Convergence.BLOCKED, Verdict.PAUSE)
    if not significant:
        return decision(Convergence.CONVERGED, Verdict.PROCEED_WITH_QUESTIONS if questions else Verdict.PROCEED)
    if len(significant) < STRONG:
        return decision(Convergence.CONVERGED, Verdict.REVISE)
    if not bare:
        return decision(Convergence.CONVERGED, Verdict.REVISE_STRONG)
    if last or unanswered:
        return decision(Convergence.CONVERGED, Verdict.REVISE_STRONG, bare)
    return decision(Convergence.CONTINUE, Verdict.NONE, bare)


def debt(challenges: Iterable[Challenge]) -> tuple[Challenge, ...]:
    """The deferred challenges, if they are so many that the report must warn of them (P7)."""
    deferred = tuple(each for each in challenges if each.status is Standing.DEFERRED)
    return deferred if len(deferred) >= DEBT else ()


def stalled(before: Iterable[Challenge], after: Iterable[Challenge]) -> bool:
    """True if nothing changed between two iterations although a challenge above MINOR is still unsettled (P13)."""
    earlier = {(each.id, each.status, each.resolution) for each in before}
    later = tuple(after)
    moved = {(each.id, each.status, each.resolution) for each in later} != earlier
    return not moved and any(each.counts and each.severity is not Weight.MINOR for each in later)
