"""Executes the commands of any run: all side effects of a run happen here and on its protocol's workbench.

Invariant: a failing agent is an event, whatever it raised, and never ends a run; models have their share of the user's time
and the analysts the rest (A52); reports are written atomically. Not handled here: the meaning of a protocol's commands.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Protocol

from counterproof.app.driving import ModelTime, store_report
from counterproof.app.jobs import Job
from counterproof.app.team import Staff
from counterproof.ports import Emit, Observer
from counterproof.runtime.home import RunFolder


@dataclass(slots=True)
class Shift:
    """The data that a workbench gets from its run. `turn` is the lock on shared parsed code; `again` is the command that
    continues it."""

    run: RunFolder
    observer: Observer
    staff: Staff
    again: str
    time: ModelTime
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Workbench(Protocol):
    """A protocol's access to its target."""

    concurrent: int
    """The number of agents of a kind that work in parallel."""

    async def act(self, command: Any, emit: Emit, shift: Shift) -> None:
        """Carry out a command that is neither a task nor the report."""
        ...

    def describe(self, task: Any) -> tuple[str, str]:
        """The agent of a task and its activity, for progress displays."""
        ...

    def is_modelled(self, task: Any, staff: Staff) -> bool:
        """True if a model or a coding agent takes part in a task."""
        ...

    async def work(self, task: Any, emit: Emit, shift: Shift) -> None:
        """Do a task and emit the resulting event."""
        ...

    def close(self) -> None:
        """Release open resources."""
        ...


class RunExecutor:
    """Executes commands; one per process that drives a run."""

    def __init__(self, run: RunFolder, job: Job, bench: Workbench, staff: Staff, observer: Observer, seconds: int = 0) -> None:
        staff.tell = observer.progress
        self._job = job
        self._bench = bench
        again = f"counterproof {job.resume} {run.id}"
        self._shift = Shift(run, observer, staff, again, ModelTime(seconds))
        self._places = {modelled: asyncio.Semaphore(bench.concurrent) for modelled in (False, True)}

    async def execute(self, command: Any, emit: Emit) -> None:
        shift = self._shift
        shift.time.begin()
        if command.id == self._job.command:
            shift.observer.progress("report", "writing")
            await emit(self._job.answered(command.id, store_report(shift.run, self._job, command.report)))
        elif (task := getattr(command, "task", None)) is None:
            await self._bench.act(command, emit, shift)
        else:
            await self._work(task, emit)

    async def _work(self, task: Any, emit: Emit) -> None:
        async with self._places[self._bench.is_modelled(task, self._shift.staff)]:
            who, what = self._bench.describe(task)
            self._shift.observer.progress(who, what)
            try:
                await self._bench.work(task, emit, self._shift)
            finally:
                self._shift.observer.progress(who, "")
