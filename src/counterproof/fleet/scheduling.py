"""Runs a batch on many machines: queues its rows, and reports their changes.

Invariant: a row's job is determined here, before it is queued, without asking a worker; a batch is queued once, however often
it is conducted; a row has ended when the worker's result was checked, in a separate process, and its reports are in the
batch's folder; pausing does not affect the fleet, and conducting again continues watching. Not handled here: the work of
workers, and the content of a check.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final

from counterproof.app.files import write_whole
from counterproof.app.leased import FLEET
from counterproof.fleet.queue import Queue, Standing
from counterproof.model.batch import Job, Order, Outcome, Row, Spent, State
from counterproof.model.budget import Limit
from counterproof.model.errors import CounterproofError, UserError
from counterproof.model.receipt import Exit
from counterproof.ports import JobRunner
from counterproof.runtime.postgres.database import Database

ADDRESS: Final = "COUNTERPROOF_ADDRESS"
"""The environment variable that passes a check the part of a target's address that only git may see."""
_AT_A_TIME: Final = 8
"""The most targets whose state is determined at the same time."""
_LOOK: Final = 0.5
_STATES: Final = {
    "waiting": State.WAITING, "running": State.RUNNING, "paused": State.PAUSED, "unchanged": State.UNCHANGED,
    "done": State.DONE, "failed": State.FAILED, "cancelled": State.FAILED, "unverified": State.RUNNING,
}  # fmt: skip


Tell = Callable[[Row], None]


class FleetScheduler:
    """The `Scheduler` of a batch whose audits run elsewhere. `out` is the folder of the batch's reports, `addresses` maps a
    target's id to the part of its address that only git may see; in `share` of a hundred checks the analysts run again."""

    def __init__(self, address: str, out: Path, runner: JobRunner, addresses: Mapping[str, str], share: int = 0) -> None:
        self._address, self._out, self._runner, self._addresses, self._share = address, out, runner, addresses, share
        self._paused = threading.Event()
        self._jobs: dict[int, Future[Job]] = {}
        self._checks: dict[str, subprocess.Popen[str]] = {}

    def conduct(self, order: Order, rows: tuple[Row, ...], tell: Tell) -> None:
        pool = ThreadPoolExecutor(_AT_A_TIME)
        try:
            with Database(self._address, name="counterproof batch") as database:
                queue = Queue(database)
                if order.budget != Limit():
                    queue.limit(order.id, order.budget)
                self._watch(queue, pool, order, {row.position: row for row in rows}, tell)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for each in self._checks.values():
                with each:
                    each.kill()

    def pause(self) -> None:
        self._paused.set()

    def _watch(self, queue: Queue, pool: ThreadPoolExecutor, order: Order, rows: dict[int, Row], tell: Tell) -> None:
        ends = time.monotonic() + order.batch_seconds if order.batch_seconds else None
        while True:
            known = {each.position: each for each in queue.standings(order.id)}
            for position, row in rows.items():
                now = known.get(position)
                withdrawn = now is None and row.state is State.DONE  # its worker was found to lie after it had been accepted
                if withdrawn or not row.state.ended:
                    again = replace(row, state=State.WAITING, outcome=None, note="")
                    fresh = self._told(queue, row, now) if now else self._queued(queue, pool, order, again)
                    rows[position] = fresh
                    if fresh != row:
                        tell(fresh)
            if all(row.state.ended or row.state is State.PAUSED for row in rows.values()):
                return
            try:
                if (ends is not None and time.monotonic() > ends) or self._paused.wait(_LOOK):
                    return
            except KeyboardInterrupt:
                return

    def _queued(self, queue: Queue, pool: ThreadPoolExecutor, order: Order, row: Row) -> Row:
        """Queue a row that was never queued, or whose result was rejected. Its key is computed here."""
        looked = self._jobs.get(row.position)
        if looked is None:
            looked = self._jobs[row.position] = pool.submit(self._runner.prepare, row.target)
        if not looked.done():
            return row
        del self._jobs[row.position]
        try:
            job = looked.result()
        except CounterproofError as error:
            wrong = Exit.USAGE if isinstance(error, UserError) else Exit.INCOMPLETE
            return _without_report(row, int(wrong), str(error), Spent())
        row = replace(row, job=job)
        if earlier := queue.known(job.key):
            self._deliver(row, earlier[1])
            outcome = replace(earlier[0], folder=row.target.folder)
            return replace(row, state=State.UNCHANGED, outcome=outcome, note="", reserved=Limit())
        queue.submit(order, row)
        return row

    def _told(self, queue: Queue, row: Row, now: Standing) -> Row:
        state = _STATES[now.state]
        if now.state == "unverified":
            return self._checked(row, now)
        if state is State.FAILED:
            return _without_report(row, int(Exit.REFUSED) if now.state == "cancelled" else now.code, now.note, now.used, now.run)
        if state.ended:
            self._deliver(row, queue.files(now.run))
            return replace(row, state=state, run=now.run, note="", reserved=Limit(), outcome=now.outcome)
        where = f"{now.worker}: {now.note}" if now.state == "running" else now.note
        outcome = Outcome(int(Exit.PAUSED), now.note, codes=(int(Exit.PAUSED),), run=now.run) if now.state == "paused" else None
        return replace(row, state=state, run=now.run, note=where, outcome=outcome)

    def _checked(self, row: Row, now: Standing) -> Row:
        """Check a row's journal; afterwards its run has a new status."""
        process = self._checks.get(now.run)
        if process is None and sum(each.poll() is None for each in self._checks.values()) < (os.cpu_count() or 1):
            words = (sys.executable, "-m", "counterproof", "fleet", "check", now.run, f"--check-share={self._share}")
            secret = {FLEET: self._address, ADDRESS: self._addresses.get(row.target.id, "")}
            self._checks[now.run] = subprocess.Popen(
                words,
                env={**os.environ, **secret},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
        elif process is not None and process.poll():
            why = f"a worker's results could not be checked: {process.communicate()[1].strip()[:200]}"
            return _without_report(row, int(Exit.INCOMPLETE), why, now.used, now.run)
        return replace(row, state=State.RUNNING, run=now.run, note="the journal is being checked", outcome=None)

    def _deliver(self, row: Row, files: Mapping[str, bytes]) -> None:
        folder = self._out / row.target.folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, body in files.items():
            write_whole(folder / name, body.decode("utf-8", "replace"))


def _without_report(row: Row, code: int, why: str, used: Spent, run: str = "") -> Row:
    """A row that ended without a report: a worker's own statement is never accepted as success."""
    shown = code if code in tuple(Exit) and code not in (Exit.CLEAN, Exit.FINDINGS) else int(Exit.INTERNAL)
    outcome = Outcome(shown, why[:300], cost=used, codes=(shown,), run=run)
    return replace(row, state=State.FAILED, run=run, note="", reserved=Limit(), outcome=outcome)
