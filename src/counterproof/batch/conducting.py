"""A batch from beginning to end: begun or gone on with, conducted, reported.

Invariant: one process conducts a batch, held by its lock; the report over all is written whenever the command ends, paused or
not; the batch before it of the same list is what it is compared with. Not handled here: how rows are shown while they change.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from counterproof.app import stored_runs
from counterproof.app.files import write_whole
from counterproof.batch import ledger as ledgers
from counterproof.batch.ledger import Ledger, Summary
from counterproof.model.batch import Job, Order, Outcome, Row, exit_of
from counterproof.model.errors import CounterproofError, UserError
from counterproof.model.receipt import Exit
from counterproof.ports import Scheduler
from counterproof.reports import batch as reports
from counterproof.reports.batch import BatchReport
from counterproof.runtime import lock
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder

Tell = Callable[[Row], None]


@dataclass(frozen=True, slots=True)
class Conducted:
    """How a batch was left."""

    batch: RunFolder
    report: BatchReport
    folder: Path
    exit: Exit


def opened(order: Order, home: Home, fresh: bool) -> Ledger:
    """The ledger of the last batch of this list where it is unfinished and was asked for alike; else of a new one."""
    last = next(ledgers.earlier(home, order.name), None)
    if last and not fresh and not last.ended and last.order.digest == order.digest:
        return Ledger(last.batch)
    batch = home.create(ledgers.KIND)
    return Ledger.create(batch, replace(order, id=batch.id), WallClock().now())


def conduct(
    ledger: Ledger, order: Order, make_scheduler: Callable[[Path, Order], Scheduler], out: Path | None, home: Home, tell: Tell
) -> Conducted:
    """Have every target audited that is not yet, and write the report over all."""
    batch = ledger.batch
    folder = out or batch.path / "report"
    order = replace(order, id=batch.id)
    with lock.held(batch):
        rows = {row.position: ledgers.to_go_on(row) for row in ledger.rows()}

        def keep(row: Row) -> None:
            before = rows[row.position]
            rows[row.position] = row
            if replace(before, note="") != replace(row, note=""):
                ledger.save(row)
            tell(row)

        if any(not row.state.ended for row in rows.values()):
            make_scheduler(folder, order).conduct(order, tuple(rows.values()), keep)
        left = tuple(rows[position] for position in sorted(rows))
        if all(row.state.ended for row in left) and not ledger.ended:
            ledger.close_batch(WallClock().now())
        report = report_of(ledger, order, left, home)
        write(report, folder)
    return Conducted(batch, report, folder, exit_of(left))


def report_of(ledger: Ledger, order: Order, rows: tuple[Row, ...], home: Home) -> BatchReport:
    before = last_finished(home, order)
    known = {row.target.id: row.outcome for row in before.rows} if before else {}
    return BatchReport(order, ledger.started, ledger.ended, rows, tuple(known.get(row.target.id) for row in rows), bool(before))


def write(report: BatchReport, folder: Path) -> None:
    """The report over all, beside the folder that has those of the targets."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, text in reports.rendered(report):
            write_whole(folder / name, text)
    except OSError as error:
        hint = "give the same command again with another --out; nothing is audited twice"
        raise UserError(f"the report of the batch cannot be written to {folder}: {error.strerror}", hint) from error


def last_finished(home: Home, order: Order) -> Summary | None:
    """The batch of the same list before this one that came to its end."""
    return next((each for each in ledgers.earlier(home, order.name) if each.ended and each.batch.id < order.id), None)


class Earlier:
    """Results of the batch before, by a job's key, with their reports put where those of this batch lie."""

    def __init__(self, home: Home, order: Order, out: Path) -> None:
        self._home = home
        self._out = out
        before = last_finished(home, order)
        rows = before.rows if before else ()
        self._known = {row.job.key: row.outcome for row in rows if row.job and row.outcome and row.outcome.is_lasting}

    def __call__(self, job: Job, order: Order) -> Outcome | None:
        found = self._known.get(job.key)
        if found is None or (order.target_seconds and Exit.INCOMPLETE in found.codes):
            return None
        try:
            run = self._home.find(found.run)
            stored_runs.delivered(run, self._out / job.target.folder)
        except (CounterproofError, OSError):
            return None  # its run was removed: the target is audited again
        return replace(found, folder=job.target.folder)
