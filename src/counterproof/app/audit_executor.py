"""Carries out the audit's commands: surveys, loads, reconnoitres, asks, runs agents, writes the report."""

import asyncio
from collections.abc import Callable

from counterproof.agents.models.faults import ModelFailed, TimeIsOver
from counterproof.analysis.project import OutOfTime
from counterproof.app import loading
from counterproof.app.driving import MODEL_SHARE, store_report
from counterproof.app.jobs import AUDIT
from counterproof.app.model_team import Staff
from counterproof.app.pausing import paused
from counterproof.model.baseline import Baseline
from counterproof.model.contract import AgentTask
from counterproof.model.errors import CounterproofError, JournalError, ProviderPause, StorageError
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
from counterproof.runtime.driver import Paused
from counterproof.runtime.home import RunFolder
from counterproof.toolbox.threads import in_daemon_thread
from counterproof.toolbox.workspace import Workspace

MAX_CONCURRENT_AGENTS = 4


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
                await emit(ReportWritten(command.id, store_report(self._run, AUDIT, command.report)))

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
