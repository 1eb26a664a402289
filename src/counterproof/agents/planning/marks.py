"""Score cards, computed from two sides: the synthesizer marks the outcome, the challenger the plan's own text (P12).

For information only; nothing is decided by a score.
"""

from counterproof.model.counting import counted
from counterproof.model.plan.challenge import Challenge, Standing, Weight
from counterproof.model.plan.contract import PlanTask
from counterproof.model.plan.outline import Intent, PlanOutline
from counterproof.model.plan.research import ContextImpact, UnknownResolution
from counterproof.model.plan.score import Aspect, Mark, ScoreCard

_COST = {Weight.BLOCKING: 4, Weight.SIGNIFICANT: 2, Weight.MINOR: 1}


def _points(lost: int) -> int:
    return max(1, 10 - lost)


def _named(challenges: list[Challenge], nothing: str) -> str:
    return ", ".join(f"{each.id} {each.status}" for each in challenges[:8]) or nothing


def by_outcome(outline: PlanOutline, task: PlanTask) -> ScoreCard:
    """Marks from the challenges that remain after the last iteration."""
    standing = [each for each in task.challenges if each.counts]
    cost = sum(_COST[each.severity] for each in standing)
    about = [each for each in standing if each.origin in ("surfaced", "probed", "domain-expert")]
    open_unknowns = [each for each in task.unknowns if each.resolution is UnknownResolution.UNRESOLVABLE]
    contradicting = [each for each in task.contexts if each.impact is ContextImpact.CONTRADICTS_PLAN]
    deferred = [each for each in task.challenges if each.status is Standing.DEFERRED]
    return ScoreCard(
        (
            Mark(Aspect.APPROACH, _points(cost), f"what stands: {_named(standing, 'nothing')}"),
            Mark(
                Aspect.RISK,
                _points(2 * len(about) + len(task.risks)),
                f"{counted(len(task.risks), 'risk')} probed, {len(about)} open",
            ),
            Mark(Aspect.ASSUMPTIONS, _points(cost + len(deferred)), f"{len(deferred)} deferred: {_named(deferred, 'none')}"),
            Mark(
                Aspect.INTEGRATION,
                _points(2 * len(standing)),
                f"{counted(len(outline.files), 'file')} named, {counted(len(standing), 'challenge')} open",
            ),
            Mark(
                Aspect.UNKNOWNS,
                _points(2 * len(open_unknowns) + len(outline.signals)),
                f"{counted(len(open_unknowns), 'unknown')} left open",
            ),
            Mark(Aspect.CONSTRAINTS, _points(3 * len(contradicting)), f"{counted(len(contradicting), 'decision')} contradicted"),
        )
    )


def by_plan(outline: PlanOutline, task: PlanTask) -> ScoreCard:
    """Marks from the plan's text first, then from the remaining challenges."""
    standing = [each for each in task.challenges if each.counts]
    heavy = sum(_COST[each.severity] for each in standing if each.severity is not Weight.MINOR)
    steps, files = len(outline.steps), len(outline.files)
    uses = sum(each.intent is Intent.USES for each in outline.named)
    bare = (0 if outline.has_goal else 2) + (0 if steps >= 2 else 2)
    unverified = 0 if outline.has_verification else 2
    return ScoreCard(
        (
            Mark(
                Aspect.APPROACH,
                _points(bare + heavy),
                f"{counted(steps, 'step')}, goal {'stated' if outline.has_goal else 'not stated'}",
            ),
            Mark(
                Aspect.RISK,
                _points(unverified + heavy // 2),
                f"verification {'named' if outline.has_verification else 'not named'}",
            ),
            Mark(Aspect.ASSUMPTIONS, _points(heavy), f"{counted(uses, 'thing')} of the repository named"),
            Mark(Aspect.INTEGRATION, _points(heavy + (0 if files else 3)), f"{counted(files, 'file')} named"),
            Mark(
                Aspect.UNKNOWNS,
                _points(2 * len(outline.signals)),
                f"{counted(len(outline.signals), 'open point')} in its own words",
            ),
            Mark(Aspect.CONSTRAINTS, _points(len(outline.compliance)), f"regimes: {', '.join(outline.compliance) or 'none'}"),
        )
    )
