"""Starting and resuming audits."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterproof import __version__, reports
from counterproof.agents.analysts.diver import EmbeddedDiver
from counterproof.agents.analysts.hunter import EmbeddedHunter
from counterproof.agents.analysts.validator import EmbeddedValidator
from counterproof.agents.analysts.verifier import EmbeddedHitVerifier
from counterproof.analysis import cache
from counterproof.analysis.source.survey import SurveyOptions
from counterproof.app import (
    audit_receipt,
    basis,
    leased,
    model_team,
    provisional,
    recorded_runs,
    recovery,
    setup,
    vulnerability_data,
)
from counterproof.app.audit_executor import STORED_FORMATS, AuditExecutor, missing_formats, stored_safely
from counterproof.app.audit_machine import AuditMachine
from counterproof.app.beginning import begun, first_journal
from counterproof.app.driving import restored_receipt
from counterproof.app.model_team import Staff
from counterproof.app.pausing import ProviderPaused
from counterproof.app.recovery import CAREFUL, Choices
from counterproof.model.baseline import Baseline
from counterproof.model.confinement import Confinement
from counterproof.model.contract import Role
from counterproof.model.errors import JournalError, StorageError, UserError
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.model.report import Report
from counterproof.model.text import real_name
from counterproof.ports import Agent, Human, Observer
from counterproof.protocols.audit import markers
from counterproof.protocols.audit.commands import WriteReport
from counterproof.protocols.audit.events import ReportWritten, Started, TimeUp
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import AuditState
from counterproof.runtime import crashpoints, lock
from counterproof.runtime.clock import WallClock
from counterproof.runtime.driver import Driver, Paused
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replaying import replay
from counterproof.runtime.replies import JournalReplies
from counterproof.supervision import progress
from counterproof.toolbox.sandbox import level
from counterproof.toolbox.workspace import Workspace

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk

SCAN_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command left a run. `hint` says how to go on when it paused; `provisional` is its report so far where a provider
    paused it."""

    run: RunFolder
    state: AuditState
    outcome: Outcome
    hint: str = ""
    provisional: Report | None = None


def start(
    request: AuditRequest,
    human: Human,
    observer: Observer,
    home: Home,
    desk: "Desk | None" = None,
    told: Callable[[str], None] | None = None,
) -> Finished:
    """A new audit. Bad input is refused before a run exists. `desk` is where a coding agent takes its tasks; `told` is given the
    run's id."""
    progress.limit(request.max_seconds)
    root = Path(real_name(request.target))
    if not root.exists():
        raise UserError(f"there is no {request.target}", "give the path of a folder that holds source code")
    if not root.is_dir():
        raise UserError(f"{request.target} is a file", "give the folder that holds it, with --include for one file")
    model_team.refuse_absent_host(request.terms, desk)
    run = begun(home, {"job": "audit", "target": request.target, "mode": request.mode.value})
    crashpoints.reached("run-created")
    if told:
        told(run.id)
    with lock.held(run):
        journal = first_journal(home, run)
        with contextlib.closing(journal):
            try:
                if journal.head[0]:  # begun by another worker of a fleet
                    return _gone_on(run, journal, request.target, human, observer, CAREFUL, desk)
                return _drive(run, journal, request, human, observer, AuditState(), desk)
            except UserError:
                home.remove(run)
                raise


def resume(run: RunFolder, human: Human, observer: Observer, choices: Choices = CAREFUL, desk: "Desk | None" = None) -> Finished:
    """Go on with a run that was paused, interrupted or killed."""
    with lock.held(run), contextlib.closing(recovery.opened(run, choices)) as journal:
        return _gone_on(run, journal, "", human, observer, choices, desk)


def _gone_on(
    run: RunFolder, journal: RunJournal, place: str, human: Human, observer: Observer, choices: Choices, desk: "Desk | None"
) -> Finished:
    """`place` is where the target lies now, if that may be elsewhere than where it lay."""
    ended = _ended(run, journal)
    if ended:
        return _copied(ended, journal)
    recovery.settle_changes(run, journal, choices, place)
    state: AuditState = replay(AuditMachine(), journal).state
    assert state.request is not None
    request = replace(state.request, target=place or state.request.target)
    vulnerability_data.refuse_changed(request)
    recorded_runs.refuse_changed(request)
    _tell_waiting_plan(state, observer)
    return _drive(run, journal, request, human, observer, state, desk, provisional.BY_USER if choices.without_models else "")


def _copied(finished: Finished, journal: RunJournal) -> Finished:
    """A run whose journal is kept elsewhere leaves a copy here when it has ended, for whoever reads it."""
    leased.copied(finished.run, journal)
    return finished


def _tell_waiting_plan(state: AuditState, observer: Observer) -> None:
    """A plan that still waits for its answer: whoever is asked again has to see it again."""
    if state.markers and isinstance(state.markers[-1], markers.PlanMarker):
        for each in state.markers:
            if isinstance(each, markers.ReconMarker | markers.PlanMarker):
                observer.narrate(markers.text(each))


def _ended(run: RunFolder, journal: RunJournal) -> Finished | None:
    """A run that has nothing left to do. Whatever it was killed before writing is written now."""
    try:
        before = replay(AuditMachine(), journal)
    except JournalError:
        return None  # another version decides differently; what changed is told in a moment
    state: AuditState = before.state
    if state.outcome is None or before.pending:
        return None
    report = before.commands.get("report")
    if isinstance(report, WriteReport) and missing_formats(run, state.digests):
        stored_safely(run, report.report)
    if not restored_receipt(run, journal):
        audit_receipt.write(run, journal, state, {})
    return Finished(run, state, state.outcome)


def _options(request: AuditRequest) -> SurveyOptions:
    return SurveyOptions(include=request.include, exclude=request.exclude, accept_unread=request.accept_unread)


def _drive(
    run: RunFolder,
    journal: RunJournal,
    request: AuditRequest,
    human: Human,
    observer: Observer,
    before: AuditState,
    desk: "Desk | None" = None,
    without: str = "",
) -> Finished:
    workspace = Workspace(Path(real_name(request.target)), _options(request), cache.results_in(Home().root / "results"))
    workspace.vulnerability_data = request.vulnerability_data
    if before.survey:
        workspace.adopt(before.survey)
    if before.recon:
        workspace.entry_points, workspace.recon = before.recon.entry_points, before.recon
    replies, paid = JournalReplies(journal), recovery.paid_events(journal)
    analysts = _analysts(request)
    if without:
        staff = model_team.absent(request.terms, analysts, workspace, without)
    else:
        staff = model_team.assemble(request.terms, analysts, workspace, replies, Home().root, paid, desk)
    model_team.tell_unpriced(staff.channels, staff.limit.tokens, observer)
    staff.recorded = request.recorded is not None
    executor = _executor(run, workspace, staff, human, observer, request)
    driver = Driver(AuditMachine(), journal, executor, observer)
    staff.planned = lambda: model_team.planned_agents(driver.state)
    try:
        asyncio.run(_staffed(staff, _with_deadline(driver, workspace, request)))
    except ProviderPaused as pause:
        left = _paused(run, driver.state, str(pause), pause.hint)
        why = provisional.reason(str(pause))
        alone = replace(model_team.absent(request.terms, analysts, workspace, why), recorded=staff.recorded)
        executor = _executor(run, workspace, alone, human, observer, request)
        return replace(left, provisional=_so_far(left, journal, executor, observer, workspace, request))
    except Paused as pause:
        return _paused(run, driver.state, str(pause), pause.hint)
    except StorageError as failure:
        return _paused(run, driver.state, str(failure), failure.hint)
    except KeyboardInterrupt:
        return _paused(run, driver.state, "interrupted", f"`counterproof resume {run.id}` goes on where it stopped")
    state: AuditState = driver.state
    assert state.outcome is not None
    crashpoints.reached("before-receipt")
    audit_receipt.write(run, journal, state, cache.receipt(workspace.results.store if workspace.results else None))
    return _copied(Finished(run, state, state.outcome), journal)


def _executor(
    run: RunFolder, workspace: Workspace, staff: Staff, human: Human, observer: Observer, request: AuditRequest
) -> AuditExecutor:
    scan, seconds = _scan(workspace, request), request.max_seconds or 0
    return AuditExecutor(run, workspace, staff, scan, human, observer, WallClock(), seconds)


def _so_far(
    left: Finished,
    journal: RunJournal,
    executor: AuditExecutor,
    observer: Observer,
    workspace: Workspace,
    request: AuditRequest,
) -> Report | None:
    """The provisional report of a run that a provider paused."""

    def mark(report: Report, sentence: str, outcome: Outcome) -> Report:
        return replace(report, banners=(sentence, *report.banners), outcome=outcome)

    def render(report: Report) -> dict[str, str]:
        return {reports.FILE_NAMES[name]: reports.render(report, name) for name in STORED_FORMATS}

    async def drive(driver: Driver) -> None:
        await _with_deadline(driver, workspace, request)

    how = provisional.Finish(AuditMachine(), executor, WriteReport, ReportWritten, drive, mark, render)
    done = provisional.finish(how, left.run, journal, observer, left.outcome, left.hint)
    return done[0] if done else None


async def _staffed(staff: Staff, work: Coroutine[Any, Any, None]) -> None:
    """Runs the work and lets the staff go, whatever came of it."""
    try:
        await work
    finally:
        await staff.close()


def embedded_team() -> dict[Role, Agent]:
    """The analysts that ship with the package, one for each role."""
    diver = EmbeddedDiver()
    return {
        Role.HUNTER: EmbeddedHunter(),
        Role.CHAIN_CHECKER: diver,
        Role.DEEP_DIVER: diver,
        Role.VALIDATOR: EmbeddedValidator(),
        Role.HIT_VERIFIER: EmbeddedHitVerifier(),
    }


def _analysts(request: AuditRequest) -> dict[Role, Agent]:
    """The embedded team; where the user gave recorded runs, these hunt with the analysts beside them."""
    team = embedded_team()
    return {**team, Role.HUNTER: recorded_runs.hunter(request.recorded)} if request.recorded else team


def _scan(workspace: Workspace, request: AuditRequest) -> Callable[[], Baseline]:
    """The baseline scan, with Semgrep from our own environment or from PATH, within the user's time limit."""

    def scan() -> Baseline:
        from counterproof.analysis import semgrep  # a quick audit has no baseline scan

        program = setup.program_for(Home(), workspace.root)
        seconds = min(SCAN_SECONDS, request.max_seconds or SCAN_SECONDS)
        return semgrep.scan(workspace.root, workspace.project.survey, program, timeout=float(seconds))

    return scan


async def _with_deadline(driver: Driver, workspace: Workspace, request: AuditRequest) -> None:
    start_event = Started(request, __version__, basis.present(), _confinement())

    async def ring() -> None:
        await asyncio.sleep(progress.left(request.max_seconds))
        workspace.ceiling.expire()
        await driver.emit(TimeUp(request.max_seconds, progress.over()))

    alarm = asyncio.create_task(ring()) if request.max_seconds or progress.over() else None
    try:
        await driver.run(start_event)
    finally:
        if alarm:
            alarm.cancel()


def _confinement() -> Confinement:
    in_force = level()
    return Confinement(tuple(in_force.active), tuple(in_force.missing))


def _paused(run: RunFolder, state: AuditState, why: str, hint: str) -> Finished:
    return Finished(run, state, Outcome((Reason(Exit.PAUSED, why),)), hint)
