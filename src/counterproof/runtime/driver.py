"""The driver: executes what the machine wants, journals what happened, feeds it back. The only loop of a run.

An event is on disk before the machine sees it. Resuming replays the journal and re-issues the commands that no event
answers, so a run goes on where it was, whatever stopped it.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

from counterproof.model.errors import CounterproofError, JournalError
from counterproof.ports import Executor, Journal, Machine, Observer


class Paused(CounterproofError):
    """A command cannot go on without the user. The run is persisted and can be resumed."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A state rebuilt from the journal, every command that led to it by id, and those that no event has answered."""

    state: Any
    commands: dict[str, Any]
    pending: tuple[Any, ...]
    events: int


def replay(machine: Machine, journal: Journal) -> Replayed:
    """Re-decide everything from the journalled events; no agent is called. Differing decisions are refused."""
    state = machine.initial()
    commands: dict[str, Any] = {}
    events = 0
    narrated: list[str] = []
    for entry in journal.entries():
        if entry.kind == "event":
            state, wanted = machine.step(state, machine.decode(entry.body))
            commands.update({command.id: command for command in wanted})
            events += 1
        elif entry.kind == "marker":
            narrated.append(entry.body)
    if tuple(narrated) != machine.narrated(state)[: len(narrated)]:
        raise JournalError(
            "this version decides differently from the one that wrote the journal",
            "read the stored report with `counterproof show`, or run the audit again",
        )
    return Replayed(state, commands, tuple(commands[each] for each in machine.outstanding(state)), events)


class Driver:
    """Drives one run in this process."""

    def __init__(self, machine: Machine, journal: Journal, executor: Executor, observer: Observer) -> None:
        self._machine = machine
        self._journal = journal
        self._executor = executor
        self._observer = observer
        self._queue: asyncio.Queue[Any] = asyncio.Queue()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self.state: Any = machine.initial()
        self._announced = 0

    async def emit(self, event: Any) -> None:
        """Hand an event in from outside, such as the clock's."""
        await self._queue.put(event)

    async def run(self, start: Any) -> Any:
        """Go on from the journal, or from `start` if it is empty, until the machine ends or the run pauses."""
        before = replay(self._machine, self._journal)
        self.state, self._announced = before.state, len(self._machine.narrated(before.state))
        self._complete_markers()
        if before.events == 0:
            await self._queue.put(start)
        try:
            self._issue(before.pending)
            while not self._machine.ended(self.state):
                self._apply(await self._next_event())
        finally:
            await self._stop()
        return self.state

    def _complete_markers(self) -> None:
        """A crash between an event and its markers leaves markers unwritten; they follow from the events."""
        written = sum(entry.kind == "marker" for entry in self._journal.entries())
        self._journal.append("marker", *self._machine.narrated(self.state)[written:])

    def _apply(self, event: Any) -> None:
        self._journal.append("event", self._machine.encode(event))
        self.state, commands = self._machine.step(self.state, event)
        fresh = self._machine.narrated(self.state)[self._announced :]
        self._announced += len(fresh)
        self._journal.append("marker", *fresh)
        for text in fresh:
            self._observer.narrate(text)
        self._issue(commands)

    def _issue(self, commands: tuple[Any, ...]) -> None:
        for command in commands:
            self._tasks[command.id] = asyncio.create_task(self._executor.execute(command, self.emit), name=command.id)

    async def _next_event(self) -> Any:
        """The next event; a command that raised ends the run here, with everything so far on disk."""
        getter = asyncio.create_task(self._queue.get())
        try:
            while True:
                await asyncio.wait({getter, *self._tasks.values()}, return_when=asyncio.FIRST_COMPLETED)
                if getter.done():
                    return getter.result()
                self._reap()
        finally:
            getter.cancel()

    def _reap(self) -> None:
        for name, task in list(self._tasks.items()):
            if task.done():
                del self._tasks[name]
                task.result()

    async def _stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
