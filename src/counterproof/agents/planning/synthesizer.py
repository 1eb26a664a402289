"""The embedded synthesizer: concludes from research what happens to each challenge, marks the plan (P5, P12).

Invariant: a challenge confirmed by research stays, with its mitigation; a refuted one is withdrawn on that evidence. The
engine applies the user's decisions and checks every proposal.
"""

from counterproof.agents.planning.marks import by_outcome
from counterproof.model.plan.challenge import Basis, Challenge, Proposal, Standing, Weight
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.model.plan.research import Directive, DirectiveKind, Trigger, Unknown, UnknownResolution
from counterproof.toolbox.plan_tools import PlanTools

_CONFIRMING = (UnknownResolution.CONFIRMED, UnknownResolution.PARTIALLY_RESOLVED)


def synthesize(task: PlanTask, tools: PlanTools) -> PlanReply:
    """Makes proposals; decides nothing."""
    if task.scoring:
        return PlanReply(task.agent_id, task.iteration, card=by_outcome(tools.bench.outline, task))
    latest = {each.affects_challenge: each for each in task.unknowns}
    decided = {each.challenge_id for each in task.responses if each.decision}
    standing = [each for each in task.challenges if each.counts and each.id not in decided]
    proposals = tuple(_proposal(each, latest.get(each.id)) for each in standing)
    left = [each for each, wish in zip(standing, proposals, strict=True) if wish.status is Standing.UNRESOLVED]
    return PlanReply(
        task.agent_id,
        task.iteration,
        proposals=proposals,
        directives=_directives(task, left),
    )


def _proposal(challenge: Challenge, unknown: Unknown | None) -> Proposal:
    if unknown and unknown.resolution is UnknownResolution.REFUTED:
        return Proposal(challenge.id, Standing.WITHDRAWN, unknown.finding, Basis.EVIDENCE, (unknown.id,))
    status = Standing.UNRESOLVED
    if unknown and unknown.resolution in _CONFIRMING:
        return Proposal(challenge.id, status, challenge.alternative, Basis.EVIDENCE, (unknown.id,))
    return Proposal(challenge.id, status, challenge.alternative)


def _directives(task: PlanTask, left: list[Challenge]) -> tuple[Directive, ...]:
    """If the user has just changed the scope and a challenge is still open, surface context again."""
    now = tuple(each.challenge_id for each in task.responses if each.iteration == task.iteration)
    heavy = [each for each in left if each.severity is not Weight.MINOR]
    if not now or not heavy:
        return ()
    return (Directive(DirectiveKind.RE_SWEEP, Trigger.USER_CHANGED_SCOPE, now, "the user's answer may touch other parts"),)
