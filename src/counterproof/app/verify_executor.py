"""Carries out the commands of a plan verification: reads the plan, runs agents, asks the user, writes the report."""

import asyncio
from typing import Protocol

from counterproof.app.audit_executor import write_whole
from counterproof.app.plan_team import Planners
from counterproof.model.canonical import digest
from counterproof.model.errors import CounterproofError, JournalError, ProviderPause, StorageError
from counterproof.model.plan.challenge import Question, Response
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.model.plan.report import PlanReport
from counterproof.ports import Emit, Observer
from counterproof.protocols.plan.events import (
    AskUser,
    Command,
    PlanRead,
    PlanReportWritten,
    ReadPlan,
    RunTask,
    TaskDone,
    TaskFailed,
    UserAnswered,
    WritePlanReport,
)
from counterproof.reports import plan as plan_reports
from counterproof.runtime.driver import Paused
from counterproof.runtime.home import RunFolder
from counterproof.toolbox.plan_tools import PlanBench, PlanTools
from counterproof.toolbox.threads import in_daemon_thread


class Answering(Protocol):
    """The user. Returns their answers, or None when nobody can be asked now: then the run pauses (P13)."""

    def answers(self, iteration: int, questions: tuple[Question, ...]) -> tuple[Response, ...] | None: ...


class VerifyExecutor:
    """Everything that a verification does to the world happens here. Embedded agents take turns: they share what was parsed."""

    def __init__(self, run: RunFolder, bench: PlanBench, agents: Planners, user: Answering, observer: Observer) -> None:
        self._run = run
        self._bench = bench
        self._agents = agents
        self._user = user
        self._observer = observer
        self._turn = asyncio.Lock()

    async def execute(self, command: Command, emit: Emit) -> None:
        match command:
            case ReadPlan():
                await emit(PlanRead(command.id, self._bench.outline))
            case RunTask():
                await self._run_task(command.task, emit)
            case AskUser():
                await self._ask(command, emit)
            case WritePlanReport():
                self._observer.progress("report", "writing")
                await emit(PlanReportWritten(command.id, stored(self._run, command.report)))

    async def _run_task(self, task: PlanTask, emit: Emit) -> None:
        """A failing agent is an event, whatever it raised; only our own cancellation passes through."""
        self._observer.progress(task.agent_id, task.role.value)
        tools = PlanTools(self._bench, task)
        try:
            reply = await self._replied(task, tools)
            async with self._turn:
                checks = await in_daemon_thread(lambda: tools.checks(reply))
        except ProviderPause as pause:
            raise self._pause(pause) from pause
        except (StorageError, JournalError):
            raise  # the run's own disk failed, not the agent
        except CounterproofError as error:
            await emit(TaskFailed(task.id, str(error)[:500], self._agents.cost_of(task.id)))
        except Exception as error:
            await emit(TaskFailed(task.id, f"{type(error).__name__}: {error}"[:500], self._agents.cost_of(task.id)))
        else:
            await emit(TaskDone(task.id, reply, tools.used(), checks, self._agents.cost_of(task.id)))

    async def _replied(self, task: PlanTask, tools: PlanTools) -> PlanReply:
        model = self._agents.models.get(task.role)
        if model:
            return await model.run(task, tools, self._turn)
        async with self._turn:
            return await in_daemon_thread(lambda: self._agents.embedded[task.role].work(task, tools))

    def _pause(self, pause: ProviderPause) -> Paused:
        how = f"`counterproof verify --resume {self._run.id}` goes on; it asks only what has no stored reply"
        return Paused(str(pause), f"{pause.hint}; then {how}" if pause.hint else how)

    async def _ask(self, command: AskUser, emit: Emit) -> None:
        given = await in_daemon_thread(lambda: self._user.answers(command.iteration, command.questions))
        if given is None:
            asked = "; ".join(f"{each.challenge_id}: {each.text}" for each in command.questions[:5])
            first = command.questions[0].challenge_id
            raise Paused(
                f"PAUSE: the plan waits for your answer. {asked}",
                f'`counterproof verify --resume {self._run.id} --answer {first}="…"` goes on; --yes goes on without answers',
            )
        await emit(UserAnswered(command.id, given))


def stored(run: RunFolder, report: PlanReport) -> tuple[tuple[str, str], ...]:
    """Write every format into the run's folder, each file whole or not at all; a failing disk pauses the run."""
    pairs: list[tuple[str, str]] = []
    try:
        for name in plan_reports.FORMATS:
            text = plan_reports.render(report, name)
            write_whole(run.path / plan_reports.FILE_NAMES[name], text)
            pairs.append((name, digest(text)))
    except OSError as error:
        raise StorageError(
            f"the report of run {run.id} could not be written: {error.strerror}",
            f"free disk space or mend the disk, then `counterproof verify --resume {run.id}`; nothing is lost",
        ) from error
    return tuple(pairs)
