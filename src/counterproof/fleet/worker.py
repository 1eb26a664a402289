"""A worker: takes runs from the queue, drives each in a process of its own, says when its journal is ready to be checked.

Invariant: a run's process is alive only while this worker is, and stops when the run was cancelled or taken over; the
database's address reaches that process by its environment and nobody else; what lies on this machine's disk is removed when the
run has been handed in. Not handled here: how a target is brought here and audited, and whether the journal holds.
"""

import os
import shutil
import signal
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from counterproof.app.leased import FLEET, LEASE
from counterproof.fleet.queue import Queue, Taken
from counterproof.model.batch import ENDED_BY_SIGNAL
from counterproof.model.budget import Limit
from counterproof.model.errors import CounterproofError, StorageError
from counterproof.model.receipt import Exit
from counterproof.ports import JobRunner
from counterproof.runtime.home import Home
from counterproof.runtime.postgres.database import AWAY, Database

LEASE_SECONDS: Final = 30.0
_LOOK: Final = 0.5
_KILLED: Final = ENDED_BY_SIGNAL.format(int(signal.SIGKILL))
"""Nobody here sends that signal to a run that goes on: the machine is being shut down, or out of memory. It tells nothing of the
target, so the run is left to its lease, as if the machine were gone already, and counts as one more death."""

MakeRunner = Callable[[Path, Mapping[str, str]], JobRunner]
"""Makes what audits one target, from a folder for what it brings here and the environment of its processes."""
Tell = Callable[[str], None]


def own_name() -> str:
    """Unique among living workers, and the same for the life of this process."""
    return f"{socket.gethostname()[:60]}/{os.getpid()}"


@dataclass
class Worker:
    """Takes up to `jobs` runs at a time until it is stopped. `idle_ends`: it ends when the queue has nothing for it."""

    address: str
    home: Path
    make_runner: MakeRunner
    jobs: int = 1
    name: str = field(default_factory=own_name)
    lease_seconds: float = LEASE_SECONDS
    idle_ends: bool = False
    tell: Tell = lambda _: None
    stopping: threading.Event = field(default_factory=threading.Event)
    _runners: dict[str, JobRunner] = field(default_factory=dict[str, JobRunner])
    handed_in: int = 0

    def work(self) -> None:
        """Until `stop`, or until nothing is left. Raises what a slot could not go on after."""
        faults: list[BaseException] = []

        def slot() -> None:
            try:
                self._slot()
            except BaseException as error:
                faults.append(error)
                self.stop()

        threads = [threading.Thread(target=slot, name=f"slot-{number}", daemon=True) for number in range(self.jobs)]
        for each in threads:
            each.start()
        for each in threads:
            while each.is_alive():
                each.join(_LOOK)
        if faults:
            raise faults[0]

    def stop(self) -> None:
        """Take nothing more; what runs pauses and goes back to the queue."""
        self.stopping.set()
        for runner in list(self._runners.values()):
            runner.stop()

    def _slot(self) -> None:
        with Database(self.address, name=f"counterproof worker {self.name}") as database:
            queue = Queue(database)
            while not self.stopping.is_set():
                taken = queue.take(self.name, self.lease_seconds)
                if taken is not None:
                    self._carry_out(queue, taken)
                elif self.idle_ends:
                    return
                else:
                    self.stopping.wait(_LOOK)

    def _carry_out(self, queue: Queue, taken: Taken) -> None:
        run = taken.lease.run
        place = self.home / "jobs" / run
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(mode=0o700, parents=True)
        environment = {
            **os.environ,
            FLEET: self.address,
            LEASE: f"{run}:{taken.lease.epoch}",
            "COUNTERPROOF_HOME": str(self.home),
        }
        runner = self.make_runner(place, environment)
        self._runners[run] = runner
        if self.stopping.is_set():  # asked to stop since the run was taken
            runner.stop()
        pulse = _Pulse(self.address, taken, self.lease_seconds, runner)
        try:
            with pulse:
                self._hand_in(queue, taken, runner, place, pulse)
        except StorageError as error:
            self.tell(f"{run}: {error}; another worker will take it over")
        finally:
            del self._runners[run]
            shutil.rmtree(place, ignore_errors=True)

    def _hand_in(self, queue: Queue, taken: Taken, runner: JobRunner, place: Path, pulse: "_Pulse") -> None:
        order, row = taken.work.order, taken.work.row
        self.tell(f"{taken.lease.run}: {row.target.name}")
        assert row.job is not None
        try:
            runner.confirm(row.job)
        except CounterproofError as error:
            self._give(queue, taken, "failed", int(Exit.USAGE), str(error))
            return
        reserved = order.budget if row.target.is_paid else Limit()
        outcome = runner.run(replace(row, reserved=reserved), order, place / "out", pulse.hear)
        if pulse.lost:
            self.tell(f"{taken.lease.run}: another worker took it over, or it was cancelled")
            self._forget(taken)
        elif outcome.verdict == _KILLED:
            self.tell(f"{taken.lease.run}: {_KILLED}; it is taken over when its lease has run out")
        elif outcome.exit_code != Exit.PAUSED:
            self._give(queue, taken, "unverified" if outcome.folder else "failed", outcome.exit_code, outcome.verdict)
            self._forget(taken)
        else:
            back = self.stopping.is_set() or AWAY in outcome.verdict
            self._give(queue, taken, "waiting" if back else "paused", outcome.exit_code, "" if back else outcome.verdict)

    def _forget(self, taken: Taken) -> None:
        """What lies here of a run that is no longer ours is of no use to anybody."""
        home = Home(self.home)
        home.remove(home.adopt(taken.lease.run))

    def _give(self, queue: Queue, taken: Taken, state: str, code: int, said: str) -> None:
        counted = queue.hand_in(taken.lease, state, code, said)
        self.handed_in += counted
        self.tell(f"{taken.lease.run}: {state if counted else 'another worker took it over'}")


class _Pulse:
    """Signs of life while a run is driven, on a connection of their own. When they are refused the run's process is stopped."""

    def __init__(self, address: str, taken: Taken, seconds: float, runner: JobRunner) -> None:
        self._address, self._taken, self._seconds, self._runner = address, taken, seconds, runner
        self._over = threading.Event()
        self._said = ""
        self.lost = False
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def hear(self, note: str) -> None:
        self._said = note or self._said

    def __enter__(self) -> "_Pulse":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        with Database(self._address, patience=self._seconds, name="counterproof pulse") as database:
            queue = Queue(database)
            while not self._over.wait(self._seconds / 3):
                try:
                    alive = queue.beat(self._taken.lease, self._seconds, self._said)
                except StorageError:
                    continue  # the journal decides: it is fenced
                if not alive:
                    self.lost = True
                    self._runner.stop()
                    return
