"""A batch on many machines: its rows are put into the queue, and told as workers change them.

Always holds: the same batch is put there once, however often it is conducted; a row has ended when its reports lie where the
batch's are; pausing leaves the fleet alone, and conducting again goes on watching. Does not belong here: what workers do.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from counterproof.app.files import write_whole
from counterproof.fleet.queue import Queue, Standing
from counterproof.model.batch import Order, Outcome, Row, State
from counterproof.model.budget import Limit
from counterproof.model.receipt import Exit
from counterproof.runtime.postgres.database import Database

_LOOK: Final = 0.5
_STATES: Final = {
    "waiting": State.WAITING, "running": State.RUNNING, "paused": State.PAUSED, "unchanged": State.UNCHANGED,
    "done": State.DONE, "failed": State.FAILED, "cancelled": State.FAILED,
}  # fmt: skip


class FleetScheduler:
    """The `Scheduler` of a batch whose audits run elsewhere. `out` is the folder of the batch's reports."""

    def __init__(self, address: str, out: Path) -> None:
        self._address = address
        self._out = out
        self._paused = threading.Event()

    def conduct(self, order: Order, rows: tuple[Row, ...], tell: Callable[[Row], None]) -> None:
        with Database(self._address, name="counterproof batch") as database:
            queue = Queue(database)
            if order.budget != Limit():
                queue.limit(order.id, order.budget)
            for row in rows:
                if not row.state.ended:
                    queue.submit(order, replace(row, state=State.WAITING, outcome=None, note=""))
            self._watch(queue, order, {row.position: row for row in rows}, tell)

    def pause(self) -> None:
        self._paused.set()

    def _watch(self, queue: Queue, order: Order, rows: dict[int, Row], tell: Callable[[Row], None]) -> None:
        ends = time.monotonic() + order.batch_seconds if order.batch_seconds else None
        while True:
            for each in queue.standings(order.id):
                row = rows.get(each.position)
                if row is not None and not row.state.ended:
                    rows[each.position] = self._told(queue, row, each, tell)
            if all(row.state.ended or row.state is State.PAUSED for row in rows.values()):
                return
            try:
                if (ends is not None and time.monotonic() > ends) or self._paused.wait(_LOOK):
                    return
            except KeyboardInterrupt:
                return

    def _told(self, queue: Queue, row: Row, now: Standing, tell: Callable[[Row], None]) -> Row:
        state = _STATES[now.state]
        where = f"{now.worker}: {now.note}" if now.state == "running" else now.note
        fresh = replace(row, state=state, run=now.run, note=where, outcome=now.outcome)
        if state.ended:
            for name, body in queue.files(now.run).items():
                folder = self._out / row.target.folder
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_whole(folder / name, body.decode("utf-8", "replace"))
            fresh = replace(fresh, note="", reserved=Limit(), outcome=now.outcome or _without_report(now))
        if fresh != row:
            tell(fresh)
        return fresh


def _without_report(now: Standing) -> Outcome:
    code = int(Exit.REFUSED if now.state == "cancelled" else Exit.INTERNAL)
    return Outcome(code, now.note, codes=(code,), run=now.run)
