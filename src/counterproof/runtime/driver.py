"""The driver: executes what the machine wants, journals what happened, feeds it back. The only loop of a run.

An event is on disk before the machine sees it. Resuming replays the journal and re-issues the commands that no event
answers, so a run goes on where it was, whatever stopped it. A command that pauses the run does not take the others with it:
what they have already paid for is journalled before the driver returns.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from counterproof.model.errors import CounterproofError
from counterproof.ports import Executor, Journal, Machine, Observer
from counterproof.runtime import crashpoints
from counterproof.runtime.replaying import Reuse, course, replay, reuse


class Paused(CounterproofError):
    """A command cannot go on without the user. The run is persisted and can be resumed."""


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
        """Hand an event in from outside, such as the clock's."""
        await self._queue.put(event)

    async def run(self, start: Any) -> Any:
        """Go on from the journal, or from `start` if it is empty, until the machine ends or the run pauses."""
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
        """A crash between an event and its markers leaves markers unwritten; they follow from the events."""
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
        """Start what is wanted. While the run pauses nothing new begins; it stays outstanding and is issued on resume."""
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
        """The run pauses: what is under way goes on to its end and is journalled, what has not begun waits for resume."""
        self._pausing = True
        while self._tasks or not self._queue.empty():
            while not self._queue.empty():
                self._apply(self._queue.get_nowait())
            if self._tasks:
                await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_COMPLETED)
                self._reap_paused()

    def _reap_paused(self) -> None:
        """Others may pause for the same reason; anything else still ends the run."""
        try:
            self._reap()
        except Paused:
            return

    async def _stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
