"""The driver: executes the machine's commands, journals the events, feeds them back. The only loop of a run.

An event is on disk before the machine sees it. Resuming replays the journal and re-issues the commands without an answering
event, so a run continues where it stopped, for whatever reason. A command that pauses the run does not cancel the others: work
that is already paid for is journalled before the driver returns.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from counterproof.model.errors import CounterproofError
from counterproof.ports import Executor, Journal, Machine, Observer
from counterproof.runtime import crashpoints
from counterproof.runtime.replaying import Reuse, course, replay, reuse


class Paused(CounterproofError):
    """A command needs the user to continue. The run is stored and can be resumed."""


class Driver:
    """Drives one run in this process."""

    def __init__(self, machine: Machine, journal: Journal, executor: Executor, observer: Observer) -> None:
        self._machine = machine
        self._journal = journal
        self._executor = executor
        self._observer = observer
        self._queue: asyncio.Queue[Any] = asyncio.Queue()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._lent: Mapping[str, Reuse] = {}
        self._pausing = False
        self.state: Any = machine.initial()
        self._announced = 0

    async def emit(self, event: Any) -> None:
        """Submit an event from outside, such as a time limit's."""
        await self._queue.put(event)

    async def run(self, start: Any) -> Any:
        """Continue from the journal, or from `start` if it is empty, until the machine ends or the run pauses."""
        before = replay(self._machine, self._journal)
        now = course(self._journal)
        self._lent = reuse(self._machine, now)
        self.state = before.state
        self._complete_markers(len(now.narrated))
        if before.events == 0:
            await self._queue.put(start)
        else:
            crashpoints.reached("recovering")
        try:
            self._issue(before.pending)
            while not self._machine.ended(self.state):
                self._apply(await self._next_event())
        except Paused:
            await self._drain()
            raise
        finally:
            await self._stop()
        return self.state

    def _complete_markers(self, written: int) -> None:
        """Write markers that a crash after their event left unwritten; they follow from the events."""
        narrated = self._machine.narrated(self.state)
        self._announced = len(narrated)
        self._journal.append("marker", *narrated[written:])

    def _apply(self, event: Any) -> None:
        crashpoints.reached("before-journal")
        self._journal.append("event", self._machine.encode(event))
        crashpoints.reached(crashpoints.AFTER, event.kind)
        self.state, commands = self._machine.step(self.state, event)
        fresh = self._machine.narrated(self.state)[self._announced :]
        self._announced += len(fresh)
        self._journal.append("marker", *fresh)
        for text in fresh:
            self._observer.narrate(text)
        self._issue(commands)

    def _issue(self, commands: tuple[Any, ...]) -> None:
        """Start commands. While the run pauses nothing new starts; commands stay outstanding and are issued on resume."""
        if self._pausing:
            return
        for command in commands:
            self._tasks[command.id] = asyncio.create_task(self._carry_out(command), name=command.id)

    async def _carry_out(self, command: Any) -> None:
        lent = self._lent.get(command.id)
        if lent is None or lent.command != command:
            await self._executor.execute(command, self.emit)
            return
        for event in lent.events:
            await self.emit(event)

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

    async def _drain(self) -> None:
        """Pause the run: running commands finish and are journalled, commands that have not started wait for resume."""
        self._pausing = True
        while self._tasks or not self._queue.empty():
            while not self._queue.empty():
                self._apply(self._queue.get_nowait())
            if self._tasks:
                await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_COMPLETED)
                self._reap_paused()

    def _reap_paused(self) -> None:
        """Ignore further pauses for the same reason; any other exception still ends the run."""
        try:
            self._reap()
        except Paused:
            return

    async def _stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
