"""Starting and resuming audits."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterproof import __version__
from counterproof.agents.analysts.diver import EmbeddedDiver
from counterproof.agents.analysts.hunter import EmbeddedHunter
from counterproof.agents.analysts.validator import EmbeddedValidator
from counterproof.agents.analysts.verifier import EmbeddedHitVerifier
from counterproof.analysis import cache
from counterproof.analysis.source.survey import SurveyOptions
from counterproof.app import (
    audit_receipt,
    basis,
    model_team,
    provisional,
    recorded_runs,
    recovery,
    setup,
    vulnerability_data,
)
from counterproof.app.audit_executor import AuditExecutor
from counterproof.app.beginning import begun, first_journal
from counterproof.app.delivery import Ended
from counterproof.app.driving import Limit, driven, finished, so_far
from counterproof.app.jobs import AUDIT
from counterproof.app.machines import audit_machine
from counterproof.app.model_team import Staff
from counterproof.app.recovery import CAREFUL, Choices
from counterproof.model.baseline import Baseline
from counterproof.model.confinement import Confinement
from counterproof.model.contract import Role
from counterproof.model.errors import UserError
from counterproof.model.receipt import Outcome
from counterproof.model.report import Report
from counterproof.model.text import real_name
from counterproof.ports import Agent, Human, Observer
from counterproof.protocols.audit import markers
from counterproof.protocols.audit.events import Started, TimeUp
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import AuditState
from counterproof.runtime import crashpoints, lock
from counterproof.runtime.clock import WallClock
from counterproof.runtime.driver import Driver
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


def start(
    request: AuditRequest,
    human: Human,
    observer: Observer,
    home: Home,
    desk: "Desk | None" = None,
    told: Callable[[str], None] | None = None,
) -> Ended:
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


def resume(run: RunFolder, human: Human, observer: Observer, choices: Choices = CAREFUL, desk: "Desk | None" = None) -> Ended:
    """Go on with a run that was paused, interrupted or killed."""
    with lock.held(run), contextlib.closing(recovery.opened(run, choices)) as journal:
        return _gone_on(run, journal, "", human, observer, choices, desk)


def _gone_on(
    run: RunFolder, journal: RunJournal, place: str, human: Human, observer: Observer, choices: Choices, desk: "Desk | None"
) -> Ended:
    """`place` is where the target lies now, if that may be elsewhere than where it lay."""
    if ended := finished(run, AUDIT, journal, partial(_own, journal, {})):
        return ended
    recovery.settle_changes(run, journal, choices, place)
    state: AuditState = replay(audit_machine(), journal).state
    assert state.request is not None
    request = replace(state.request, target=place or state.request.target)
    vulnerability_data.refuse_changed(request)
    recorded_runs.refuse_changed(request)
    _tell_waiting_plan(state, observer)
    return _drive(run, journal, request, human, observer, state, desk, provisional.BY_USER if choices.without_models else "")


def _tell_waiting_plan(state: AuditState, observer: Observer) -> None:
    """A plan that still waits for its answer: whoever is asked again has to see it again."""
    if state.markers and isinstance(state.markers[-1], markers.PlanMarker):
        for each in state.markers:
            if isinstance(each, markers.ReconMarker | markers.PlanMarker):
                observer.narrate(markers.text(each))


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
) -> Ended:
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
    driver = Driver(audit_machine(), journal, executor, observer)
    staff.planned = lambda: model_team.planned_agents(driver.state)
    limit = Limit(request.max_seconds, TimeUp, workspace.ceiling)
    start_event = Started(request, __version__, basis.present(), _confinement())
    pause = driven(driver, start_event, limit, staff.close, f"counterproof resume {run.id}")
    if pause and pause.provider:
        why = provisional.reason(pause.why)
        alone = replace(model_team.absent(request.terms, analysts, workspace, why), recorded=staff.recorded)
        executor = _executor(run, workspace, alone, human, observer, request)
        return so_far(run, AUDIT, journal, pause, executor, observer, limit, _mark)
    if pause:
        return Ended(run, AUDIT, pause.outcome, pause.hint, state=driver.state)
    store = workspace.results.store if workspace.results else None
    ended = finished(run, AUDIT, journal, partial(_own, journal, cache.receipt(store)))
    assert ended
    return ended


def _own(journal: RunJournal, taken_over: dict[str, Any], state: AuditState, _: Report | None) -> dict[str, Any]:
    return audit_receipt.own(journal, taken_over, state)


def _mark(report: Report, sentence: str, outcome: Outcome) -> Report:
    """A provisional report."""
    return replace(report, banners=(sentence, *report.banners), outcome=outcome)


def _executor(
    run: RunFolder, workspace: Workspace, staff: Staff, human: Human, observer: Observer, request: AuditRequest
) -> AuditExecutor:
    scan, seconds = _scan(workspace, request), request.max_seconds or 0
    return AuditExecutor(run, workspace, staff, scan, human, observer, WallClock(), seconds)


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


def _confinement() -> Confinement:
    in_force = level()
    return Confinement(tuple(in_force.active), tuple(in_force.missing))
