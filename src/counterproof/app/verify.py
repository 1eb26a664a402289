"""Starting and resuming plan verifications. A verification is a run like an audit: journalled, locked, resumable, with a receipt.

Always: bad input is refused before a run exists, and a run never goes on with another plan or another tree than it began with.
"""

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterproof import __version__
from counterproof.analysis import cache
from counterproof.analysis.ceiling import Ceiling
from counterproof.analysis.git import NoHistory, open_history
from counterproof.analysis.plans.documents import Document, newest_plan, read_document
from counterproof.analysis.plans.understanding import understand
from counterproof.analysis.project import Project
from counterproof.analysis.review.changes import ends
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.app import plan_team, provisional, recovery
from counterproof.app.beginning import begun, first_journal
from counterproof.app.driving import Limit, Pause, delivered_files, drive, driven, noted, restored_receipt, write_receipt
from counterproof.app.model_team import ABSENT_HOST, tell_unpriced
from counterproof.app.recovery import CAREFUL, Choices
from counterproof.app.verify_executor import Answering, VerifyExecutor, stored
from counterproof.app.verify_machine import VerifyMachine
from counterproof.model.budget import dollars
from counterproof.model.errors import JournalError, UserError
from counterproof.model.plan.challenge import Question, Response
from counterproof.model.plan.contract import Tool
from counterproof.model.plan.report import PlanReport
from counterproof.model.receipt import Outcome
from counterproof.ports import Observer
from counterproof.protocols.plan.events import Event, PlanReportWritten, VerifyStarted, VerifyTimeUp, WritePlanReport
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.protocols.plan.state import PlanState
from counterproof.reports import plan as plan_reports
from counterproof.runtime import lock
from counterproof.runtime.driver import Driver
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replaying import course, replay
from counterproof.runtime.replies import JournalReplies
from counterproof.supervision import progress
from counterproof.toolbox.memory import Memory, Note
from counterproof.toolbox.plan_tools import PlanBench
from counterproof.toolbox.web import Web

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk

JOB = "verify"
MEMORY = "memory.sqlite"


@dataclass(frozen=True, slots=True)
class Verified:
    """How a command left a run. `report` is there once the run has one; `hint` says how to go on when it paused."""

    run: RunFolder
    outcome: Outcome
    report: PlanReport | None = None
    hint: str = ""


def named_plan(path: str, folder: Path) -> Path:
    """The plan that the user means: the one named, or the newest in the usual places (P1)."""
    return Path(path).absolute() if path else newest_plan(folder).absolute()


def start(
    request: VerifyRequest,
    user: Answering,
    observer: Observer,
    home: Home,
    told: Callable[[str], None] | None = None,
    desk: "Desk | None" = None,
) -> Verified:
    """A new verification; `told` is given the run's id; `desk` is where a coding agent takes part."""
    if desk is None and plan_team.hosted(request.terms):
        raise UserError(*ABSENT_HOST)
    progress.limit(request.max_seconds)
    document = read_document(Path(request.plan))
    project = _project(request)
    if request.diff:
        _refuse_unknown(project, request.diff)
    there = {Tool.MEMORY} if not _memory(str(project.root)).empty() else set[Tool]()
    there |= {Tool.WEB_SEARCH, Tool.WEB_FETCH} if request.web else set()
    request = replace(request, absent=tuple(tool for tool in request.absent if tool not in there))
    facts = {"job": JOB, "target": request.plan, "mode": JOB, "tree": project.survey.digest, "repository": request.repository}
    run = begun(home, facts)
    if told:
        told(run.id)
    with lock.held(run), contextlib.closing(first_journal(home, run)) as journal:
        return _drive(run, journal, request, _bench(document, project, request), user, observer, desk)


def _refuse_unknown(project: Project, change: str) -> None:
    """A change can be held against a plan where there is a history that has both of its ends."""
    with contextlib.ExitStack() as stack:
        history = open_history(project.root)
        if isinstance(history, NoHistory):
            raise UserError(f"--diff needs a git repository: {history.reason}", "give the top of one as --repo")
        ends(stack.enter_context(history), change)


def is_verification(run: RunFolder) -> bool:
    """Whether a run is a plan verification and not an audit or a review."""
    return noted(run).get("job") == JOB


def resume(
    run: RunFolder, user: Answering, observer: Observer, choices: Choices = CAREFUL, desk: "Desk | None" = None
) -> Verified:
    """Go on with a verification that was paused, interrupted or killed; tell how one ended."""
    facts = noted(run)
    if not is_verification(run):
        raise UserError(f"run {run.id} is not a plan verification", f"`counterproof resume {run.id}` goes on with it")
    with lock.held(run), contextlib.closing(recovery.opened(run, choices)) as journal:
        before = replay(VerifyMachine(), journal)
        state: PlanState = before.state
        if state.request is None:
            raise JournalError(f"run {run.id} was never started", "start it again")
        if state.outcome is not None:
            return _ended(run, journal, state)
        document = read_document(Path(state.request.plan))
        project = _project(state.request)
        bench = _bench(document, project, state.request)
        _refuse_changed(run, state, bench, str(facts.get("tree", "")))
        without = provisional.BY_USER if choices.without_models else ""
        return _drive(run, journal, state.request, bench, user, observer, desk, without)


def _refuse_changed(run: RunFolder, state: PlanState, bench: PlanBench, tree: str) -> None:
    if state.outline and state.outline.digest != bench.outline.digest:
        raise JournalError(f"the plan changed since run {run.id} began", "verify the new plan: `counterproof verify PLAN.md`")
    if tree and tree != bench.project.survey.digest:
        raise JournalError(f"the repository changed since run {run.id} began", "start the verification again")


def _project(request: VerifyRequest) -> Project:
    """The repository. A plan is held against names and files of any language, so none need be one that analysers read."""
    root = Path(request.repository)
    return Project(root, survey(root, SurveyOptions(documents=True)))


def _bench(document: Document, project: Project, request: VerifyRequest) -> PlanBench:
    results = cache.results_in(Home().root / "results")
    web = Web(request.web, plan_team.without_keys(os.environ)) if request.web else None
    outline = understand(str(document.path), document.text)
    return PlanBench(outline, document.text, project, results.store if results else None, _memory(str(project.root)), web)


def _memory(repository: str) -> Memory:
    """What the user decided in earlier verifications for the same repository."""
    return Memory(Home().root / MEMORY, repository)


def _remember(state: PlanState) -> None:
    """Keep the user's answers for the plans to come."""
    if state.request and state.outline and state.responses:
        claims = {each.id: each.claim for each in state.challenges}
        known = [each for each in state.responses if each.challenge_id in claims]
        _memory(state.request.repository).add(Note(state.outline.title, claims[each.challenge_id], each.text) for each in known)


def _drive(
    run: RunFolder,
    journal: RunJournal,
    request: VerifyRequest,
    bench: PlanBench,
    user: Answering,
    observer: Observer,
    desk: "Desk | None" = None,
    without: str = "",
) -> Verified:
    machine = VerifyMachine()
    if without:
        planners = plan_team.absent(request.terms, without)
    else:
        planners = plan_team.assemble(request.terms, JournalReplies(journal), Home().root, _events(journal), desk)
    driver = Driver(machine, journal, VerifyExecutor(run, bench, planners, user, observer, request.max_seconds), observer)
    ceiling = Ceiling()
    bench.project.checkpoint = ceiling.checkpoint
    tell_unpriced(planners.channels, request.terms.budget_tokens if request.terms else None, observer)
    limit = Limit(request.max_seconds, VerifyTimeUp(request.max_seconds, progress.over()), ceiling)
    again = f"counterproof verify --resume {run.id}"
    try:
        pause = driven(driver, VerifyStarted(request, __version__), limit, planners.close, again)
        if pause and pause.provider:
            alone = plan_team.absent(request.terms, provisional.reason(pause.why))
            executor = VerifyExecutor(run, bench, alone, _Unasked(), observer, request.max_seconds)
            return _so_far(run, journal, pause, executor, observer, limit)
    finally:
        bench.close()
    if pause:
        return Verified(run, pause.outcome, None, pause.hint)
    return _ended(run, journal, driver.state, cache.receipt(bench.store))


class _Unasked:
    """Nobody is asked for the sake of a provisional report."""

    def answers(self, iteration: int, questions: tuple[Question, ...]) -> tuple[Response, ...]:
        return ()


def _so_far(
    run: RunFolder, journal: RunJournal, pause: Pause, executor: VerifyExecutor, observer: Observer, limit: Limit
) -> Verified:
    """A run that a provider paused, with its provisional report."""

    async def drive_on(driver: Driver) -> None:
        await drive(driver, None, limit, plan_team.absent(None, "").close)

    def mark(report: PlanReport, sentence: str, _: Outcome) -> PlanReport:
        provisionally = f"Provisional: {report.sentence}"
        return replace(report, sentence=provisionally, next_step=f"{pause.hint}.", limitations=(sentence, *report.limitations))

    def render(report: PlanReport) -> dict[str, str]:
        return {file: plan_reports.render(report, name) for name, file in plan_reports.FILE_NAMES.items()}

    how = provisional.Finish(VerifyMachine(), executor, WritePlanReport, PlanReportWritten, drive_on, mark, render)
    report, outcome = provisional.finish(how, run, journal, observer, pause.outcome, pause.hint) or (None, pause.outcome)
    return Verified(run, outcome, report, pause.hint)


def _events(journal: RunJournal) -> list[Event]:
    """What has happened so far; models' replies in it were paid for."""
    machine = VerifyMachine()
    return [machine.decode(each.body) for each in course(journal).events]


def _ended(run: RunFolder, journal: RunJournal, state: PlanState, taken_over: dict[str, Any] | None = None) -> Verified:
    """The end of a run. Whatever it was killed before writing is written now."""
    command = replay(VerifyMachine(), journal).commands.get("write-report")
    report = command.report if isinstance(command, WritePlanReport) else None
    if report and any(not (run.path / name).is_file() for name in plan_reports.FILE_NAMES.values()):
        stored(run, report)
    outcome = state.outcome or Outcome(())
    if not restored_receipt(run, journal):
        _remember(state)
        own = {**_own(journal, state, report), "cache": taken_over or {}}
        write_receipt(run, journal, JOB, state.version, outcome, own)
    return Verified(run, outcome, report)


def _own(journal: RunJournal, state: PlanState, report: PlanReport | None) -> dict[str, Any]:
    """What a verification adds to its receipt."""
    told: dict[str, Any] = {
        "plan": state.request.plan if state.request else "",
        "repository": state.request.repository if state.request else "",
        "verdict": str(report.verdict) if report else "",
    }
    if state.request and state.request.terms:
        cost = plan_team.spent(_events(journal))
        spent = {"tokens": cost.tokens, "cost_usd": dollars(cost.micros).removeprefix("$")}
        told["models"] = {"team": state.request.terms.team, **spent}
    return told


def delivered(done: Verified, formats: tuple[str, ...], out: Path) -> tuple[Path, ...]:
    """Write the report (all formats unless narrowed) and the receipt into a folder."""
    report = done.report
    if report is None:
        return ()
    names = formats or plan_reports.FORMATS
    return delivered_files(done.run, {plan_reports.FILE_NAMES[name]: plan_reports.render(report, name) for name in names}, out)
