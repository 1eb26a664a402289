"""The roles of reviews and plan verifications as a coding agent plays them: the models' own loop, and the desk told what became
of each task.

Always holds: everything that binds a model binds a host: turns, metered looks, the contract, the citations, the analysts beside
it (P15, R39). What is told back is about the host's own result and names no other agent.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from counterproof.agents.host.agent import NOT_KNOWN
from counterproof.agents.host.channel import HostChannel
from counterproof.agents.host.desk import Desk
from counterproof.agents.planning.modelled import ModelPlanner, Within, whenever
from counterproof.agents.planning.worker import PlanAgent
from counterproof.agents.specialists.model.specialist import Means, ModelSpecialist
from counterproof.model.errors import CounterproofError, ProviderPause
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.toolbox.plan_tools import PlanTools
from counterproof.toolbox.review_bench import ReviewBench

Reply = TypeVar("Reply", ReviewReply, PlanReply)


class HostSpecialist(ModelSpecialist):
    """One instance serves any number of tasks."""

    def __init__(self, channel: HostChannel, desk: Desk | None, means: Means) -> None:
        super().__init__(channel, means)
        self._host = channel
        self._desk = desk or Desk()

    async def work(self, task: ReviewTask, bench: ReviewBench, turn: asyncio.Lock) -> ReviewReply:
        """Whoever judges findings counts as a second voice only in another context than the one that found them (R45)."""
        if task.work in (Work.CHALLENGE, Work.ADVOCATE):
            self._desk.keep_apart(task.id)
        reply = await _told(self._desk, task.id, super().work(task, bench, turn), self._taken)
        context = self._host.context_of(task.id)
        return replace(
            reply,
            findings=tuple(replace(each, context=context) for each in reply.findings),
            positions=tuple(replace(each, context=context) for each in reply.positions),
            notes=(*reply.notes, NOT_KNOWN),
        )

    @staticmethod
    def _taken(reply: ReviewReply) -> str:
        counts = {"findings": reply.findings, "positions": reply.positions, "defences": reply.defences}
        taken = ", ".join(f"{len(each)} {name}" for name, each in counts.items() if each) or "a result without findings"
        return "; ".join([f"{taken} were handed to the engine, which checks them before they count", *reply.notes[:3]])


class HostPlanner(ModelPlanner):
    """One instance serves any number of tasks of one role."""

    def __init__(self, channel: HostChannel, desk: Desk | None, beside: PlanAgent) -> None:
        super().__init__(channel, beside)
        self._desk = desk or Desk()

    async def run(self, task: PlanTask, tools: PlanTools, turn: asyncio.Lock, within: Within = whenever) -> PlanReply:
        reply = await _told(self._desk, task.id, super().run(task, tools, turn, within), self._taken)
        return replace(reply, notes=(*reply.notes, NOT_KNOWN))

    @staticmethod
    def _taken(reply: PlanReply) -> str:
        return reply.unreviewed or "the result was handed to the engine, which reads its sources again before it counts"


async def _told(desk: Desk, task: str, work: Awaitable[Reply], taken: Callable[[Reply], str]) -> Reply:
    """The reply, with the desk told what came of the task."""
    try:
        reply = await work
        desk.end(task, taken(reply))
        return reply
    except ProviderPause as pause:
        desk.end(task, f"the run paused: {pause}")
        raise
    except CounterproofError as error:
        desk.end(task, f"the result was refused: {error}. If an attempt is left it comes as a task of its own")
        raise
    finally:
        desk.end(task, "the run went on without it")
