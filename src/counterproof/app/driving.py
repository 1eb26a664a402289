"""Common parts of audit, review and verification runs: an agent's attempt, running to the end or a pause, the stored and the
provisional report, the receipt.

Invariant: a pause is not a failure, and says how to continue; a failing agent is reported and never ends a run; the team is
always released. Not handled here: a job's decisions.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from counterproof.agents.models.faults import BudgetExhausted, ModelFailed, TimeIsOver
from counterproof.analysis.ceiling import Ceiling
from counterproof.app import leased, provisional, stored_runs
from counterproof.app.delivery import Ended
from counterproof.app.files import write_whole
from counterproof.app.jobs import Job
from counterproof.app.pausing import ReportedPause, paused
from counterproof.model.canonical import digest
from counterproof.model.errors import CounterproofError, JournalError, ProviderPause, StorageError
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.ports import Executor, Observer
from counterproof.runtime import crashpoints
from counterproof.runtime.driver import Driver, Paused
from counterproof.runtime.heads import Position
from counterproof.runtime.home import RunFolder
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replaying import RERUN, replay
from counterproof.runtime.verification import RECEIPT
from counterproof.supervision import progress

MAX_REASON = 500
MODEL_SHARE = 0.6
"""The models' share of the user's time limit. Unfinished model work is then skipped; the analysts have the rest (A52)."""
Reply = TypeVar("Reply")


@dataclass(frozen=True, slots=True)
class Pause:
    """Why a run is paused, and how to continue."""

    why: str
    hint: str
    reported: bool = False
    """True if the run so far is worth a provisional report."""

    @property
    def outcome(self) -> Outcome:
        return Outcome((Reason(Exit.PAUSED, self.why),))


@dataclass(frozen=True, slots=True)
class Limit:
    """The seconds after which `event` is journalled and all analysts submit; 0 means no limit."""

    seconds: int
    event: Callable[[int, str], Any]
    ceiling: Ceiling


def driven(driver: Driver, begin: Any, limit: Limit, let_go: Callable[[], Awaitable[None]], again: str) -> Pause | None:
    """Run to the end. `again` is the command that continues it."""
    try:
        asyncio.run(drive(driver, begin, limit, let_go))
    except Paused as pause:
        return Pause(str(pause), pause.hint, isinstance(pause, ReportedPause))
    except StorageError as failure:
        return Pause(str(failure), failure.hint)
    except KeyboardInterrupt:
        return Pause("interrupted", f"`{again}` continues where it stopped")
    return None


async def drive(driver: Driver, begin: Any, limit: Limit, let_go: Callable[[], Awaitable[None]]) -> None:
    """Run to the end or to a pause, within the time limit."""

    async def ring() -> None:
        await asyncio.sleep(progress.left(limit.seconds))
        limit.ceiling.expire()
        await driver.emit(limit.event(limit.seconds, progress.over()))

    alarm = asyncio.create_task(ring()) if limit.seconds or progress.over() else None
    try:
        await driver.run(begin)
    finally:
        if alarm:
            alarm.cancel()
        await let_go()


class ModelTime:
    """The models' share of the user's time limit (A52): work that a model has not finished by then is skipped, and the
    analysts have the rest. It starts with the run's first command."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds * MODEL_SHARE or None
        self._until: float | None = None

    def begin(self) -> None:
        if self._seconds and self._until is None:
            self._until = asyncio.get_running_loop().time() + self._seconds

    async def within(self, work: Awaitable[Reply]) -> Reply:
        """A model's reply within the time limit. Raises `TimeIsOver`."""
        try:
            async with asyncio.timeout_at(self._until):
                return await work
        except TimeoutError as over:
            raise TimeIsOver from over


@dataclass(frozen=True, slots=True)
class Failed:
    """Why an agent's attempt failed. `over_budget`: the run's budget; `exhausted`: only the agent's own share of tokens or
    time is used up; `unidentified`: the truncated output does not identify its agent (A25)."""

    reason: str
    over_budget: bool = False
    exhausted: bool = False
    unidentified: bool = False


async def attempted(work: Awaitable[Reply], again: str) -> Reply | Failed:
    """An agent's reply, or why there is none, whatever it raised. A provider's pause and a failure of the run's disk stop the
    run; cancellation passes through. `again` is the command that continues."""
    try:
        return await work
    except ProviderPause as pause:
        raise paused(pause, again) from pause
    except (StorageError, JournalError):
        raise
    except TimeIsOver as over:
        return Failed(str(over), exhausted=True)
    except BudgetExhausted as error:
        return Failed(str(error)[:MAX_REASON], error.everywhere, not error.everywhere)
    except CounterproofError as error:
        return Failed(str(error)[:MAX_REASON], unidentified=isinstance(error, ModelFailed) and error.unidentified)
    except TimeoutError:
        return Failed("it timed out")
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}"[:MAX_REASON])


def store_report(run: RunFolder, job: Job, report: Any) -> tuple[tuple[str, str], ...]:
    """Write every format to the run's folder, atomically; a failing disk pauses the run. Returns (format, sha256) pairs."""
    pairs: list[tuple[str, str]] = []
    try:
        for name, file in job.files.items():
            text = job.render(report, name, "")
            write_whole(run.path / file, text)
            crashpoints.reached("mid-report")
            pairs.append((name, digest(text)))
    except OSError as error:
        raise StorageError(
            f"the report of run {run.id} could not be written: {error.strerror}",
            f"free disk space or repair the disk, then `counterproof resume {run.id}`; nothing is lost",
        ) from error
    return tuple(pairs)


def finished(run: RunFolder, job: Job, journal: RunJournal, own: Callable[[Any, Any], dict[str, Any]]) -> Ended | None:
    """The end of a finished run, None for an unfinished one. Files that are missing or were changed are written now.
    `own` is the job's part of the receipt, from its state and report. A journal stored elsewhere is copied here."""
    try:
        before = replay(job.machine(), journal)
    except JournalError:
        return None  # another version decides differently; the change is reported later
    state = before.state
    if state.outcome is None or before.pending:
        return None
    command = before.commands.get(job.command)
    report = command.report if command else None
    known = stored_runs.noted(job, journal)
    if any(not (run.path / job.files[name]).is_file() for name in known) or stored_runs.changed_reports(run, known):
        store_report(run, job, stored_runs.decided(job, run.id, journal))
    if not restored_receipt(run, journal):
        crashpoints.reached("before-receipt")
        times, added = [entry.at for entry in journal.entries()], own(state, report)
        store_receipt(run, journal, receipt_of(run.id, times, journal.head, job.name, state.version, state.outcome, added))
    leased.copied(run, journal)
    return Ended(run, job, state.outcome, state=state)


def so_far(
    run: RunFolder,
    job: Job,
    journal: RunJournal,
    pause: Pause,
    executor: Executor,
    observer: Observer,
    limit: Limit,
    mark: Callable[[Any, str, Outcome], Any],
) -> Ended:
    """A paused run with its provisional report; `executor` calls no model."""

    async def drive_on(driver: Driver) -> None:
        await drive(driver, None, limit, _nobody)

    made = provisional.finish(job, executor, drive_on, mark, run, journal, observer, pause.outcome, pause.hint)
    report, outcome = made or (None, pause.outcome)
    return Ended(run, job, outcome, pause.hint, report)


async def _nobody() -> None:
    """Does nothing: there is no team to release."""


def receipt_of(
    run: str, times: list[str], head: Position, job: str, version: str, outcome: Outcome, own: dict[str, Any]
) -> dict[str, Any]:
    """The machine-readable end of a journal whose rows have these times; times and ids are here, not in the report. `own` is
    the job's part."""
    return {
        "run": run,
        "job": job,
        "version": version,
        "started": times[0],
        "ended": times[-1],
        "exit_code": int(outcome.exit),
        "exit": outcome.exit.name.lower(),
        "reasons": [{"code": int(reason.code), "text": reason.text} for reason in outcome.reasons],
        "journal": {"entries": head[0], "head": head[1]},
        **own,
    }


def store_receipt(run: RunFolder, journal: RunJournal, receipt: dict[str, Any]) -> None:
    """Store the receipt as the last journal row, then as a file with the same bytes, so that an edited file is noticed."""
    text = json.dumps(receipt, indent=2, sort_keys=True) + "\n"
    journal.append(RECEIPT, text)
    write_whole(run.receipt, text)
    provisional.remove(run)


def restored_receipt(run: RunFolder, journal: RunJournal) -> bool:
    """True if the receipt exists; a missing file is restored from the journal."""
    if run.receipt.is_file():
        return True
    text = ""
    for entry in journal.entries():
        text = entry.body if entry.kind == RECEIPT else "" if entry.kind == RERUN else text
    if text:
        write_whole(run.receipt, text)
    return bool(text)
