"""Starting and resuming reviews. A review is a run like an audit: journalled, locked, resumable, with a receipt.

Always: bad input is refused before a run exists, and a run never goes on with another tree than it began with.
"""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
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
from counterproof.app.delivery import Ended
from counterproof.app.driving import Limit, driven, finished, so_far
from counterproof.app.earlier_review import earlier_review
from counterproof.app.jobs import REVIEW, noted
from counterproof.app.machines import review_machine
from counterproof.app.model_team import ABSENT_HOST, tell_unpriced
from counterproof.app.recovery import CAREFUL, Choices
from counterproof.app.review_executor import Confirming, ReviewExecutor, planned
from counterproof.app.review_team import ReviewStaff
from counterproof.model.budget import dollars
from counterproof.model.errors import UserError
from counterproof.model.receipt import Outcome
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import Scope
from counterproof.model.text import real_name
from counterproof.ports import Observer
from counterproof.protocols.review.events import ReviewStarted, ReviewTimeUp
from counterproof.protocols.review.presets import compact, is_compact
from counterproof.protocols.review.request import ReviewRequest
from counterproof.protocols.review.state import ReviewState
from counterproof.runtime import lock
from counterproof.runtime.driver import Driver
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replies import JournalReplies
from counterproof.supervision import progress
from counterproof.toolbox.workspace import Turn, remember

DOCUMENTS = (".md", ".markdown", ".rst", ".adoc", ".txt", ".org", ".mdc", ".text")

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk

JOB = "review"


def start(
    request: ReviewRequest,
    user: Confirming,
    observer: Observer,
    home: Home,
    staff: ReviewStaff | None = None,
    told: Callable[[str], None] | None = None,
    desk: "Desk | None" = None,
) -> Ended:
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
) -> Ended:
    """Go on with a review that was paused, interrupted or killed; tell how one ended."""
    facts = noted(run)
    if not is_review(run):
        raise UserError(f"run {run.id} is not a review", f"`counterproof resume {run.id}` goes on with it")
    with lock.held(run), contextlib.closing(recovery.opened(run, choices)) as journal:
        if ended := finished(run, REVIEW, journal, partial(_own, journal, {})):
            return ended
        request = recovery.first_event(run, journal, REVIEW, ReviewStarted).request
        project = _project(request, home)
        changed = "" if facts.get("tree") == project.survey.digest else "the files"
        recovery.settle(run, journal, REVIEW, ReviewStarted(request, __version__), changed, choices, project.survey.digest)
        before = str(facts.get("prior", ""))
        earlier = earlier_review(home, request.target, request.profile.name, before) if before else None
        if choices.without_models:
            staff = review_team.absent(request, provisional.BY_USER)
        else:
            staff = review_team.assemble(request, JournalReplies(journal), home.root, recovery.paid_events(journal, REVIEW), desk)
        executor = ReviewExecutor(run, planned(project, request, earlier), user, observer, staff)
        return _drive(run, journal, request, executor, observer, staff, project)


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
) -> Ended:
    driver = Driver(review_machine(), journal, executor, observer)
    ceiling = Ceiling()
    project.checkpoint = ceiling.checkpoint
    tell_unpriced(staff.channels, request.tokens, observer)
    limit = Limit(request.max_seconds, ReviewTimeUp, ceiling)
    again = f"counterproof review --resume {run.id}"
    try:
        pause = driven(driver, ReviewStarted(request, __version__), limit, staff.close, again)
    finally:
        executor.close()
    if pause and pause.provider:
        alone = executor.staffed(review_team.absent(request, provisional.reason(pause.why)))
        try:
            return so_far(run, REVIEW, journal, pause, alone, observer, limit, _mark)
        finally:
            alone.close()
    if pause:
        return Ended(run, REVIEW, pause.outcome, pause.hint)
    store = project.results.store if project.results else None
    ended = finished(run, REVIEW, journal, partial(_own, journal, cache.receipt(store)))
    assert ended
    return ended


def _mark(report: ReviewReport, sentence: str, _: Outcome) -> ReviewReport:
    """A provisional report."""
    return replace(report, limitations=(sentence, *report.limitations))


def _own(journal: RunJournal, taken_over: dict[str, Any], state: ReviewState, report: ReviewReport | None) -> dict[str, Any]:
    """What a review adds to its receipt."""
    return {
        "target": state.request.target if state.request else "",
        "profile": state.request.profile.name if state.request else "",
        "agreement": report.agreement.value if report else "",
        "agents": state.request.agents if state.request else "",
        "tokens": state.used,
        "cost_usd": dollars(review_team.spent(recovery.paid_events(journal, REVIEW)).micros).removeprefix("$"),
        "cache": taken_over,
        "unread": [path for path, _ in report.unread] if report else [],
        "accepted_unread": list(report.accepted) if report else [],
    }
