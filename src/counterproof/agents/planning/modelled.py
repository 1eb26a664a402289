"""An agent of a plan verification that a model drives, with the embedded agent of the same role beside it (P15, F8, F9, F12).

Always: the loop ends; a refusal, a filter, an empty or unreadable reply is never "nothing to say": the agent fails and is tried
once more, and then hands in the embedded agent's part with the note that the model's is unreviewed. Synthesizers have no
tools. What the model's words are worth is decided by the engine.
"""

import asyncio
from dataclasses import replace

from counterproof.agents.models.channel import Answer, Channel, Finish, ToolCall
from counterproof.agents.models.failing import ModelFailed
from counterproof.agents.models.faults import BudgetExhausted, ChannelFailed
from counterproof.agents.models.parsing import Malformed, parse
from counterproof.agents.planning import research_calls
from counterproof.agents.planning.contract_text import header_problem, reply_of
from counterproof.agents.planning.dialogue import HAND_IN, Dialogue
from counterproof.agents.planning.pairing import paired
from counterproof.agents.planning.worker import PlanAgent, established
from counterproof.analysis.plans.examination import examine
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.toolbox.plan_tools import PlanTools
from counterproof.toolbox.threads import in_daemon_thread

MAX_TURNS = 12
MAX_REPAIRS = 2
LAST_ATTEMPT = 2

_SILENT = {
    Finish.REFUSED: "the model refused to answer",
    Finish.FILTERED: "the provider's filter withheld the answer",
    Finish.EMPTY: "the model answered nothing",
}


class ModelPlanner:
    """One instance serves any number of tasks of one role."""

    def __init__(self, channel: Channel, beside: PlanAgent) -> None:
        self._channel = channel
        self._beside = beside

    async def run(self, task: PlanTask, tools: PlanTools, turn: asyncio.Lock) -> PlanReply:
        """Whoever looks at the repository takes its turn; models are asked side by side. The embedded agent has a record of its
        own, so that the model's allowance is the model's."""
        async with turn:
            seen = established(await in_daemon_thread(lambda: self._beside.work(task, tools.twin())))
            doubts = await in_daemon_thread(lambda: examine(tools.bench.case))
        try:
            said = await self._converse(task, tools, Dialogue(task, tools.bench, doubts), turn)
        except BudgetExhausted as short:
            return replace(seen, unreviewed=f"{task.agent_id} stopped for want of budget: {short}", over_budget=True)
        except (ModelFailed, ChannelFailed) as failure:
            if task.attempt < LAST_ATTEMPT:
                raise
            return replace(seen, unreviewed=f"{task.agent_id} ({self._channel.model}) left its part unreviewed: {failure}")
        return paired(task, said, seen)

    async def _converse(self, task: PlanTask, tools: PlanTools, talk: Dialogue, turn: asyncio.Lock) -> PlanReply:
        repairs, forced = 0, not research_calls.specs(task)
        for number in range(MAX_TURNS):
            if not forced and (number >= MAX_TURNS - MAX_REPAIRS - 1 or talk.full):
                talk.say(HAND_IN)
                forced = True
            answer = await self._channel.ask(talk.question(with_tools=not forced))
            if answer.finish in _SILENT:
                raise ModelFailed(_SILENT[answer.finish])
            if answer.calls and answer.finish is Finish.TOOL_CALLS and not forced:
                async with turn:
                    await in_daemon_thread(lambda heard=answer: _serve(talk, tools, heard.text, heard.calls))
                continue
            reply, problems = _result(task, talk, answer)
            if reply is not None:
                return reply
            if repairs >= MAX_REPAIRS:
                raise ModelFailed(f"the result does not fit the contract: {problems[0]}")
            repairs += 1
            talk.heard(answer.text)
            talk.say("The result does not fit the contract. Hand in the whole of it again, mended:\n" + "\n".join(problems))
        raise ModelFailed("the model handed in nothing")


def _result(task: PlanTask, talk: Dialogue, answer: Answer) -> tuple[PlanReply | None, tuple[str, ...]]:
    """What was handed in, or what is wrong with it. Raises `ModelFailed` for a reply that is not this task's, or cut off."""
    if not answer.finish.complete:
        raise ModelFailed("the output was cut off")
    try:
        parsed = parse(answer.text)
    except Malformed as error:
        return None, (str(error),)
    if not parsed.complete:
        return None, ("the JSON is not closed",)
    foreign = header_problem(task, talk.marker, parsed.fields)
    if foreign:
        raise ModelFailed(foreign)
    return reply_of(task, parsed.fields)


def _serve(talk: Dialogue, tools: PlanTools, text: str, calls: tuple[ToolCall, ...]) -> None:
    """Make the calls of one turn in order; repeated ids and calls past the bound are refused in words (F11)."""
    wanted = [call for call in calls[: research_calls.MAX_CALLS] if talk.fresh(call)]
    talk.heard(text, tuple(research_calls.repeatable(call) for call in wanted))
    for call in wanted:
        talk.answer(call, *research_calls.made(tools, call))
    if len(wanted) < len(calls):
        talk.say(
            f"{len(calls) - len(wanted)} calls were refused: at most {research_calls.MAX_CALLS} a turn, each with its own id."
        )
