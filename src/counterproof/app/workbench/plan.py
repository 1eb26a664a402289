"""Executes the commands of a plan verification: reads the plan, gives tasks to the agents of a role, asks the user."""

from dataclasses import replace
from typing import Protocol

from counterproof.agents.models.faults import TimeIsOver
from counterproof.agents.planning import PLANNERS
from counterproof.agents.planning.pairing import paired
from counterproof.agents.planning.worker import established
from counterproof.analysis.git import NoHistory
from counterproof.analysis.source.unread import unread
from counterproof.app.driving import Failed, attempted
from counterproof.app.executor import Shift
from counterproof.app.pausing import ReportedPause
from counterproof.app.team import Staff
from counterproof.model.errors import JournalError
from counterproof.model.plan.carried_out import CarriedOut
from counterproof.model.plan.challenge import Question, Response
from counterproof.model.plan.contract import PlanReply, PlanTask, SourceCheck
from counterproof.model.survey import Unread
from counterproof.ports import Emit
from counterproof.protocols.plan.events import (
    AskUser,
    Command,
    PlanRead,
    ReadPlan,
    TaskDone,
    TaskFailed,
    UserAnswered,
)
from counterproof.toolbox.carried_out import carried_out
from counterproof.toolbox.plan_tools import PlanBench, PlanTools
from counterproof.toolbox.threads import in_daemon_thread

MAX_UNREAD = 5
"""The most files named individually; a repository with more unreadable files is reported as a whole."""


class Answering(Protocol):
    """The user. Returns the answers, or None if nobody can answer now: then the run pauses (P13)."""

    def answers(self, iteration: int, questions: tuple[Question, ...]) -> tuple[Response, ...] | None: ...


class PlanWorkbench:
    """A plan with its repository. Embedded agents take turns, because they share parsed code."""

    concurrent = 64

    def __init__(self, bench: PlanBench, user: Answering, accept_unread: tuple[str, ...] = ()) -> None:
        self._accept_unread = accept_unread
        self._bench = bench
        self._user = user

    def close(self) -> None:
        self._bench.close()

    async def act(self, command: Command, emit: Emit, shift: Shift) -> None:
        match command:
            case ReadPlan():
                held = await self._held(command.request.diff, shift)
                coverage = await in_daemon_thread(self._bench.coverage)
                await emit(PlanRead(command.id, self._bench.outline, held, coverage))
            case AskUser():
                await self._ask(command, emit, shift)
            case _:
                raise TypeError(f"no such command: {type(command).__name__}")

    async def _held(self, change: str, shift: Shift) -> CarriedOut | None:
        """The comparison of the plan with its implementing change, if the user named one."""
        if not change or self._bench.outline.no_plan:
            return None
        shift.observer.progress("plan", f"held against {change}")
        bench, history = self._bench, self._bench.history
        if isinstance(history, NoHistory):
            raise JournalError(f"the commit history is no longer available: {history.reason}", "start a new verification")
        return await in_daemon_thread(lambda: carried_out(bench.case, bench.project, history, change))

    def describe(self, task: PlanTask) -> tuple[str, str]:
        return task.agent_id, task.role.value

    def is_modelled(self, task: PlanTask, staff: Staff) -> bool:
        return task.role.value in staff.team.players

    async def work(self, task: PlanTask, emit: Emit, shift: Shift) -> None:
        tools = PlanTools(self._bench, task)
        done = await attempted(self._checked(task, tools, shift), shift.again)
        cost = shift.staff.cost_of(task.id)
        if isinstance(done, Failed):
            await emit(TaskFailed(task.id, done.reason, cost))
        else:
            reply, checks = done
            await emit(TaskDone(task.id, self._with_unread(reply), tools.used(), checks, cost))

    def _with_unread(self, reply: PlanReply) -> PlanReply:
        """The reply with the files that could not be read; if the plan names one, the verification is incomplete unless the
        user accepts that."""
        left = self._bench.project.unread.values()
        notes = [f"{each.path} was not read to its end: {each.why}"[:500] for each in left][:MAX_UNREAD]
        named = [f"{each.path} was not read to its end: {each.why}" for each in left if self._is_missed(each)]
        return replace(reply, notes=(*reply.notes, *notes), unreviewed=reply.unreviewed or "; ".join(named)[:500])

    def _is_missed(self, each: Unread) -> bool:
        return each.path in self._bench.text and not unread(each.path, each.why, self._accept_unread).accepted

    async def _checked(self, task: PlanTask, tools: PlanTools, shift: Shift) -> tuple[PlanReply, tuple[SourceCheck, ...]]:
        reply = await self._joined(task, tools, shift)
        async with shift.turn:
            return reply, await in_daemon_thread(lambda: tools.checks(reply))

    async def _joined(self, task: PlanTask, tools: PlanTools, shift: Shift) -> PlanReply:
        """The embedded agent's reply with that of the model, if one plays the role. The embedded agent has its own record, so
        that it uses none of the model's allowance."""
        modelled = self.is_modelled(task, shift.staff)
        async with shift.turn:
            beside = tools.twin() if modelled else tools
            seen = established(await in_daemon_thread(lambda: PLANNERS[task.role](task, beside)))
        if not modelled:
            return seen
        from counterproof.agents.planning.modelled import PlanDialogue

        player = str(shift.staff.team.model(task.role.value))
        agent = shift.staff.agent(player, PlanDialogue, lambda each: each.role.value)
        try:
            said = await shift.time.within(agent.run(task, tools, shift.turn))
        except TimeIsOver as over:
            return replace(seen, unreviewed=f"not reviewed by {task.agent_id}: {over}")
        return paired(task, said, seen, tools.unsupported)

    async def _ask(self, command: AskUser, emit: Emit, shift: Shift) -> None:
        given = await in_daemon_thread(lambda: self._user.answers(command.iteration, command.questions))
        if given is None:
            asked = "; ".join(f"{each.challenge_id}: {each.text}" for each in command.questions[:5])
            first = command.questions[0].challenge_id
            raise ReportedPause(
                f"PAUSE: the plan needs your answer. {asked}",
                f"`{shift.again} --answer {first}=accept` takes it as it is, `--answer {first}='change: …'` says what"
                f" the plan "
                "will do instead; --yes continues without answers",
            )
        await emit(UserAnswered(command.id, given))
