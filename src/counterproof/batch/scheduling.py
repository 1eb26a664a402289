"""Which job runs when, on this machine: so many at a time, in the order of the list, within one budget.

Invariant: what a job may cost is reserved and on disk before the job starts, and comes out of what nobody else has reserved or
spent; a job that fails is a row and stops nothing; after `pause` nothing new starts and what runs pauses. Not handled here:
how a job runs, and what is shown of it.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from counterproof.batch import outcomes
from counterproof.batch.runner import failed_before
from counterproof.model.batch import Job, Order, Outcome, Row, State, allowance
from counterproof.model.budget import Limit
from counterproof.model.errors import CounterproofError
from counterproof.model.receipt import Exit
from counterproof.ports import JobRunner

_LOOK: Final = 0.1
OVER: Final = "not audited: the batch has used up its budget"

Tell = Callable[[Row], None]
Known = Callable[[Job, Order], Outcome | None]
"""The outcome of an earlier batch for the same job, with its reports put in place again; None where there is none that lasts."""


class LocalScheduler:
    """Threads that each take the next row until none is left."""

    def __init__(self, runner: JobRunner, out: Path, known: Known) -> None:
        self._runner = runner
        self._out = out
        self._known = known
        self._turn = threading.Lock()
        self._paused = threading.Event()
        self._rows: dict[int, Row] = {}
        self._taken: set[int] = set()
        self._faults: list[BaseException] = []

    def conduct(self, order: Order, rows: tuple[Row, ...], tell: Tell) -> None:
        self._rows = {row.position: row for row in rows}
        threads = [
            threading.Thread(target=self._work, args=(order, tell), name=f"job-{number}", daemon=True)
            for number in range(max(1, order.jobs))
        ]
        for each in threads:
            each.start()
        ends = time.monotonic() + order.batch_seconds if order.batch_seconds else None
        while any(each.is_alive() for each in threads):
            try:
                if ends is not None and time.monotonic() > ends:
                    self.pause()
                time.sleep(_LOOK)
            except KeyboardInterrupt:
                self._paused.set()
                self._runner.stop()
        if self._faults:
            raise self._faults[0]

    def pause(self) -> None:
        if not self._paused.is_set():
            self._paused.set()
            self._runner.stop()

    def _work(self, order: Order, tell: Tell) -> None:
        try:
            while (row := self._next(tell)) is not None:
                self._carry_out(row, order, tell)
        except BaseException as error:  # the ledger or this program failed, not a target: nothing more may start
            self._faults.append(error)
            self.pause()

    def _next(self, tell: Tell) -> Row | None:
        """The next row, taken: first what an earlier process had begun, then the list's order."""
        with self._turn:
            if self._paused.is_set():
                return None
            left = [row for row in self._rows.values() if not row.state.ended and row.position not in self._taken]
            row = min(left, key=lambda each: (each.state is State.WAITING, each.position), default=None)
            if row is None:
                return None
            self._taken.add(row.position)
            return self._set(replace(row, state=State.RUNNING, note="looking"), tell)

    def _set(self, row: Row, tell: Tell) -> Row:
        self._rows[row.position] = row
        tell(row)
        return row

    def _change(self, row: Row, tell: Tell) -> Row:
        with self._turn:
            return self._set(row, tell)

    def _carry_out(self, row: Row, order: Order, tell: Tell) -> None:
        try:
            job = self._runner.prepare(row.target)
        except CounterproofError as error:
            self._change(replace(row, state=State.FAILED, outcome=failed_before(error), reserved=Limit()), tell)
            return
        known = self._known(job, order)
        if known:
            self._change(replace(row, state=State.UNCHANGED, job=job, outcome=known, reserved=Limit()), tell)
            return
        kept = row.job if row.job and row.target.is_paid else job  # what was paid for belongs to the code as it was then
        ready = self._reserved(replace(row, job=kept), order, tell)
        if ready:
            self._run(ready, order, tell)

    def _reserved(self, row: Row, order: Order, tell: Tell) -> Row | None:
        """The row with what it may cost; what an earlier process reserved for the run that goes on stands."""
        with self._turn:
            if row.target.is_paid and row.reserved == Limit():
                share = allowance(order.budget, tuple(self._rows.values()))
                if share is None:
                    over = outcomes.of_failure(int(Exit.OVER_BUDGET), OVER, Limit(), 0.0)
                    self._set(replace(row, state=State.FAILED, outcome=over), tell)
                    return None
                row = replace(row, reserved=share)
            return self._set(row, tell)

    def _run(self, row: Row, order: Order, tell: Tell) -> None:
        def hear(note: str) -> None:
            if note and note != self._rows[row.position].note:
                self._change(replace(row, note=note), tell)

        outcome = self._runner.run(row, order, self._out, hear)
        if outcome.exit_code == Exit.PAUSED:
            self._change(
                replace(row, state=State.PAUSED, outcome=outcome, run=outcome.run, note=outcome.verdict or "paused"), tell
            )
            return
        state = State.DONE if outcome.folder else State.FAILED
        self._change(replace(row, state=state, outcome=outcome, run=outcome.run, reserved=Limit(), note=""), tell)
