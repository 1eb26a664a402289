"""The single loop of every model-driven agent: question, tools, result, repair (A22, A25, F8, F9, F11).

A role supplies a `Part`: the cost of a turn, the effect of a call, the judgement of a result. Everything else is the same for
audit, review and plan.

Invariant: the loop ends, because every iteration takes a turn that the part counts; a refusal, a filter or an empty reply
never means "no findings": it raises `ModelFailed`; an answer truncated by length is requested again with a larger limit first;
a repair says what was rejected and shows the actual text as data. Tools run in a thread, under `lock` if given.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from counterproof.agents.models.channel import UNREVIEWED, Answer, Channel, Finish, ToolCall
from counterproof.agents.models.faults import OVERFLOWS, ChannelFailed, ModelFailed
from counterproof.agents.models.parsing import Malformed, parse
from counterproof.agents.models.talk import HAND_IN, MEND, Talk
from counterproof.agents.models.tuning import Tuning
from counterproof.agents.tool_table import repeatable
from counterproof.protocols.guard.isolation import Category
from counterproof.protocols.guard.provenance import mismatch
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.threads import in_daemon_thread

MAX_REPAIRS = 2
MAX_CALLS = 16
"""The most calls of one turn that are processed; more indicate a runaway model."""

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Result(Generic[R]):
    """A submitted result. `problems` say what is invalid and what would be valid; `data` is related text of the target;
    `again` says what to submit then. `reply` is the valid part; None if there is none."""

    reply: R | None
    problems: tuple[str, ...] = ()
    data: str = ""
    again: str = MEND


class Part(ABC, Generic[R]):
    """A role's part of the loop. Methods may block: they run in a thread."""

    @abstractmethod
    def turn(self) -> bool:
        """Count a turn. False if only the result is accepted now. Raises `ToolRefused` if no turn is left."""

    @abstractmethod
    def served(self, call: ToolCall) -> tuple[Category, str]:
        """The answer to a call. Raises `ToolRefused`."""

    @abstractmethod
    def result(self, talk: Talk, text: str, cut: bool) -> Result[R]:
        """Parse a submitted result. Raises `ModelFailed` if it does not belong to this task, `Malformed` if it cannot be read."""

    def onward(self, talk: Talk, reply: R) -> bool:
        """True if the conversation continues after a valid reply, with something that was just shown."""
        return False

    @abstractmethod
    def settled(self, result: Result[R]) -> R:
        """The final reply. Raises `ModelFailed` if problems remain and nothing valid outweighs them."""


def own_fields(talk: Talk, text: str, cut: bool, agent: str, iteration: int) -> dict[str, Any]:
    """The fields of a submitted result. Raises `ModelFailed` for one that is truncated or another task's, and `Malformed`."""
    if cut:
        raise ModelFailed("the output was cut off")
    parsed = parse(text)
    said = (parsed.fields.get("marker"), parsed.fields.get("agent_id"), parsed.fields.get("iteration"))
    if foreign := mismatch((talk.marker, agent, iteration), said):
        raise ModelFailed(foreign)
    if not parsed.complete:
        raise Malformed("the JSON is not closed")
    return parsed.fields


def _result(part: Part[R], talk: Talk, text: str, cut: bool) -> Result[R]:
    try:
        return part.result(talk, text, cut)
    except Malformed as error:
        return Result(None, (str(error),))


async def converse(
    channel: Channel,
    talk: Talk,
    part: Part[R],
    lock: asyncio.Lock | None = None,
    watch: Callable[[Answer], None] = lambda _: None,
) -> R:
    """Run one conversation from start to end. `watch` receives every answer."""
    repairs = 0
    closed = False
    while True:
        try:
            offered = part.turn() and not talk.full and repairs < MAX_REPAIRS
        except ToolRefused as refusal:
            raise ModelFailed(f"the model submitted nothing: {refusal}") from refusal
        if not offered and not closed:
            closed = True
            talk.say(HAND_IN)
        answer = await channel.ask(talk.question(with_tools=offered))
        watch(answer)
        if answer.finish in UNREVIEWED:
            raise ModelFailed(UNREVIEWED[answer.finish])
        if answer.finish is Finish.LENGTH and talk.widen():
            continue
        if answer.calls and answer.finish is Finish.TOOL_CALLS:
            await _turned(lock, lambda heard=answer, open_=offered: _serve(talk, part, heard, open_))
            continue
        cut = not answer.finish.complete
        result = await _turned(lock, lambda text=answer.text, cut=cut: _result(part, talk, text, cut))
        if result.reply is not None and not result.problems:
            reply = result.reply
            talk.heard(answer)
            if await _turned(lock, lambda sound=reply: part.onward(talk, sound)):
                continue
            return part.settled(result)
        if repairs >= MAX_REPAIRS or cut:
            return part.settled(result)
        repairs += 1
        talk.heard(answer)
        talk.show("\n".join([result.again, *result.problems]), Category.CODE, result.data)


class Windows:
    """The known size of a model's context window. If it turns out shorter than stated, the conversation restarts with less,
    down to the smallest window, and later ones start there (F20)."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._shortest = 0

    async def narrowing(self, wanted: Tuning, ask: Callable[[Tuning], Awaitable[R]]) -> tuple[R, tuple[str, ...]]:
        """The conversation's result, and notes about its window."""
        tuning = replace(wanted, window=min(wanted.window, self._shortest or wanted.window))
        while True:
            try:
                reply = await ask(tuning)
                break
            except ChannelFailed as failure:
                narrower = tuning.narrower
                if failure.kind not in OVERFLOWS or narrower is None:
                    raise
                tuning, self._shortest = narrower, narrower.window
        if tuning.window == wanted.window:
            return reply, ()
        said = f"{self._model} takes fewer than the {wanted.window:,} tokens of its window"
        return reply, (f"{said}; it was shown what fits {tuning.window:,}.",)


T = TypeVar("T")


async def _turned(lock: asyncio.Lock | None, work: Callable[[], T]) -> T:
    held: AbstractAsyncContextManager[object] = lock or nullcontext()
    async with held:
        done: Awaitable[T] = in_daemon_thread(work)
        return await done


def _serve(talk: Talk, part: Part[R], answer: Answer, offered: bool) -> None:
    """Make the calls of one turn in order. Repeated ids and calls beyond the limit are rejected with a message (F11)."""
    wanted: list[ToolCall] = []
    for call in answer.calls:
        if len(wanted) < MAX_CALLS and talk.fresh(call):
            wanted.append(call)
    talk.heard(answer, tuple(repeatable(call) for call in wanted))
    for call in wanted:
        try:
            if not offered:
                raise ToolRefused("tools have ended; hand in the result")
            category, text = part.served(call)
            if not talk.fits(text):
                raise ToolRefused("the answer is longer than the rest of the conversation may be; ask for less, or hand in")
        except ToolRefused as refusal:
            talk.refuse(call, str(refusal))
        else:
            talk.answer(call, category, text)
    if len(wanted) < len(answer.calls):
        why = f"at most {MAX_CALLS} a turn, each with a name and an id of its own"
        talk.say(f"{len(answer.calls) - len(wanted)} calls were refused: {why}.")
