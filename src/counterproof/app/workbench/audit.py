"""Executes the audit's commands: surveys, loads documents, reconnoitres, asks the user, scans, gives tasks to agents."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterproof.analysis.project import OutOfTime
from counterproof.analysis.source.survey import idle_globs
from counterproof.app import loading, setup
from counterproof.app.driving import Failed, attempted
from counterproof.app.executor import Shift
from counterproof.app.team import Staff
from counterproof.knowledge import modules
from counterproof.model.baseline import Baseline
from counterproof.model.contract import AgentReply, AgentTask, Role
from counterproof.ports import Agent, Clock, Emit, Human, Toolbox
from counterproof.protocols.audit.commands import AskPlan, Command, LoadDocuments, Reconnoitre, RunBaseline, SurveyTarget
from counterproof.protocols.audit.events import (
    Ack,
    AgentFailed,
    AgentFinished,
    AgentStarted,
    BaselineFinished,
    DocumentsLoaded,
    PlanAnswered,
    ReconReported,
    Surveyed,
    TimeUp,
)
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.state import AuditState
from counterproof.protocols.guard.citations import Checks, Citation
from counterproof.runtime.clock import WallClock
from counterproof.runtime.driver import Paused
from counterproof.runtime.home import Home
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.threads import in_daemon_thread
from counterproof.toolbox.workspace import Workspace

if TYPE_CHECKING:
    from counterproof.toolbox.bench import Bench

SCAN_SECONDS = 300


class AuditWorkbench:
    """`analysts` play every role; `recorded`: runs of other agents also hunt. `scan` runs the baseline."""

    concurrent = 4

    def __init__(
        self,
        workspace: Workspace,
        analysts: Mapping[Role, Agent],
        human: Human,
        scan: Callable[[], Baseline],
        recorded: bool = False,
        knowledge: tuple[modules.KnowledgeModule, ...] = (),
        clock: Clock | None = None,
    ) -> None:
        self._workspace = workspace
        self._analysts = analysts
        self._human = human
        self._scan = scan
        self._recorded = recorded
        self._knowledge = knowledge
        self._clock = clock or WallClock()
        self._bench: Bench | None = None

    def close(self) -> None:
        if self._bench:
            self._bench.close()

    async def act(self, command: Command, emit: Emit, shift: Shift) -> None:
        match command:
            case SurveyTarget():
                shift.observer.progress("survey", "counting files and lines")
                taken = await in_daemon_thread(self._workspace.take_survey)
                for note in idle_globs(taken):
                    shift.observer.narrate(note)
                await emit(Surveyed(command.id, taken))
            case LoadDocuments():
                await emit(DocumentsLoaded(command.id, loading.loaded(command.names)))
            case Reconnoitre():
                await self._reconnoitre(command, emit, shift)
            case AskPlan():
                await self._ask(command, emit, shift)
            case RunBaseline():
                shift.observer.progress("baseline", "Semgrep scan")
                found = await in_daemon_thread(self._scan)
                shift.observer.progress("baseline", "")
                await emit(BaselineFinished(command.id, found))
            case _:
                raise TypeError(f"no such command: {type(command).__name__}")

    async def _reconnoitre(self, command: Reconnoitre, emit: Emit, shift: Shift) -> None:
        shift.observer.progress("recon", command.method)
        try:
            recon = await in_daemon_thread(lambda: self._workspace.take_recon(command.attempt))
            made = await in_daemon_thread(self._workspace.take_map)
        except OutOfTime as error:
            if self._workspace.ceiling.memory():
                await emit(TimeUp(0, str(error)))
            return  # the time limit's own event ends the run
        self._workspace.entry_points, self._workspace.recon = recon.entry_points, recon
        await emit(ReconReported(command.id, recon, made))

    async def _ask(self, command: AskPlan, emit: Emit, shift: Shift) -> None:
        word = await self._human.confirm("\n".join((*command.plan.modes, "Go on with this plan?")))
        if word is None:
            raise Paused("the plan needs your confirmation", f"`{shift.again} --yes` confirms it and continues")
        await emit(PlanAnswered(command.id, Ack.CONFIRMED if word else Ack.NOT_CONFIRMED))

    def describe(self, task: AgentTask) -> tuple[str, str]:
        return task.agent_id, f"{'+'.join(task.dimensions)} in {'/'.join(task.languages)}"

    def is_modelled(self, task: AgentTask, staff: Staff) -> bool:
        """True if the task names a model; an analyst's task is always done by an analyst (A52)."""
        return bool(task.model)

    async def work(self, task: AgentTask, emit: Emit, shift: Shift) -> None:
        await emit(AgentStarted(task.id, self._clock.now()))
        tools, agent = self._tools(task, shift.staff), self._agent(task, shift.staff)
        work = answered(task, agent, tools)
        done = await attempted(shift.time.within(work) if task.model else work, shift.again)
        cost, now = shift.staff.cost_of(task.id), self._clock.now()
        if isinstance(done, Failed):
            await emit(AgentFailed(task.id, now, done.reason, done.unidentified, cost))
        else:
            reply, citations, checks = done
            await emit(AgentFinished(task.id, now, reply, tools.ledger(), citations, cost, checks))

    def _agent(self, task: AgentTask, staff: Staff) -> Agent:
        """The agent of the task: the model that it names, or the analyst of its role."""
        if not task.model:
            return self._analysts[task.role]
        from counterproof.agents.models.audit import AuditDialogue

        agent: Any = staff.agent(task.model, lambda: AuditDialogue(staff.share), lambda each: each.role.value)
        return agent

    def _tools(self, task: AgentTask, staff: Staff) -> Toolbox:
        """The toolbox for the task's kind of agent."""
        if not task.model:
            return analyst_tools(self._workspace, task, self._recorded)
        from counterproof.toolbox.bench import Bench
        from counterproof.toolbox.witnessed import WitnessedTools

        workspace = self._workspace
        if self._bench is None:
            staff.share_out()
            self._bench = Bench(workspace.project, workspace.entry_points, turn=workspace.turn)
        return WitnessedTools(workspace, self._bench, task, workspace.recon, self._knowledge)


def analyst_tools(workspace: Workspace, task: AgentTask, recorded: bool) -> Toolbox:
    """The toolbox of an embedded analyst, or of recorded runs that hunt."""
    if recorded and task.role is Role.HUNTER:
        from counterproof.toolbox.recorded import RecordedTools

        return RecordedTools(workspace, task)
    return RecordingToolbox(workspace, task)


async def answered(task: AgentTask, agent: Agent, tools: Toolbox) -> tuple[AgentReply, tuple[Citation, ...], Checks]:
    """An agent's reply, with the citations and checks of the engine."""
    reply = await agent.run(task, tools)
    citations = await in_daemon_thread(lambda: tools.citations(reply))
    return reply, citations, await in_daemon_thread(lambda: tools.checks(reply))


def baseline_scan(workspace: Workspace, seconds: int) -> Callable[[], Baseline]:
    """The baseline scan, with Semgrep from our own environment or from PATH, within the user's time limit."""

    def scan() -> Baseline:
        from counterproof.analysis import semgrep  # a quick audit has no baseline scan

        program = setup.program_for(Home(), Path(workspace.root))
        limit = min(SCAN_SECONDS, seconds or SCAN_SECONDS)
        return semgrep.scan(workspace.root, workspace.project.survey, program, timeout=float(limit))

    return scan


def planned_agents(state: AuditState) -> int:
    """The plan's hunters and, if phases 3 and 4 run, a diver and a validator."""
    hunters = sum(bool(task.model) for task in state.plan.tasks) if state.plan else 1
    return hunters + (2 if state.mode is not Mode.QUICK else 0)
