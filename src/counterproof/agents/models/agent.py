"""An agent that a model drives: our own loop of question, tools and result (A22 to A27, F8, F9, F11, F12).

Always holds: the loop ends, because every round of it takes a turn from the meter; a refusal, a filter, an empty or unreadable
reply is never "no findings": the agent has failed, or its work counts as cut off; a validator judges the place before it is shown
the claim (A53). What the model may see and do is the toolbox's; what its words are worth is decided in `protocols`. Analysts work
on tasks of their own and know nothing of it.
"""

from dataclasses import replace

from counterproof.agents.models import judging, tool_calls
from counterproof.agents.models.channel import Answer, Channel, Finish, ToolCall
from counterproof.agents.models.conversation import HAND_IN, MAX_OUTPUT, Conversation
from counterproof.agents.models.failing import ModelFailed
from counterproof.agents.models.faults import BudgetExhausted, ChannelFailed
from counterproof.agents.models.hand_in import HandedIn, header_of, reply_of
from counterproof.agents.models.parsing import Malformed, parse
from counterproof.agents.models.rendering import rendered
from counterproof.analysis.project import OutOfTime
from counterproof.model.contract import AgentReply, AgentTask, Role
from counterproof.model.judgement import Verdict
from counterproof.protocols.guard.provenance import mismatch
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.threads import in_daemon_thread
from counterproof.toolbox.witnessed import WitnessedTools

MAX_REPAIRS = 2
LAST_ATTEMPT = 2

UNREVIEWED = {
    Finish.REFUSED: "the model refused to answer",
    Finish.FILTERED: "the provider's filter withheld the answer",
    Finish.EMPTY: "the model answered nothing",
}


class ModelAgent:
    """One instance serves any number of tasks."""

    def __init__(self, channel: Channel, max_output: int = MAX_OUTPUT) -> None:
        self._channel = channel
        self._max_output = max_output

    async def run(self, task: AgentTask, toolbox: WitnessedTools) -> AgentReply:
        try:
            reply = await self._converse(task, toolbox)
        except BudgetExhausted as short:
            note = f"{task.agent_id} stopped for want of budget: {short}."
            reply = _unreviewed(task, note, over_budget=True)
        except OutOfTime as over:
            reply = _unreviewed(task, f"{task.agent_id} was cut off: {over}.")
        except (ModelFailed, ChannelFailed) as failure:
            if task.attempt < LAST_ATTEMPT:
                raise
            reply = _unreviewed(task, f"{task.agent_id} ({self._channel.model}) left its part unreviewed: {failure}.")
        return await self._handed_in(task, toolbox, reply)

    async def _converse(self, task: AgentTask, toolbox: WitnessedTools) -> AgentReply:
        talk = Conversation(task, toolbox.offers, self._max_output)
        repairs = 0
        forced = False
        blind: AgentReply | None = None
        while True:
            try:
                toolbox.begin_turn()
            except ToolRefused as refusal:
                raise ModelFailed(f"the model handed in nothing: {refusal}") from refusal
            must_hand_in = toolbox.meter().must_hand_in or talk.full
            if must_hand_in and not forced:
                talk.say(HAND_IN)
                forced = True
            answer = await self._channel.ask(talk.question(with_tools=not must_hand_in))
            if answer.finish in UNREVIEWED:
                raise ModelFailed(UNREVIEWED[answer.finish])
            if answer.calls and answer.finish is Finish.TOOL_CALLS:
                await in_daemon_thread(lambda calls=answer.calls, text=answer.text: _serve(talk, toolbox, text, calls))
                continue
            reply, problems = self._result(task, toolbox, talk, answer)
            if not problems and task.role is Role.VALIDATOR and blind is None:
                blind = reply
                talk.heard(answer.text)
                talk.show_claims()
                continue
            if not problems:
                return with_first_words(reply, blind)
            if repairs >= MAX_REPAIRS or not answer.finish.complete:
                return with_first_words(_last_word(task, reply, problems), blind)
            repairs += 1
            talk.heard(answer.text)
            talk.say("The result does not fit the contract. Hand in the whole of it again, mended:\n" + "\n".join(problems))

    def _result(
        self, task: AgentTask, toolbox: WitnessedTools, talk: Conversation, answer: Answer
    ) -> tuple[AgentReply, tuple[str, ...]]:
        """What was handed in, and what is wrong with it. Raises `ModelFailed` where nothing tells whose it is."""
        cut = not answer.finish.complete
        try:
            parsed = parse(answer.text)
            header = header_of(parsed.fields)
        except Malformed as error:
            if cut:
                raise ModelFailed("the output was cut off before it told whose it is", unidentified=True) from error
            return _unreviewed(task, ""), (str(error),)
        foreign = mismatch(task, talk.marker, (header.marker, header.agent_id, header.round))
        if foreign:
            raise ModelFailed(foreign)
        given = HandedIn(parsed.fields, task, toolbox.quote)
        reply = reply_of(given, complete=parsed.complete and not cut)
        if not parsed.complete and not cut:
            return reply, ("the JSON is not closed", *given.problems)
        return reply, tuple(given.problems)

    async def _handed_in(self, task: AgentTask, toolbox: WitnessedTools, reply: AgentReply) -> AgentReply:
        return await in_daemon_thread(lambda: judging.remarked(task, toolbox, reply))


def with_first_words(reply: AgentReply, blind: AgentReply | None) -> AgentReply:
    """The judgements with what the validator had said of each place before it saw the claim. A word that was given twice or not
    at all then is none (A53)."""
    first: dict[str, Verdict] = {}
    for each in blind.judgements if blind else ():
        first[each.finding_id] = each.verdict if first.get(each.finding_id, each.verdict) is each.verdict else Verdict.DOWNGRADED
    return replace(reply, judgements=tuple(replace(each, first=first.get(each.finding_id)) for each in reply.judgements))


def _serve(talk: Conversation, toolbox: WitnessedTools, text: str, calls: tuple[ToolCall, ...]) -> None:
    """Make the calls of one turn in order. Repeated ids and calls past the bound are refused in words (F11)."""
    wanted: list[ToolCall] = []
    for call in calls:
        if len(wanted) < tool_calls.MAX_CALLS and call.id and call.name and talk.fresh(call.id):
            wanted.append(call)
    talk.heard(text, tuple(_repeatable(call) for call in wanted))
    for call in wanted:
        try:
            answer = tool_calls.made(toolbox, call)
        except ToolRefused as refusal:
            talk.refuse(call, str(refusal))
        else:
            talk.answer(call, *rendered(answer))
    if len(wanted) < len(calls):
        why = f"at most {tool_calls.MAX_CALLS} a turn, each with a name and an id of its own"
        talk.say(f"{len(calls) - len(wanted)} calls were refused: {why}.")


def _repeatable(call: ToolCall) -> ToolCall:
    """The call as it may be sent back to a provider, which wants JSON; what the model really wrote was refused anyway."""
    try:
        tool_calls.arguments_of(call)
    except ToolRefused:
        return ToolCall(call.id, call.name, "{}")
    return call


def _unreviewed(task: AgentTask, note: str, over_budget: bool = False) -> AgentReply:
    """A reply that claims nothing and counts as cut off."""
    return AgentReply(
        task.agent_id, task.round, task.dimensions, (), (), notes=(note,) if note else (), ended=False, over_budget=over_budget
    )


def _last_word(task: AgentTask, reply: AgentReply, problems: tuple[str, ...]) -> AgentReply:
    """After the repairs: sound entries are kept and the work counts as cut off; without any, the agent has failed."""
    if not (reply.findings or reply.judgements or reply.hit_judgements):
        raise ModelFailed(f"the result does not fit the contract: {problems[0]}")
    note = f"{task.agent_id}: {len(problems)} parts of its result did not fit the contract and were dropped."
    return replace(reply, ended=False, notes=(*reply.notes, note))
