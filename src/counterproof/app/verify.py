"""Starts and resumes plan verifications. A verification is a run like an audit: journalled, locked, resumable, with a receipt.

Invariant: bad input is rejected before a run exists, and a run never continues with a different plan or tree.
"""

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterproof import __version__
from counterproof.analysis import cache
from counterproof.analysis.ceiling import Ceiling
from counterproof.analysis.git import NoHistory, open_history
from counterproof.analysis.plans.understanding import understand
from counterproof.analysis.project import Project
from counterproof.analysis.review.changes import ends
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.app import recovery
from counterproof.app import run as run_stack
from counterproof.app.delivery import Ended
from counterproof.app.jobs import VERIFY, noted
from counterproof.app.plan_file import Document, newest_plan, read_document
from counterproof.app.recovery import CAREFUL, Choices
from counterproof.app.run import Setup, begin
from counterproof.app.standing import Standing
from counterproof.app.team import PLAN_SEATS, refuse_absent_host, spent, without_keys
from counterproof.app.workbench.plan import Answering, PlanWorkbench
from counterproof.model.budget import dollars
from counterproof.model.errors import UserError
from counterproof.model.plan.contract import Tool
from counterproof.model.plan.iteration import Verdict
from counterproof.model.plan.outline import PlanOutline
from counterproof.model.plan.report import PlanReport
from counterproof.model.receipt import Outcome
from counterproof.ports import Observer
from counterproof.protocols.plan.events import PlanRead, VerifyStarted, VerifyTimeUp
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.protocols.plan.state import PlanState
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.kept import RunJournal
from counterproof.supervision import progress
from counterproof.toolbox.memory import Memory, Note
from counterproof.toolbox.plan_tools import PlanBench
from counterproof.toolbox.web import Web

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk

MEMORY = "memory.sqlite"
EXPECTED_TASKS = 10
"""A model's tasks in a typical run; one of them may use one and a half shares of the budget (R25)."""


def named_plan(path: str, folder: Path) -> Path:
    """The plan to verify: the named one, or the newest in the usual places (P1)."""
    return Path(path).absolute() if path else newest_plan(folder).absolute()


def outline_of(plan: Path) -> PlanOutline:
    """The outline of a plan, without a run. Raises `UserError` if the file is not a plan."""
    document = read_document(plan)
    outline = understand(str(document.path), document.text)
    if outline.no_plan:
        raise UserError(f"{plan} is not a plan: {outline.no_plan}", "name the file of an implementation plan")
    return outline


def start(
    request: VerifyRequest,
    user: Answering,
    observer: Observer,
    home: Home,
    told: Callable[[str], None] | None = None,
    desk: "Desk | None" = None,
) -> Ended:
    """Start a new verification; `told` receives the run's id; `desk` is where a coding agent takes part."""
    refuse_absent_host(PLAN_SEATS, request.terms, desk)
    progress.limit(request.max_seconds)
    document = read_document(Path(request.plan))
    project = _project(request)
    if request.diff:
        _refuse_unknown(project, request.diff)
    there = {Tool.MEMORY} if not _memory(str(project.root)).empty() else set[Tool]()
    there |= {Tool.WEB_SEARCH, Tool.WEB_FETCH} if request.web else set()
    request = replace(request, absent=tuple(tool for tool in request.absent if tool not in there))
    facts = {
        "job": VERIFY.name,
        "target": request.plan,
        "mode": VERIFY.name,
        "tree": project.survey.digest,
        "repository": request.repository,
    }
    bench = _bench(document, project, request)
    return begin(home, facts, told, _setup(request, bench, user), observer, desk)


def _refuse_unknown(project: Project, change: str) -> None:
    """A change can be compared only if the history contains both of its ends."""
    with contextlib.ExitStack() as stack:
        history = open_history(project.root)
        if isinstance(history, NoHistory):
            raise UserError(f"--diff needs a git repository: {history.reason}", "give the top of one as --repo")
        ends(stack.enter_context(history), change)


def resume(run: RunFolder, user: Answering, observer: Observer, choices: Choices = CAREFUL, desk: "Desk | None" = None) -> Ended:
    """Continue a verification that was paused, interrupted or killed; for a finished one return its end."""

    def onward(run: RunFolder, journal: RunJournal) -> Setup:
        request = recovery.first_event(run, journal, VERIFY, VerifyStarted).request
        bench = _bench(read_document(Path(request.plan)), _project(request), request)
        tree, changed = bench.project.survey.digest, _changed(journal, bench, str(noted(run).get("tree", "")))
        recovery.settle(run, journal, VERIFY, VerifyStarted(request, __version__), changed, choices, tree)
        return _setup(request, bench, user)

    return run_stack.resume(run, VERIFY, _own, onward, observer, choices, desk)


def _changed(journal: RunJournal, bench: PlanBench, tree: str) -> str:
    """The input that changed since the run began; '' if none did."""
    outlines = (each.outline for each in recovery.paid_events(journal, VERIFY) if isinstance(each, PlanRead))
    if any(each.digest != bench.outline.digest for each in list(outlines)[-1:]):
        return "the plan"
    return "the repository" if tree and tree != bench.project.survey.digest else ""


def _project(request: VerifyRequest) -> Project:
    """The repository. A plan is compared with names and files of any language, so the analysers need not support any of them."""
    root = Path(request.repository)
    return Project(root, survey(root, SurveyOptions(documents=True)))


def _bench(document: Document, project: Project, request: VerifyRequest) -> PlanBench:
    results = cache.results_in(Home().root / "results")
    web = Web(request.web, without_keys(os.environ)) if request.web else None
    outline = understand(str(document.path), document.text)
    return PlanBench(
        outline, document.text, project, results.store if results else None, _memory(str(project.root)), web, request.context
    )


def _memory(repository: str) -> Memory:
    """The user's decisions in earlier verifications for the same repository."""
    return Memory(Home().root / MEMORY, repository)


def _remember(state: PlanState) -> None:
    """Store the user's answers for later plans."""
    if state.request and state.outline and state.responses:
        claims = {each.id: each.claim for each in state.challenges}
        known = [each for each in state.responses if each.challenge_id in claims]
        _memory(state.request.repository).add(Note(state.outline.title, claims[each.challenge_id], each.text) for each in known)


def _setup(request: VerifyRequest, bench: PlanBench, user: Answering) -> Setup:
    ceiling = Ceiling()
    bench.project.checkpoint = ceiling.checkpoint
    return Setup(
        VERIFY,
        VerifyStarted(request, __version__),
        VerifyTimeUp,
        request.max_seconds,
        ceiling,
        lambda provisional: PlanWorkbench(bench, Standing() if provisional else user, request.accept_unread),
        _own,
        _mark,
        PLAN_SEATS,
        request.terms,
        bench.store,
        EXPECTED_TASKS,
    )


def _mark(hint: str, report: PlanReport, sentence: str, _: Outcome) -> PlanReport:
    """Build a provisional report."""
    provisionally = f"Provisional: {report.sentence}"
    report = replace(report, verdict=Verdict.PAUSE) if report.questions else report
    return replace(report, sentence=provisionally, next_step=f"{hint}.", limitations=(sentence, *report.limitations))


def _own(journal: RunJournal, taken_over: dict[str, Any], state: PlanState, report: PlanReport | None) -> dict[str, Any]:
    """The verification's part of the receipt. The user's answers are stored before it is written."""
    _remember(state)
    told: dict[str, Any] = {
        "plan": state.request.plan if state.request else "",
        "repository": state.request.repository if state.request else "",
        "verdict": str(report.verdict) if report else "",
        "cache": taken_over,
    }
    if state.request and state.request.terms:
        cost = spent(recovery.paid_events(journal, VERIFY))
        figures = {"tokens": cost.tokens, "cost_usd": dollars(cost.micros).removeprefix("$")}
        told["models"] = {"team": state.request.terms.team, **figures}
    return told
