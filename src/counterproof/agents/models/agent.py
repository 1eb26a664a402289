"""The single agent class driven by a model or a coding agent, in an audit, a review or a plan verification (F8, F9, F20).

Invariant: a refusal, a filter, an empty or unreadable reply never counts as "no findings": the agent fails, or its work counts
as truncated; the rules for models also apply to coding agents, which learn the outcome of their own results only. The
protocol's `Dialogue` defines what a task shows, its tools, and how results are judged.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from counterproof.agents.host.channel import HostChannel
from counterproof.agents.host.desk import Desk
from counterproof.agents.models.channel import Answer, Channel
from counterproof.agents.models.faults import BudgetExhausted, ChannelFailed, ModelFailed, TimeIsOver
from counterproof.agents.models.loop import Part, Windows, converse
from counterproof.agents.models.talk import Talk
from counterproof.agents.models.tuning import USUAL, Tuning
from counterproof.analysis.project import OutOfTime
from counterproof.model.errors import CounterproofError, ProviderPause
from counterproof.toolbox.threads import in_daemon_thread

LAST_ATTEMPT = 2
NOT_KNOWN = "Agents were played by a coding agent over MCP; whether it kept their contexts apart cannot be known."
"""The limitation stated in every report in which a host took part: the engine cannot enforce separate contexts (R34)."""

T = TypeVar("T", contravariant=True)
B = TypeVar("B", contravariant=True)
R = TypeVar("R")


class Dialogue(ABC, Generic[T, B, R]):
    """A protocol's part of its agents: `T` is a task, `B` its tools, `R` the reply. Methods may block."""

    @abstractmethod
    def open_talks(self, task: T, tools: B, tuning: Tuning) -> list[tuple[Talk, Part[R]]]:
        """The conversations of a task, with their openings."""

    @abstractmethod
    def give_up(self, task: T, why: str, over_budget: bool) -> R | None:
        """A reply that states what was left unreviewed; None if the task fails instead."""

    @abstractmethod
    def describe_taken(self, tools: B, reply: R) -> str:
        """The engine's reaction to a result, for the coding agent that submitted it."""

    def join(self, task: T, replies: list[R]) -> R:
        """Combine the replies of a task's conversations; by default there is one."""
        return replies[0]

    def finish(self, task: T, tools: B, reply: R) -> R:
        """The final form of the reply."""
        return reply

    def name_context(self, reply: R, context: str) -> R:
        """The reply with the coding agent's context that it came from, if the protocol compares contexts."""
        return reply

    def hand_over(self, desk: Desk, task: T, tools: B) -> None:
        """Prepare a task for a coding agent: mark it if it is worth more from a context of its own (A53)."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How an agent is driven: `tuning` says how to ask, `desk` is a coding agent's, `watch` receives every answer."""

    tuning: Callable[[Any], Tuning] = lambda _: USUAL
    desk: Desk | None = None
    watch: Callable[[Any, Answer], None] = lambda _task, _answer: None


class ModelAgent(Generic[T, B, R]):
    """Stateless: one instance serves any number of tasks."""

    def __init__(self, channel: Channel, dialogue: Dialogue[T, B, R], manner: Manner | None = None) -> None:
        self._channel = channel
        self._dialogue = dialogue
        self._manner = manner or Manner()
        self._windows = Windows(channel.model)

    async def run(self, task: T, tools: B, lock: asyncio.Lock | None = None) -> R:
        """The reply to a task. `lock` is held while tools are used, because parsed code is shared."""
        name: str = getattr(task, "id")  # noqa: B009 (not in the type)
        host = self._channel if isinstance(self._channel, HostChannel) else None
        if host is None:
            reply = await self._replied(task, tools, lock)
            return await in_daemon_thread(lambda: self._dialogue.finish(task, tools, reply))
        desk = self._manner.desk or Desk()
        self._dialogue.hand_over(desk, task, tools)
        with _reporting(desk, name):
            reply = await self._replied(task, tools, lock)
            desk.end(name, await in_daemon_thread(lambda: self._dialogue.describe_taken(tools, reply)))
            noted = self._dialogue.name_context(_with_notes(reply, (NOT_KNOWN,)), host.context_of(name))
            return await in_daemon_thread(lambda: self._dialogue.finish(task, tools, noted))

    async def _replied(self, task: T, tools: B, lock: asyncio.Lock | None) -> R:
        """The reply, or one that states what was left unreviewed."""
        given: Any = task
        try:
            reply, notes = await self._windows.narrowing(
                self._manner.tuning(task), lambda tuning: self._asked(task, tools, tuning, lock)
            )
            return _with_notes(reply, notes)
        except BudgetExhausted as short:
            failure, why = short, f"{given.agent_id} stopped for want of budget: {short}"
        except OutOfTime as over:
            failure, why = over, f"{given.agent_id} was cut off: {over}"
        except (ModelFailed, ChannelFailed) as failed:
            if given.attempt < LAST_ATTEMPT and not isinstance(failed, TimeIsOver):
                raise
            failure, why = failed, f"not reviewed by {given.agent_id}: {failed}"
        left = self._dialogue.give_up(task, why, isinstance(failure, BudgetExhausted))
        if left is None:
            raise failure
        return left

    async def _asked(self, task: T, tools: B, tuning: Tuning, lock: asyncio.Lock | None) -> R:
        async with lock or nullcontext():
            talks = await in_daemon_thread(lambda: self._dialogue.open_talks(task, tools, tuning))
        watch = self._manner.watch
        replies = [await converse(self._channel, talk, part, lock, lambda answer: watch(task, answer)) for talk, part in talks]
        return self._dialogue.join(task, replies)


def _with_notes(reply: Any, notes: tuple[str, ...]) -> Any:
    return replace(reply, notes=(*reply.notes, *notes)) if notes else reply


@contextmanager
def _reporting(desk: Desk, task: str) -> Generator[None]:
    """Report a task's outcome to the coding agent; the first outcome is kept."""
    try:
        yield
    except ProviderPause as pause:
        desk.end(task, f"the run paused: {pause}")
        raise
    except CounterproofError as error:
        desk.end(task, f"the result was refused: {error}. If an attempt is left it comes as a task of its own")
        raise
    finally:
        desk.end(task, "the run went on without it")
