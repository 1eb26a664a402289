"""Starting and resuming audits."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterproof import __version__
from counterproof.agents.analysts import ANALYSTS
from counterproof.analysis import cache
from counterproof.analysis.source.survey import SurveyOptions
from counterproof.app import audit_receipt, basis, recorded_runs, recovery, vulnerability_data
from counterproof.app import run as run_stack
from counterproof.app.delivery import Ended
from counterproof.app.jobs import AUDIT
from counterproof.app.machines import audit_machine
from counterproof.app.recovery import CAREFUL, Choices
from counterproof.app.run import Onward, Setup, begin
from counterproof.app.team import AUDIT_SEATS, refuse_absent_host
from counterproof.app.workbench.audit import AuditWorkbench, baseline_scan, planned_agents
from counterproof.knowledge import modules
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
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replaying import replay
from counterproof.supervision import progress
from counterproof.toolbox.sandbox import level
from counterproof.toolbox.workspace import Workspace

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk


def start(
    request: AuditRequest,
    human: Human,
    observer: Observer,
    home: Home,
    desk: "Desk | None" = None,
    told: Callable[[str], None] | None = None,
) -> Ended:
    """Start a new audit. Bad input is rejected before a run exists. `desk` is where a coding agent takes its tasks; `told`
    receives the run's id."""
    progress.limit(request.max_seconds)
    root = Path(real_name(request.target))
    if not root.exists():
        raise UserError(f"there is no {request.target}", "give the path of a folder that holds source code")
    if not root.is_dir():
        raise UserError(f"{request.target} is a file", "give the folder that holds it, with --include for one file")
    refuse_absent_host(AUDIT_SEATS, request.terms, desk)
    facts = {"job": "audit", "target": request.target, "mode": request.mode.value}
    onward = _onward(human, observer, CAREFUL, request.target)
    return begin(home, facts, told, _setup(request, human, AuditState()), observer, desk, onward)


def resume(run: RunFolder, human: Human, observer: Observer, choices: Choices = CAREFUL, desk: "Desk | None" = None) -> Ended:
    """Continue a run that was paused, interrupted or killed."""
    return run_stack.resume(run, AUDIT, _own, _onward(human, observer, choices), observer, choices, desk)


def _onward(human: Human, observer: Observer, choices: Choices, place: str = "") -> Onward:
    """`place` is the current location of the target, if it may have moved."""

    def onward(run: RunFolder, journal: RunJournal) -> Setup:
        recovery.settle_changes(run, journal, choices, place)
        state: AuditState = replay(audit_machine(), journal).state
        assert state.request is not None
        request = replace(state.request, target=place or state.request.target)
        vulnerability_data.refuse_changed(request)
        recorded_runs.refuse_changed(request)
        _tell_waiting_plan(state, observer)
        return _setup(request, human, state)

    return onward


def _tell_waiting_plan(state: AuditState, observer: Observer) -> None:
    """Show a plan that still waits for confirmation again."""
    if state.markers and state.markers[-1].kind == "plan":
        for each in state.markers:
            if each.kind in ("recon", "plan"):
                observer.narrate(markers.text(each))


def _options(request: AuditRequest) -> SurveyOptions:
    return SurveyOptions(include=request.include, exclude=request.exclude, accept_unread=request.accept_unread)


def _setup(request: AuditRequest, human: Human, before: AuditState) -> Setup:
    workspace = Workspace(Path(real_name(request.target)), _options(request), cache.results_in(Home().root / "results"))
    workspace.vulnerability_data = request.vulnerability_data
    if before.survey:
        workspace.adopt(before.survey)
    if before.recon:
        workspace.entry_points, workspace.recon = before.recon.entry_points, before.recon
    team, scan = analysts(request), baseline_scan(workspace, request.max_seconds)
    documents = (*modules.shipped(), *modules.of_user()) if request.models else ()
    return Setup(
        AUDIT,
        Started(request, __version__, basis.present(), _confinement()),
        TimeUp,
        request.max_seconds,
        workspace.ceiling,
        lambda _: AuditWorkbench(workspace, team, human, scan, request.recorded is not None, documents),
        _own,
        _mark,
        AUDIT_SEATS,
        request.terms,
        workspace.results.store if workspace.results else None,
        planned=planned_agents,
    )


def _own(journal: RunJournal, taken_over: dict[str, Any], state: AuditState, _: Report | None) -> dict[str, Any]:
    return audit_receipt.own(journal, taken_over, state)


def _mark(_: str, report: Report, sentence: str, outcome: Outcome) -> Report:
    """Build a provisional report."""
    return replace(report, banners=(sentence, *report.banners), outcome=outcome)


def analysts(request: AuditRequest) -> dict[Role, Agent]:
    """The embedded team; if the user gave recorded runs, they hunt together with the analysts."""
    return {**ANALYSTS, Role.HUNTER: recorded_runs.hunter(request.recorded)} if request.recorded else {**ANALYSTS}


def _confinement() -> Confinement:
    in_force = level()
    return Confinement(tuple(in_force.active), tuple(in_force.missing))
