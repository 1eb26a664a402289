"""The conversion of doubts to challenges, for every embedded agent of a plan verification."""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis.plans.doubts import Doubt
from counterproof.model.plan.challenge import Challenge, Confidence, Raiser
from counterproof.model.plan.contract import Grounds, PlanReply, PlanTask
from counterproof.model.text import MAX_TEXT
from counterproof.toolbox.plan_tools import PlanTools


def listen(task: PlanTask, tools: PlanTools) -> PlanReply:
    """Domain expert and devil's advocate without a model: they raise nothing, because the challenger already reports every
    contradiction with the code (P20)."""
    del tools
    return PlanReply(task.agent_id, task.iteration)


def established(reply: PlanReply) -> PlanReply:
    """The reply of an embedded agent: everything in it follows from plan and code."""
    return replace(reply, established=tuple(each.id for each in (*reply.challenges, *reply.unknowns)))


def fresh(doubts: Iterable[Doubt], task: PlanTask) -> list[Doubt]:
    """The doubts that have not been raised yet."""
    raised = {each.claim for each in task.challenges}
    return [doubt for doubt in doubts if doubt.claim[:MAX_TEXT] not in raised]


def raised(doubts: Iterable[Doubt], task: PlanTask, origin: Raiser) -> tuple[tuple[Challenge, ...], tuple[Grounds, ...]]:
    """Challenges with their grounds, numbered from 1."""
    challenges: list[Challenge] = []
    grounds: list[Grounds] = []
    for number, doubt in enumerate(doubts, 1):
        name = f"C{number}"
        challenges.append(
            Challenge(
                id=name,
                origin=origin,
                claim=doubt.claim[:MAX_TEXT],
                concern=doubt.concern[:MAX_TEXT],
                failure_scenario=doubt.scenario[:MAX_TEXT],
                alternative=doubt.alternative[:MAX_TEXT],
                severity=doubt.weight,
                confidence=Confidence.MED if doubt.is_question else Confidence.HIGH,
                iteration_introduced=task.iteration,
            )
        )
        grounds.append(Grounds(name, doubt.lines, doubt.places, doubt.search))
    return tuple(challenges), tuple(grounds)
