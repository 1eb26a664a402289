"""Starting and resuming reviews. A review is a run like an audit: journalled, locked, resumable, with a receipt.

Always: bad input is refused before a run exists, and a run never goes on with another tree than it began with.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterproof import __version__
from counterproof.agents.models.team import HOST
from counterproof.analysis import cache
from counterproof.analysis.ceiling import Ceiling
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.app import provisional, recovery, review_team
from counterproof.app.beginning import begun, first_journal
from counterproof.app.driving import Limit, Pause, delivered_files, drive, driven, noted, restored_receipt, write_receipt
from counterproof.app.earlier_review import earlier_review
from counterproof.app.model_team import ABSENT_HOST, tell_unpriced
from counterproof.app.recovery import CAREFUL, Choices
from counterproof.app.review_executor import Confirming, ReviewExecutor, planned, stored
from counterproof.app.review_machine import ReviewMachine
from counterproof.app.review_team import ReviewStaff
from counterproof.model.budget import dollars
from counterproof.model.errors import JournalError, UserError
from counterproof.model.receipt import Outcome
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import Scope
from counterproof.model.text import real_name
from counterproof.ports import Observer
from counterproof.protocols.review.events import ReviewReportWritten, ReviewStarted, ReviewTimeUp, WriteReviewReport
from counterproof.protocols.review.presets import compact, is_compact
from counterproof.protocols.review.request import ReviewRequest
from counterproof.protocols.review.state import ReviewState
from counterproof.reports import review as review_reports
from counterproof.runtime import lock
from counterproof.runtime.driver import Driver
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replaying import replay
from counterproof.runtime.replies import JournalReplies
from counterproof.supervision import progress
from counterproof.toolbox.workspace import Turn, remember

DOCUMENTS = (".md", ".markdown", ".rst", ".adoc", ".txt", ".org", ".mdc", ".text")

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk

JOB = "review"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """How a command left a run. `report` is there once the run has one; `hint` says how to go on when it paused."""

    run: RunFolder
    outcome: Outcome
    report: ReviewReport | None = None
    hint: str = ""


def start(
    request: ReviewRequest,
    user: Confirming,
    observer: Observer,
    home: Home,
    staff: ReviewStaff | None = None,
    told: Callable[[str], None] | None = None,
    desk: "Desk | None" = None,
) -> Reviewed:
    """A new review. `staff` stands in for the models that the request names; `told` is given the run's id; `desk` is where a
    coding agent takes part."""
    if desk is None and staff is None and HOST in review_team.players(request):
        raise UserError(*ABSENT_HOST)
    progress.limit(request.max_seconds)
    with Turn():
        project = _project(request, home)
        earlier = earlier_review(home, request.target, request.profile.name) if request.delta else None
        plan = planned(project, request, earlier)
        request = _with_team(request, plan.resolved.scope)
        plan = replace(plan, request=request)
    facts = {
        "job": JOB,
        "target": request.target,
        "mode": JOB,
        "tree": project.survey.digest,
        "profile": request.profile.name,
        "prior": earlier.prior.run if earlier else "",
    }
    run = begun(home, facts)
    if told:
        told(run.id)
    with lock.held(run), contextlib.closing(first_journal(home, run)) as journal:
        try:
            staff = staff or review_team.assemble(request, JournalReplies(journal), home.root, (), desk)
        except UserError:
            home.remove(run)
            raise
        executor = ReviewExecutor(run, plan, user, observer, staff)
        return _drive(run, journal, request, executor, observer, staff, project)


def _with_team(request: ReviewRequest, scope: Scope) -> ReviewRequest:
    """The request with the compact team where the change is small (R3)."""
    lines = sum(end - start + 1 for file in scope.files for start, end in file.changed)
    if len(request.profile.specialists) < 2 or not is_compact(request.team, request.preset, request.agents, lines):
        return request
    return replace(request, profile=compact(request.profile))


def is_review(run: RunFolder) -> bool:
    """Whether a run is a review and not an audit or a verification."""
    return noted(run).get("job") == JOB


def resume(
    run: RunFolder,
    user: Confirming,
    observer: Observer,
    home: Home,
    choices: Choices = CAREFUL,
    desk: "Desk | None" = None,
) -> Reviewed:
    """Go on with a review that was paused, interrupted or killed; tell how one ended."""
    facts = noted(run)
    if not is_review(run):
        raise UserError(f"run {run.id} is not a review", f"`counterproof resume {run.id}` goes on with it")
    with lock.held(run), contextlib.closing(recovery.opened(run, choices)) as journal:
        state: ReviewState = replay(ReviewMachine(), journal).state
        if state.request is None:
            raise JournalError(f"run {run.id} was never started", "start it again")
        if state.outcome is not None:
            return _ended(run, journal, state)
        project = _project(state.request, home)
        if facts.get("tree") != project.survey.digest:
            raise JournalError(f"the files changed since run {run.id} began", "start the review again")
        before = str(facts.get("prior", ""))
        earlier = earlier_review(home, state.request.target, state.request.profile.name, before) if before else None
        if choices.without_models:
            staff = review_team.absent(state.request, provisional.BY_USER)
        else:
            staff = review_team.assemble(state.request, JournalReplies(journal), home.root, _events(journal), desk)
        executor = ReviewExecutor(run, planned(project, state.request, earlier), user, observer, staff)
        return _drive(run, journal, state.request, executor, observer, staff, project)


def _events(journal: RunJournal) -> tuple[Any, ...]:
    machine = ReviewMachine()
    return tuple(machine.decode(each.body) for each in journal.entries() if each.kind == "event")


def _project(request: ReviewRequest, home: Home) -> Project:
    root = Path(real_name(request.target))
    try:
        project = Project(root, survey(root, SurveyOptions(documents=request.profile.verdicts)))
        remember(project, cache.results_in(home.root / "results"))
        return project
    except UserError as error:
        if request.profile.verdicts or not request.paths or any(Path(each).suffix not in DOCUMENTS for each in request.paths):
            raise
        raise UserError(str(error), "documents are reviewed with --profile strategy") from error


def _drive(
    run: RunFolder,
    journal: RunJournal,
    request: ReviewRequest,
    executor: ReviewExecutor,
    observer: Observer,
    staff: ReviewStaff,
    project: Project,
) -> Reviewed:
    driver = Driver(ReviewMachine(), journal, executor, observer)
    ceiling = Ceiling()
    project.checkpoint = ceiling.checkpoint
    tell_unpriced(staff.channels, request.tokens, observer)
    limit = Limit(request.max_seconds, ReviewTimeUp(request.max_seconds, progress.over()), ceiling)
    again = f"counterproof review --resume {run.id}"
    try:
        pause = driven(driver, ReviewStarted(request, __version__), limit, staff.close, again)
    finally:
        executor.close()
    if pause and pause.provider:
        alone = review_team.absent(request, provisional.reason(pause.why))
        return _so_far(run, journal, pause, executor.staffed(alone), observer, limit)
    if pause:
        return Reviewed(run, pause.outcome, None, pause.hint)
    return _ended(run, journal, driver.state, cache.receipt(project.results.store if project.results else None))


def _so_far(
    run: RunFolder, journal: RunJournal, pause: Pause, executor: ReviewExecutor, observer: Observer, limit: Limit
) -> Reviewed:
    """A run that a provider paused, with its provisional report."""

    async def drive_on(driver: Driver) -> None:
        await drive(driver, None, limit, ReviewStaff().close)

    def mark(report: ReviewReport, sentence: str, _: Outcome) -> ReviewReport:
        return replace(report, limitations=(sentence, *report.limitations))

    def render(report: ReviewReport) -> dict[str, str]:
        return {file: review_reports.render(report, name) for name, file in review_reports.FILE_NAMES.items()}

    how = provisional.Finish(ReviewMachine(), executor, WriteReviewReport, ReviewReportWritten, drive_on, mark, render)
    try:
        done = provisional.finish(how, run, journal, observer, pause.outcome, pause.hint)
    finally:
        executor.close()
    report, outcome = done or (None, pause.outcome)
    return Reviewed(run, outcome, report, pause.hint)


def _ended(run: RunFolder, journal: RunJournal, state: ReviewState, taken_over: dict[str, Any] | None = None) -> Reviewed:
    """The end of a run. Whatever it was killed before writing is written now."""
    command = replay(ReviewMachine(), journal).commands.get("write-report")
    report = command.report if isinstance(command, WriteReviewReport) else None
    if report and any(not (run.path / name).is_file() for name in review_reports.FILE_NAMES.values()):
        stored(run, report)
    outcome = state.outcome or Outcome(())
    if not restored_receipt(run, journal):
        own = {
            "target": state.request.target if state.request else "",
            "profile": state.request.profile.name if state.request else "",
            "agreement": report.agreement.value if report else "",
            "agents": state.request.agents if state.request else "",
            "tokens": state.used,
            "cost_usd": dollars(review_team.spent(_events(journal)).micros).removeprefix("$"),
            "cache": taken_over or {},
            "unread": [path for path, _ in report.unread] if report else [],
            "accepted_unread": list(report.accepted) if report else [],
        }
        write_receipt(run, journal, JOB, state.version, outcome, own)
    return Reviewed(run, outcome, report)


def delivered(done: Reviewed, formats: tuple[str, ...], out: Path) -> tuple[Path, ...]:
    """Write the report (all formats unless narrowed) and the receipt into a folder."""
    return written(done.report, done.run, formats, out) if done.report is not None else ()


def written(report: ReviewReport, run: RunFolder, formats: tuple[str, ...], out: Path) -> tuple[Path, ...]:
    """The same of a report that an earlier run made. What is for a runner's log alone is no file."""
    names = tuple(name for name in formats if name in review_reports.FILE_NAMES) or review_reports.FORMATS
    return delivered_files(run, {review_reports.FILE_NAMES[name]: review_reports.render(report, name) for name in names}, out)
