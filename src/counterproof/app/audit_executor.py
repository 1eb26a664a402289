"""Carries out the audit's commands: surveys, loads, reconnoitres, asks, runs agents, writes the report."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from counterproof import reports
from counterproof.agents.models.faults import ModelFailed, TimeIsOver
from counterproof.analysis.project import OutOfTime
from counterproof.app import loading
from counterproof.app.model_team import Staff
from counterproof.app.pausing import paused
from counterproof.model.baseline import Baseline
from counterproof.model.canonical import digest
from counterproof.model.contract import AgentTask
from counterproof.model.errors import CounterproofError, JournalError, ProviderPause, StorageError
from counterproof.model.report import Report
from counterproof.ports import Clock, Emit, Human, Observer
from counterproof.protocols.audit.commands import (
    AskPlan,
    Command,
    LoadDocuments,
    Reconnoitre,
    RunAgent,
    RunBaseline,
    SurveyTarget,
    WriteReport,
)
from counterproof.protocols.audit.events import (
    Ack,
    AgentFailed,
    AgentFinished,
    AgentStarted,
    BaselineFinished,
    DocumentsLoaded,
    PlanAnswered,
    ReconReported,
    ReportWritten,
    Surveyed,
    TimeUp,
)
from counterproof.runtime.crashpoints import reached
from counterproof.runtime.driver import Paused
from counterproof.runtime.home import RunFolder
from counterproof.toolbox.threads import in_daemon_thread
from counterproof.toolbox.workspace import Workspace

MAX_CONCURRENT_AGENTS = 4
MODEL_SHARE = 0.6
"""Of the time that the user set. What models have not done by then they did not do, and analysts have the rest (A52)."""
STORED_FORMATS = ("markdown", "appendix", "html", "json", "sarif")


class AuditExecutor:
    """Everything an audit does to the world happens here. `scan` runs the baseline; `staff` plays each role."""

    def __init__(
        self,
        run: RunFolder,
        workspace: Workspace,
        staff: Staff,
        scan: Callable[[], Baseline],
        human: Human,
        observer: Observer,
        clock: Clock,
        seconds: int = 0,
    ) -> None:
        self._run = run
        self._workspace = workspace
        self._staff = staff
        staff.tell = observer.progress
        self._scan = scan
        self._human = human
        self._observer = observer
        self._clock = clock
        self._places = {modelled: asyncio.Semaphore(MAX_CONCURRENT_AGENTS) for modelled in (False, True)}
        self._model_seconds = seconds * MODEL_SHARE or None
        self._models_until: float | None = None

    async def execute(self, command: Command, emit: Emit) -> None:
        if self._model_seconds and self._models_until is None:
            self._models_until = asyncio.get_running_loop().time() + self._model_seconds
        match command:
            case SurveyTarget():
                self._observer.progress("survey", "counting files and lines")
                await emit(Surveyed(command.id, await in_daemon_thread(self._workspace.take_survey)))
            case LoadDocuments():
                await emit(DocumentsLoaded(command.id, loading.loaded(command.names)))
            case Reconnoitre():
                await self._reconnoitre(command, emit)
            case AskPlan():
                await self._ask(command, emit)
            case RunAgent():
                await self._run_agent(command.task, emit)
            case RunBaseline():
                self._observer.progress("baseline", "Semgrep scan")
                found = await in_daemon_thread(self._scan)
                self._observer.progress("baseline", "")
                await emit(BaselineFinished(command.id, found))
            case WriteReport():
                self._observer.progress("report", "writing")
                await emit(ReportWritten(command.id, stored_safely(self._run, command.report)))

    async def _reconnoitre(self, command: Reconnoitre, emit: Emit) -> None:
        self._observer.progress("recon", command.method)
        try:
            recon = await in_daemon_thread(lambda: self._workspace.take_recon(command.attempt))
        except OutOfTime as error:
            if self._workspace.ceiling.memory():
                await emit(TimeUp(0, str(error)))
            return  # the clock's own event ends the run
        self._workspace.entry_points, self._workspace.recon = recon.entry_points, recon
        await emit(ReconReported(command.id, recon))

    async def _ask(self, command: AskPlan, emit: Emit) -> None:
        word = await self._human.confirm("Go on with this plan?")
        if word is None:
            raise Paused(
                "the plan waits for your confirmation",
                f"`counterproof resume {self._run.id} --yes` confirms it and goes on",
            )
        await emit(PlanAnswered(command.id, Ack.CONFIRMED if word else Ack.NOT_CONFIRMED))

    async def _run_agent(self, task: AgentTask, emit: Emit) -> None:
        """A failing agent is an event, whatever it raised; only our own cancellation passes through."""
        async with self._places[bool(task.model)]:
            self._observer.progress(task.agent_id, f"{'+'.join(task.dimensions)} in {'/'.join(task.languages)}")
            await emit(AgentStarted(task.id, self._clock.now()))
            toolbox = self._staff.toolbox(task)
            try:
                async with asyncio.timeout_at(self._models_until if task.model else None):
                    reply = await self._staff.agent(task).run(task, toolbox)
                citations = await in_daemon_thread(lambda: toolbox.citations(reply))
                checks = await in_daemon_thread(lambda: toolbox.checks(reply))
            except ProviderPause as pause:
                raise paused(pause, f"counterproof resume {self._run.id}") from pause
            except (StorageError, JournalError):
                raise  # the run's own disk failed, not the agent
            except TimeoutError:
                over = str(TimeIsOver()) if task.model else "it timed out"
                await emit(self._failure(task, over))
            except CounterproofError as error:
                await emit(self._failure(task, str(error), isinstance(error, ModelFailed) and error.unidentified))
            except Exception as error:
                await emit(self._failure(task, f"{type(error).__name__}: {error}"[:500]))
            else:
                cost = self._staff.cost_of(task)
                await emit(AgentFinished(task.id, self._clock.now(), reply, toolbox.ledger(), citations, cost, checks))
            finally:
                self._observer.progress(task.agent_id, "")

    def _failure(self, task: AgentTask, reason: str, unidentified: bool = False) -> AgentFailed:
        return AgentFailed(task.id, self._clock.now(), reason, unidentified, self._staff.cost_of(task))


def store(run: RunFolder, report: Report) -> tuple[tuple[str, str], ...]:
    """Write every format into the run's folder, each file whole or not at all; returns (format, sha256) pairs."""
    pairs: list[tuple[str, str]] = []
    for name in STORED_FORMATS:
        text = reports.render(report, name)
        write_whole(run.path / reports.FILE_NAMES[name], text)
        reached("mid-report")
        pairs.append((name, digest(text)))
    return tuple(pairs)


def missing_formats(run: RunFolder, digests: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The formats of a stored report whose files are gone."""
    return tuple(name for name, _ in digests if not (run.path / reports.FILE_NAMES[name]).is_file())


def stored_safely(run: RunFolder, report: Report) -> tuple[tuple[str, str], ...]:
    """The same; a disk that fails pauses the run instead of ending it."""
    try:
        return store(run, report)
    except OSError as error:
        raise StorageError(
            f"the report of run {run.id} could not be written: {error.strerror}",
            f"free disk space or mend the disk, then `counterproof resume {run.id}`; nothing is lost",
        ) from error


def write_whole(path: Path, text: str) -> None:
    """Replace a file in one step, synced, readable by the user alone."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
