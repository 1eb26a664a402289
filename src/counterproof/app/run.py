"""Starts one run and drives it to its end or to a pause, for every job: team, workbench, receipt and provisional report."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from counterproof.analysis import cache
from counterproof.analysis.ceiling import Ceiling
from counterproof.app import provisional, recovery, team
from counterproof.app.beginning import begun, first_journal
from counterproof.app.delivery import Ended
from counterproof.app.driving import Limit, driven, finished, so_far
from counterproof.app.executor import RunExecutor, Workbench
from counterproof.app.jobs import Job, job_of
from counterproof.app.team import NO_SEATS, Seating
from counterproof.model.errors import UserError
from counterproof.model.receipt import Outcome
from counterproof.ports import Observer
from counterproof.protocols.guard.budget import ModelTerms
from counterproof.runtime import crashpoints, lock
from counterproof.runtime.driver import Driver
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replies import JournalReplies

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk

Own = Callable[[RunJournal, dict[str, Any], Any, Any], dict[str, Any]]
"""Builds a job's part of the receipt, from the journal, the reused results, its state and its report."""


def no_receipt(_journal: RunJournal, _taken_over: dict[str, Any], _state: Any, _report: Any) -> dict[str, Any]:
    """Add nothing to the receipt."""
    return {}


@dataclass(slots=True)
class Setup:
    """A run that can be driven. `begin` is its first event, `over` builds the event for an expired time limit; `bench` builds
    its workbench, for a provisional or the real run; `planned` returns the number of agents for a state; `mark` adds a
    sentence and an outcome to a provisional report, given how to continue; `store` holds results kept for later runs."""

    job: Job
    begin: Any
    over: Callable[[int, str], Any]
    seconds: int
    ceiling: Ceiling
    bench: Callable[[bool], Workbench]
    own: Own = no_receipt
    mark: Callable[[str, Any, str, Outcome], Any] = lambda _hint, report, _sentence, _outcome: report
    seating: Seating = NO_SEATS
    terms: ModelTerms | None = None
    store: cache.Store | None = None
    agents: int = 1
    planned: Callable[[Any], int] | None = None


Onward = Callable[[RunFolder, RunJournal], Setup]
"""Compares a run's inputs with those that it began with, and returns how to go on."""


def begin(
    home: Home,
    facts: dict[str, str],
    told: Callable[[str], None] | None,
    setup: Setup,
    observer: Observer,
    desk: "Desk | None" = None,
    onward: Onward | None = None,
) -> Ended:
    """Create a run, store its facts and drive it; `told` receives its id, `desk` is where a coding agent takes its tasks,
    `onward` continues a run that another fleet worker started. A user error leaves nothing behind."""
    run = begun(home, facts)
    crashpoints.reached("run-created")
    if told:
        told(run.id)
    with lock.held(run), contextlib.closing(first_journal(home, run)) as journal:
        try:
            if onward and journal.head[0]:
                return _gone_on(run, journal, setup.job, setup.own, onward, observer, desk, recovery.CAREFUL)
            return drive(run, journal, setup, observer, desk)
        except UserError:
            home.remove(run)
            raise


def resume(
    run: RunFolder,
    job: Job,
    own: Own,
    onward: Onward,
    observer: Observer,
    choices: recovery.Choices = recovery.CAREFUL,
    desk: "Desk | None" = None,
) -> Ended:
    """Continue a run that was paused, interrupted or killed; for a finished one return its end."""
    if job_of(run) is not job:
        raise UserError(f"run {run.id} was not started by `{job.name}`", f"`counterproof resume {run.id}` continues it")
    with lock.held(run), contextlib.closing(recovery.opened(run, choices)) as journal:
        return _gone_on(run, journal, job, own, onward, observer, desk, choices)


def _gone_on(
    run: RunFolder,
    journal: RunJournal,
    job: Job,
    own: Own,
    onward: Onward,
    observer: Observer,
    desk: "Desk | None",
    choices: recovery.Choices,
) -> Ended:
    ended = _ended_before(run, journal, job, own)
    return ended or drive(run, journal, onward(run, journal), observer, desk, choices.without_models)


def drive(
    run: RunFolder,
    journal: RunJournal,
    setup: Setup,
    observer: Observer,
    desk: "Desk | None" = None,
    without_models: bool = False,
) -> Ended:
    """Run to the end or to a pause. `desk` is where a coding agent takes its tasks; without models their tasks fail."""
    job, home = setup.job, Home().root
    if without_models:
        staff = team.absent(setup.seating, setup.terms, provisional.BY_USER)
    else:
        before = partial(recovery.paid_events, journal, job)
        staff = team.assemble(
            setup.seating, setup.terms, JournalReplies(journal), home, before, desk, setup.ceiling.checkpoint, setup.agents
        )
    team.tell_unpriced(staff, observer)
    bench = setup.bench(False)
    driver = Driver(job.machine(), journal, RunExecutor(run, job, bench, staff, observer, setup.seconds), observer)
    if count := setup.planned:
        staff.planned = lambda: count(driver.state)
    limit = Limit(setup.seconds, setup.over, setup.ceiling)
    with contextlib.ExitStack() as held:
        held.callback(bench.close)
        pause = driven(driver, setup.begin, limit, staff.close, f"counterproof {job.resume} {run.id}")
        if pause and pause.reported:
            alone, draft = team.absent(setup.seating, setup.terms, provisional.reason(pause.why)), setup.bench(True)
            held.callback(draft.close)
            executor = RunExecutor(run, job, draft, alone, observer, setup.seconds)
            return so_far(run, job, journal, pause, executor, observer, limit, partial(setup.mark, pause.hint))
    if pause:
        return Ended(run, job, pause.outcome, pause.hint, state=driver.state)
    ended = _ended_before(run, journal, job, setup.own, cache.receipt(setup.store))
    assert ended
    return ended


def _ended_before(
    run: RunFolder, journal: RunJournal, job: Job, own: Own, taken_over: dict[str, Any] | None = None
) -> Ended | None:
    """The end of a finished run, None for an unfinished one."""
    return finished(run, job, journal, partial(own, journal, taken_over or {}))
