"""Starting and resuming audits."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from counterproof import __version__
from counterproof.agents.analysts.diver import EmbeddedDiver
from counterproof.agents.analysts.hunter import EmbeddedHunter
from counterproof.agents.analysts.validator import EmbeddedValidator
from counterproof.agents.analysts.verifier import EmbeddedHitVerifier
from counterproof.analysis import semgrep
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.app import setup
from counterproof.app.audit_executor import AuditExecutor, write_whole
from counterproof.app.audit_machine import AuditMachine
from counterproof.model.baseline import Baseline
from counterproof.model.contract import Role
from counterproof.model.errors import JournalError, UserError
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.ports import Agent, Human, Observer
from counterproof.protocols.audit.events import Started, TimeUp
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.state import AuditState
from counterproof.runtime import lock
from counterproof.runtime.clock import WallClock
from counterproof.runtime.driver import Driver, Paused, replay
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.toolbox.workspace import Workspace

SCAN_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command left a run. `hint` says how to go on when it paused."""

    run: RunFolder
    state: AuditState
    outcome: Outcome
    hint: str = ""


def start(request: AuditRequest, human: Human, observer: Observer, home: Home) -> Finished:
    """A new audit. Bad input is refused before a run exists."""
    root = Path(request.target)
    if not root.exists():
        raise UserError(f"there is no {request.target}", "give the path of a folder that holds source code")
    if not root.is_dir():
        raise UserError(f"{request.target} is a file", "give the folder that holds it, with --include for one file")
    run = home.create()
    write_whole(run.path / "request.json", json.dumps({"job": "audit", "target": request.target, "mode": request.mode.value}))
    with lock.held(run):
        journal = SqliteJournal.create(run, WallClock())
        with contextlib.closing(journal):
            try:
                return _drive(run, journal, request, human, observer, AuditState())
            except UserError:
                home.remove(run)
                raise


def resume(run: RunFolder, human: Human, observer: Observer) -> Finished:
    """Go on with a run that was paused, interrupted or killed."""
    with lock.held(run), contextlib.closing(SqliteJournal(run, WallClock())) as journal:
        before = replay(AuditMachine(), journal)
        if before.events == 0:
            raise JournalError(f"run {run.id} never started", "start the audit again")
        state: AuditState = before.state
        if state.version != __version__:
            raise JournalError(
                f"run {run.id} was started by version {state.version}, this is {__version__}",
                "resume it with that version, or start the audit again",
            )
        assert state.request is not None
        if state.outcome is not None and not before.pending:
            return Finished(run, state, state.outcome)
        _refuse_changed_target(run, state)
        return _drive(run, journal, state.request, human, observer, state)


def _refuse_changed_target(run: RunFolder, state: AuditState) -> None:
    if state.survey is None or state.request is None or state.outcome is not None:
        return
    now = survey(Path(state.request.target), _options(state.request))
    if now.digest != state.survey.digest:
        raise JournalError(
            f"the code changed since run {run.id} began", "start the audit again; findings on the old code would be wrong"
        )


def _options(request: AuditRequest) -> SurveyOptions:
    return SurveyOptions(include=request.include, exclude=request.exclude)


def _drive(
    run: RunFolder, journal: SqliteJournal, request: AuditRequest, human: Human, observer: Observer, before: AuditState
) -> Finished:
    workspace = Workspace(Path(request.target), _options(request))
    if before.survey:
        workspace.adopt(before.survey)
    if before.recon:
        workspace.entry_points = before.recon.entry_points
    executor = AuditExecutor(run, workspace, embedded_team(), _scan(workspace, request), human, observer, WallClock())
    driver = Driver(AuditMachine(), journal, executor, observer)
    try:
        asyncio.run(_with_deadline(driver, workspace, request))
    except Paused as pause:
        return _paused(run, driver.state, str(pause), pause.hint)
    except KeyboardInterrupt:
        return _paused(run, driver.state, "interrupted", f"`counterproof resume {run.id}` goes on where it stopped")
    state: AuditState = driver.state
    assert state.outcome is not None
    _write_receipt(run, journal, state)
    return Finished(run, state, state.outcome)


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


def _scan(workspace: Workspace, request: AuditRequest) -> Callable[[], Baseline]:
    """The baseline scan, with Semgrep from our own environment or from PATH, within the user's time limit."""

    def scan() -> Baseline:
        program = setup.program_for(Home(), workspace.root)
        seconds = min(SCAN_SECONDS, request.max_seconds or SCAN_SECONDS)
        return semgrep.scan(workspace.root, workspace.project.survey, program, timeout=float(seconds))

    return scan


async def _with_deadline(driver: Driver, workspace: Workspace, request: AuditRequest) -> None:
    start_event = Started(request, __version__)
    if not request.max_seconds:
        await driver.run(start_event)
        return

    async def ring() -> None:
        await asyncio.sleep(request.max_seconds)
        workspace.expire()
        await driver.emit(TimeUp(request.max_seconds))

    alarm = asyncio.create_task(ring())
    try:
        await driver.run(start_event)
    finally:
        alarm.cancel()


def _paused(run: RunFolder, state: AuditState, why: str, hint: str) -> Finished:
    return Finished(run, state, Outcome((Reason(Exit.PAUSED, why),)), hint)


def _write_receipt(run: RunFolder, journal: SqliteJournal, state: AuditState) -> None:
    """The machine-readable end of a run: times and ids stand here, not in the report (A51)."""
    times = [entry.at for entry in journal.entries()]
    outcome = state.outcome or Outcome(())
    seq, head = journal.head
    receipt = {
        "run": run.id,
        "version": state.version,
        "target": state.request.target if state.request else "",
        "mode": state.mode.value if state.mode else "",
        "started": times[0],
        "ended": times[-1],
        "exit_code": int(outcome.exit),
        "exit": outcome.exit.name.lower(),
        "reasons": [{"code": int(reason.code), "text": reason.text} for reason in outcome.reasons],
        "report": dict(state.digests),
        "tokens": 0,
        "cost_usd": "0.00",
        "journal": {"entries": seq, "head": head},
    }
    write_whole(run.path / "receipt.json", json.dumps(receipt, indent=2, sort_keys=True) + "\n")
