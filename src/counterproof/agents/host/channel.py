"""The channel to a coding agent: puts a question on the desk, and stores the host's answer before anything parses it.

Invariant: a received answer is on disk before it is parsed and is never requested again, even after a restart (F14); if the
host disconnects, the run pauses and can be resumed; when the run's time is up it does not wait for the host. A host's own
token use is unknown here and not counted.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from counterproof.agents.host.desk import Desk, Said
from counterproof.agents.models.channel import Answer, Finish, Question, ToolCall
from counterproof.model.budget import Usage
from counterproof.model.canonical import canonical
from counterproof.model.errors import HostGone, JournalError
from counterproof.ports import ReplyKey, ReplyStore

LOOK = 0.25
"""Seconds between two checks of the run's clock and the desk."""


class HostChannel:
    """Asks the host at a desk. Without a desk, only stored answers are available."""

    def __init__(self, desk: Desk | None, replies: ReplyStore, checkpoint: Callable[[], None]) -> None:
        self._desk = desk
        self._replies = replies
        self._checkpoint = checkpoint
        self._contexts: dict[str, str] = {}

    def context_of(self, task: str) -> str:
        """The host context that answered a task; it is stored with the answer."""
        return self._contexts.get(task, "")

    @property
    def model(self) -> str:
        return "host"

    async def ask(self, question: Question) -> Answer:
        place = ReplyKey(question.task, question.attempt, question.step, question.digest(self.model))
        stored = self._replies.find(place)
        raw = stored if stored is not None else _raw(await self._waited(question))
        if stored is None:
            self._replies.keep(place, raw)
        answer, self._contexts[question.task] = _answer(raw, replayed=stored is not None)
        return answer

    async def _waited(self, question: Question) -> Said:
        if self._desk is None or self._desk.closed:
            raise _gone("no coding agent is connected")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Said] = loop.create_future()

        def arrive(said: Said) -> None:
            if not future.done():
                future.set_result(said)

        self._desk.post(question, lambda said: _call(loop, arrive, said))
        try:
            while not (await asyncio.wait({future}, timeout=LOOK))[0]:
                self._checkpoint()
                if self._desk.closed:
                    raise _gone(self._desk.closed)
            return future.result()
        finally:
            self._desk.withdraw(question.task)


def _call(loop: asyncio.AbstractEventLoop, arrive: Callable[[Said], None], said: Said) -> None:
    loop.call_soon_threadsafe(arrive, said)


def _gone(why: str) -> HostGone:
    return HostGone(f"the run waits for a coding agent: {why}", "connect one and let it call resume_audit")


def _raw(said: Said) -> bytes:
    calls = [{"id": each.id, "name": each.name, "arguments": each.arguments} for each in said.calls]
    return canonical({"text": said.text, "calls": calls, "context": said.context, "shown": said.shown}).encode("ascii")


def _answer(raw: bytes, replayed: bool) -> tuple[Answer, str]:
    """The answer, and the host context that gave it."""
    try:
        fields: dict[str, Any] = json.loads(raw)
        text, context = str(fields["text"]), str(fields.get("context", ""))
        calls = tuple(ToolCall(str(each["id"]), str(each["name"]), str(each["arguments"])) for each in fields["calls"])
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError("a stored answer of a host cannot be read", "`counterproof log verify` shows more") from error
    finish = Finish.TOOL_CALLS if calls else Finish.STOP if text.strip() else Finish.EMPTY
    return Answer(text, calls, finish, Usage(), "host", replayed), context
