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
from counterproof.app.jobs import Job
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
    own: Own = lambda _journal, _taken_over, _state, _report: {}
    mark: Callable[[str, Any, str, Outcome], Any] = lambda _hint, report, _sentence, _outcome: report
    seating: Seating = NO_SEATS
    terms: ModelTerms | None = None
    store: cache.Store | None = None
    agents: int = 1
    planned: Callable[[Any], int] | None = None


def begin(
    home: Home,
    facts: dict[str, str],
    told: Callable[[str], None] | None,
    first: Callable[[RunFolder, RunJournal], Ended],
    onward: Callable[[RunFolder, RunJournal], Ended] | None = None,
) -> Ended:
    """Create a run and store its facts; `told` receives its id, `onward` continues one that another fleet worker started. A
    user error leaves nothing behind."""
    run = begun(home, facts)
    crashpoints.reached("run-created")
    if told:
        told(run.id)
    with lock.held(run), contextlib.closing(first_journal(home, run)) as journal:
        try:
            return onward(run, journal) if onward and journal.head[0] else first(run, journal)
        except UserError:
            home.remove(run)
            raise


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
    ended = ended_before(run, journal, job, setup.own, cache.receipt(setup.store))
    assert ended
    return ended


def ended_before(
    run: RunFolder, journal: RunJournal, job: Job, own: Own, taken_over: dict[str, Any] | None = None
) -> Ended | None:
    """The end of a finished run, None for an unfinished one."""
    return finished(run, job, journal, partial(own, journal, taken_over or {}))
