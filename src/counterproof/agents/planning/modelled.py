"""An agent of a plan verification that a model drives, with the embedded agent of the same role beside it (P15, P18, F8, F9,
F12).

Always: a refusal, a filter, an empty or unreadable reply is never "nothing to say": the agent fails and is tried once more, and
then hands in the embedded agent's part with the note that the model's is unreviewed. Sources that are not there and quotes that
do not stand are sent back once with what stands there (P19, P20). What the model's words are worth is decided by the engine.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from counterproof.agents import roles, tool_table
from counterproof.agents.context import assembled
from counterproof.agents.context import plan as context
from counterproof.agents.models.channel import Channel, ToolCall
from counterproof.agents.models.faults import BudgetExhausted, ChannelFailed, ModelFailed, TimeIsOver
from counterproof.agents.models.loop import MAX_REPAIRS, Result, Windows, converse
from counterproof.agents.models.parsing import Malformed, parse
from counterproof.agents.models.schemas import schema_text
from counterproof.agents.models.talk import Asked, Talk
from counterproof.agents.models.tuning import USUAL, Tuning
from counterproof.agents.planning import citing
from counterproof.agents.planning.contract_text import header_problem, reply_of, shape_of
from counterproof.agents.planning.pairing import paired
from counterproof.agents.planning.worker import PlanAgent, established
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.examination import examine
from counterproof.model.canonical import digest
from counterproof.model.plan.contract import PlanReply, PlanTask, Tool
from counterproof.protocols.guard.isolation import Category
from counterproof.protocols.guard.provenance import PREFIX
from counterproof.protocols.plan import budgets
from counterproof.toolbox.plan_tools import PlanBench, PlanTools
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.threads import in_daemon_thread

MAX_TURNS = 12
LAST_ATTEMPT = 2
Within = Callable[[Awaitable[PlanReply]], Awaitable[PlanReply]]


async def whenever(work: Awaitable[PlanReply]) -> PlanReply:
    """Without a bound on its time."""
    return await work


class ModelPlanner:
    """One instance serves any number of tasks of one role."""

    def __init__(self, channel: Channel, beside: PlanAgent, tuning: Tuning = USUAL) -> None:
        self._channel = channel
        self._beside = beside
        self._tuning = tuning
        self._windows = Windows(channel.model)

    async def run(self, task: PlanTask, tools: PlanTools, turn: asyncio.Lock, within: Within = whenever) -> PlanReply:
        """Whoever looks at the repository takes its turn; models are asked side by side, `within` the time that is theirs. The
        embedded agent has a record of its own, so that the model's allowance is the model's."""
        async with turn:
            seen = established(await in_daemon_thread(lambda: self._beside.work(task, tools.twin())))
            doubts = await in_daemon_thread(lambda: examine(tools.bench.case))

        async def ask(tuning: Tuning) -> PlanReply:
            async with turn:
                talk = await in_daemon_thread(lambda: opened_talk(task, tools.bench, doubts, tuning))
            return await within(converse(self._channel, talk, PlanPart(task, tools), turn))

        try:
            said, notes = await self._windows.narrowing(self._tuning, ask)
        except BudgetExhausted as short:
            return replace(seen, unreviewed=f"{task.agent_id} stopped for want of budget: {short}", over_budget=True)
        except (ModelFailed, ChannelFailed) as failure:
            if task.attempt < LAST_ATTEMPT and not isinstance(failure, TimeIsOver):
                raise
            return replace(seen, unreviewed=f"{task.agent_id} ({self._channel.model}) left its part unreviewed: {failure}")
        return paired(task, replace(said, notes=(*said.notes, *notes)), seen)


def opened_talk(task: PlanTask, bench: PlanBench, doubts: tuple[Doubt, ...], tuning: Tuning = USUAL) -> Talk:
    """The conversation about a task, with all that it shows at the beginning."""
    sections = (*context.shared_sections(bench), *context.task_sections(task, doubts))
    searched = (*((Tool.MEMORY,) if bench.memory else ()), *(budgets.WEB if bench.web else ()))
    asked = Asked(
        task.id,
        task.attempt,
        roles.plan_conduct(),
        tool_table.specs((Tool.READ, Tool.GREP, Tool.GIT_LOG, *searched)),
        schema_text(shape_of(task).model_json_schema()),
        roles.plan_prompt(task.role),
        context.intro(task),
        tuning=tuning,
    )
    name = f"{task.id}\n{task.attempt}\n{task.agent_id}\n{task.iteration}"
    pack = assembled(sections, context.room_for(bench).at_most(tuning.opening))
    return Talk(asked, pack, lambda opening: PREFIX + digest(f"{name}\n{opening}")[:32])


class PlanPart:
    """A plan verification's side of one conversation."""

    def __init__(self, task: PlanTask, tools: PlanTools) -> None:
        self._task = task
        self._tools = tools
        self._turns = 0
        self._mended = self._advice = False

    def turn(self) -> bool:
        self._turns += 1
        if self._turns > MAX_TURNS:
            raise ToolRefused("no turn is left")
        return self._turns < MAX_TURNS - MAX_REPAIRS - 1 and any(each.calls for each in self._task.allowances)

    def served(self, call: ToolCall) -> tuple[Category, str]:
        return tool_table.researched(self._tools, call)

    def repeatable(self, call: ToolCall) -> ToolCall:
        return tool_table.repeatable(call)

    def result(self, talk: Talk, text: str, cut: bool) -> Result[PlanReply]:
        """What was handed in, or what is wrong with it. Raises `ModelFailed` for a reply that is not this task's, or cut off."""
        self._advice = False
        if cut:
            raise ModelFailed("the output was cut off")
        try:
            parsed = parse(text)
        except Malformed as error:
            return Result(None, (str(error),))
        if not parsed.complete:
            return Result(None, ("the JSON is not closed",))
        foreign = header_problem(self._task, talk.marker, parsed.fields)
        if foreign:
            raise ModelFailed(foreign)
        reply, problems = reply_of(self._task, parsed.fields)
        if reply is None or self._mended:
            return Result(reply, problems)
        problems, standing = citing.problems(self._tools, reply)
        self._mended = self._advice = bool(problems)
        return Result(reply, problems, standing)

    def onward(self, talk: Talk, reply: PlanReply) -> bool:
        return False

    def settled(self, result: Result[PlanReply]) -> PlanReply:
        """Citations that were not mended are the engine's to refuse, one by one."""
        if result.reply is None or (result.problems and not self._advice):
            raise ModelFailed(f"the result does not fit the contract: {result.problems[0]}")
        return result.reply
