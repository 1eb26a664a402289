"""Carries out the commands of a plan verification: reads the plan, runs agents, asks the user, writes the report."""

import asyncio
from dataclasses import replace
from typing import Protocol

from counterproof.agents.planning.worker import established
from counterproof.analysis.git import NoHistory
from counterproof.app.driving import Failed, ModelTime, attempted, store_report
from counterproof.app.jobs import VERIFY
from counterproof.app.plan_team import Planners
from counterproof.model.errors import JournalError
from counterproof.model.plan.carried_out import CarriedOut
from counterproof.model.plan.challenge import Question, Response
from counterproof.model.plan.contract import PlanReply, PlanTask, SourceCheck
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
from counterproof.runtime.driver import Paused
from counterproof.runtime.home import RunFolder
from counterproof.toolbox.carried_out import carried_out
from counterproof.toolbox.plan_tools import PlanBench, PlanTools
from counterproof.toolbox.threads import in_daemon_thread

MAX_UNREAD = 5
"""Files that are named; a repository with more of them is broken as a whole."""


class Answering(Protocol):
    """The user. Returns their answers, or None when nobody can be asked now: then the run pauses (P13)."""

    def answers(self, iteration: int, questions: tuple[Question, ...]) -> tuple[Response, ...] | None: ...


class VerifyExecutor:
    """Everything that a verification does to the world happens here. Embedded agents take turns: they share what was parsed."""

    def __init__(
        self, run: RunFolder, bench: PlanBench, agents: Planners, user: Answering, observer: Observer, seconds: int = 0
    ) -> None:
        self._run = run
        self._bench = bench
        self._agents = agents
        self._user = user
        self._observer = observer
        self._turn = asyncio.Lock()
        self._time = ModelTime(seconds)

    async def execute(self, command: Command, emit: Emit) -> None:
        self._time.begin()
        match command:
            case ReadPlan():
                held, coverage = await self._held(command.request.diff), await in_daemon_thread(self._bench.coverage)
                await emit(PlanRead(command.id, self._bench.outline, held, coverage))
            case RunTask():
                await self._run_task(command.task, emit)
            case AskUser():
                await self._ask(command, emit)
            case WritePlanReport():
                self._observer.progress("report", "writing")
                await emit(PlanReportWritten(command.id, store_report(self._run, VERIFY, command.report)))

    async def _held(self, change: str) -> CarriedOut | None:
        """The plan held against the change that was to carry it out, where the user named one."""
        if not change or self._bench.outline.no_plan:
            return None
        self._observer.progress("plan", f"held against {change}")
        bench, history = self._bench, self._bench.history
        if isinstance(history, NoHistory):
            raise JournalError(f"the history is gone: {history.reason}", "start the verification again")
        return await in_daemon_thread(lambda: carried_out(bench.case, bench.project, history, change))

    async def _run_task(self, task: PlanTask, emit: Emit) -> None:
        self._observer.progress(task.agent_id, task.role.value)
        tools = PlanTools(self._bench, task)
        done = await attempted(self._checked(task, tools), resuming(self._run))
        cost = self._agents.cost_of(task.id)
        if isinstance(done, Failed):
            await emit(TaskFailed(task.id, done.reason, cost))
        else:
            reply, checks = done
            await emit(TaskDone(task.id, self._with_unread(reply), tools.used(), checks, cost))

    def _with_unread(self, reply: PlanReply) -> PlanReply:
        """With what could not be read of the repository; where the plan names it, the verification lacks it."""
        left = self._bench.project.unread.values()
        notes = [f"{each.path} was not read to its end: {each.why}"[:500] for each in left][:MAX_UNREAD]
        named = [f"{each.path} was not read to its end: {each.why}" for each in left if each.path in self._bench.text]
        return replace(reply, notes=(*reply.notes, *notes), unreviewed=reply.unreviewed or "; ".join(named)[:500])

    async def _checked(self, task: PlanTask, tools: PlanTools) -> tuple[PlanReply, tuple[SourceCheck, ...]]:
        reply = await self._replied(task, tools)
        async with self._turn:
            return reply, await in_daemon_thread(lambda: tools.checks(reply))

    async def _replied(self, task: PlanTask, tools: PlanTools) -> PlanReply:
        model = self._agents.models.get(task.role)
        if model:
            return await model.run(task, tools, self._turn, self._time.within)
        async with self._turn:
            return established(await in_daemon_thread(lambda: self._agents.embedded[task.role].work(task, tools)))

    async def _ask(self, command: AskUser, emit: Emit) -> None:
        given = await in_daemon_thread(lambda: self._user.answers(command.iteration, command.questions))
        if given is None:
            asked = "; ".join(f"{each.challenge_id}: {each.text}" for each in command.questions[:5])
            first = command.questions[0].challenge_id
            raise Paused(
                f"PAUSE: the plan waits for your answer. {asked}",
                f"`{resuming(self._run)} --answer {first}=accept` takes it as it is, `--answer {first}='change: …'` says what"
                f" the plan "
                "will do instead; --yes goes on without answers",
            )
        await emit(UserAnswered(command.id, given))


def resuming(run: RunFolder) -> str:
    """The command that goes on with a verification."""
    return f"counterproof verify --resume {run.id}"
