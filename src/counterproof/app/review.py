"""Starts and resumes reviews. A review is a run like an audit: journalled, locked, resumable, with a receipt.

Invariant: bad input is rejected before a run exists, and a run never continues with a different tree.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterproof import __version__
from counterproof.analysis import cache
from counterproof.analysis.ceiling import Ceiling
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.app import recovery
from counterproof.app import run as run_stack
from counterproof.app.delivery import Ended
from counterproof.app.earlier_review import earlier_review
from counterproof.app.jobs import REVIEW, noted
from counterproof.app.recovery import CAREFUL, Choices
from counterproof.app.run import Setup, begin
from counterproof.app.team import refuse_absent_host, review_seats, spent, team_of
from counterproof.app.workbench.review import Confirming, Plan, ReviewWorkbench, planned
from counterproof.model.budget import dollars
from counterproof.model.errors import UserError
from counterproof.model.receipt import Outcome
from counterproof.model.review.report import ReviewReport
from counterproof.model.text import real_name
from counterproof.ports import Observer
from counterproof.protocols.review.events import ReviewStarted, ReviewTimeUp
from counterproof.protocols.review.presets import compact, is_compact
from counterproof.protocols.review.request import ReviewRequest
from counterproof.protocols.review.state import ReviewState
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.kept import RunJournal
from counterproof.supervision import progress
from counterproof.toolbox.workspace import Turn, remember

DOCUMENTS = (".md", ".markdown", ".rst", ".adoc", ".txt", ".org", ".mdc", ".text")

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk
    from counterproof.app.workbench.review import ReviewAgent


def start(
    request: ReviewRequest,
    user: Confirming,
    observer: Observer,
    home: Home,
    played: "Mapping[str, ReviewAgent] | None" = None,
    told: Callable[[str], None] | None = None,
    desk: "Desk | None" = None,
) -> Ended:
    """Start a new review. `played` are agents by seat that replace the models named in the request; `told` receives the run's
    id; `desk` is where a coding agent takes part."""
    if played is None:
        refuse_absent_host(review_seats(each.code for each in request.profile.specialists), request.terms, desk)
    progress.limit(request.max_seconds)
    with Turn():
        project = _project(request, home)
        earlier = earlier_review(home, request.target, request.profile.name) if request.delta else None
        plan = planned(project, request, earlier)
        plan = replace(plan, request=_with_team(request))
    facts = {
        "job": REVIEW.name,
        "target": request.target,
        "mode": REVIEW.name,
        "tree": project.survey.digest,
        "profile": plan.request.profile.name,
        "prior": earlier.prior.run if earlier else "",
    }
    return begin(home, facts, told, _setup(plan, user, played), observer, desk)


def _with_team(request: ReviewRequest) -> ReviewRequest:
    """The request with the compact team if one model plays all seats (R3)."""
    if len(request.profile.specialists) < 2 or not is_compact(request.team, request.preset, request.agents):
        return request
    return replace(request, profile=compact(request.profile))


def resume(run: RunFolder, user: Confirming, observer: Observer, choices: Choices = CAREFUL, desk: "Desk | None" = None) -> Ended:
    """Continue a review that was paused, interrupted or killed; for a finished one return its end."""

    def onward(run: RunFolder, journal: RunJournal) -> Setup:
        facts, home = noted(run), Home()
        request = recovery.first_event(run, journal, REVIEW, ReviewStarted).request
        project = _project(request, home)
        changed = "" if facts.get("tree") == project.survey.digest else "the files"
        recovery.settle(run, journal, REVIEW, ReviewStarted(request, __version__), changed, choices, project.survey.digest)
        before = str(facts.get("prior", ""))
        earlier = earlier_review(home, request.target, request.profile.name, before) if before else None
        return _setup(planned(project, request, earlier), user)

    return run_stack.resume(run, REVIEW, _own, onward, observer, choices, desk)


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


def _setup(plan: Plan, user: Confirming, played: "Mapping[str, ReviewAgent] | None" = None) -> Setup:
    ceiling, request, project = Ceiling(), plan.request, plan.project
    project.checkpoint = ceiling.checkpoint
    seats = review_seats(each.code for each in request.profile.specialists)
    return Setup(
        REVIEW,
        ReviewStarted(request, __version__),
        ReviewTimeUp,
        request.max_seconds,
        ceiling,
        lambda provisional: ReviewWorkbench(plan, user, None if provisional else played),
        _own,
        _mark,
        seats,
        request.terms,
        project.results.store if project.results else None,
        len(team_of(seats, request.terms).players),
    )


def _mark(_: str, report: ReviewReport, sentence: str, __: Outcome) -> ReviewReport:
    """Build a provisional report."""
    return replace(report, limitations=(sentence, *report.limitations))


def _own(journal: RunJournal, taken_over: dict[str, Any], state: ReviewState, report: ReviewReport | None) -> dict[str, Any]:
    """The review's part of the receipt."""
    return {
        "target": state.request.target if state.request else "",
        "profile": state.request.profile.name if state.request else "",
        "agreement": report.agreement.value if report else "",
        "agents": state.request.agents if state.request else "",
        "tokens": state.used,
        "cost_usd": dollars(spent(recovery.paid_events(journal, REVIEW)).micros).removeprefix("$"),
        "cache": taken_over,
        "unread": [path for path, _ in report.unread] if report else [],
        "accepted_unread": list(report.accepted) if report else [],
    }
