"""Replies that arrive whole and are still not what was asked for (F8 to F12), and what is kept of them."""

import asyncio
import json
from dataclasses import replace

import pytest

from counterproof.agents.models.channel import Answer, Finish, Message, ToolCall
from counterproof.agents.models.faults import ChannelFailed, FaultKind
from counterproof.agents.models.live import Terms
from counterproof.agents.models.replies import MemoryReplies
from counterproof.agents.models.wire import MAX_DEPTH
from counterproof.model.budget import Usage
from counterproof.model.errors import JournalError
from counterproof.ports import ReplyKey
from faults.rig import ANTHROPIC, OPENAI, READ, WIRES, ask, connect, question, terms, with_channel
from faults.server import Asked, FaultServer, Move
from faults.speech import Call, Says
from faults.warp import run_warped

ENVELOPES = {
    "truncated": b'{"id": "x", "choices": [',
    "fenced": b'```json\n{"id": "x"}\n```',
    "doubled": b'{"id": "x"}{"id": "x"}',
    "nested": b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    "nan": b'{"id": NaN}',
    "list": b"[]",
    "not text": b"\xff\xfe\x00",
    "empty": b"",
    "wrong schema": b'{"choices": [{"finish_reason": "stop", "message": 7}], "stop_reason": "end_turn", "content": 7}',
    "no choices": b'{"id": "x", "choices": [], "content": []}',
}


@pytest.mark.rule("F8")
@pytest.mark.parametrize("model", WIRES)
@pytest.mark.parametrize("name", ENVELOPES)
def test_a_reply_that_cannot_be_read_is_asked_for_again_and_then_fails(model: str, name: str):
    bad = Move(body=ENVELOPES[name])
    server = FaultServer(fault=lambda asked: bad if asked.attempt == 1 else None)
    assert ask(server, model).text == "ok"
    server = FaultServer(fault=lambda asked: bad)
    with pytest.raises(ChannelFailed) as raised:
        ask(server, model)
    assert raised.value.kind in (FaultKind.MALFORMED, FaultKind.CUT)
    assert len(server.log) <= 4


@pytest.mark.rule("F8")
@pytest.mark.parametrize("model", WIRES)
def test_a_whole_reply_that_nests_too_deep_is_rejected(model: str):
    def nested(levels: int) -> FaultServer:
        field = b'{"more": ' + b"[" * (levels - 1) + b"]" * (levels - 1) + b", "
        return FaultServer(fault=lambda asked: Move(edit=lambda body: field + body[1:]))

    assert ask(nested(MAX_DEPTH), model).text == "ok"
    with pytest.raises(ChannelFailed) as raised:
        ask(nested(MAX_DEPTH + 1), model)
    assert raised.value.kind is FaultKind.MALFORMED


@pytest.mark.rule("F8")
@pytest.mark.parametrize("text", ['{"a": ', "```json\n{}\n```", "{}{}", "[" * 9_000, '{"a": NaN}', "\ud800 alone"])
def test_tool_arguments_are_passed_on_unparsed(text: str):
    """The text is the agent's to judge; the channel neither repairs nor chokes on it."""
    answer = ask(FaultServer(brain=lambda asked: Says(text)))
    assert answer.finish is Finish.STOP
    assert answer.text == text or "alone" in answer.text


@pytest.mark.rule("F9")
@pytest.mark.parametrize("model", WIRES)
@pytest.mark.parametrize(
    ("says", "finish"),
    [
        (Says("", refusal="I will not."), Finish.REFUSED),
        (Says("", finish="content_filter"), Finish.FILTERED),
        (Says(""), Finish.EMPTY),
        (Says("  \n"), Finish.EMPTY),
        (Says("half of it", finish="length"), Finish.LENGTH),
    ],
)
def test_an_answer_that_is_none_says_so(model: str, says: Says, finish: Finish):
    answer = ask(FaultServer(brain=lambda asked: says), model)
    wanted = (finish, Finish.REFUSED) if model == ANTHROPIC and finish is Finish.FILTERED else (finish,)
    assert answer.finish in wanted
    assert not answer.finish.complete


@pytest.mark.rule("F10")
@pytest.mark.parametrize("model", WIRES)
@pytest.mark.parametrize("usage", [None, (0, 0), (-5, -9), (-5, 3), (7, 0), (0, 7)])
def test_usage_that_cannot_be_true_is_charged_at_our_own_bound(model: str, usage: tuple[int, int] | None):
    given = terms()
    server = FaultServer(brain=lambda asked: Says("ok", usage=usage))
    answer = ask(server, model, given=given)
    assert answer.usage.ours
    assert answer.usage.output == 500
    assert answer.usage.input >= server.log[0].tokens
    assert given.purse.budget.used.tokens == answer.usage.total >= server.spent


@pytest.mark.rule("F10")
def test_usage_that_can_be_true_is_charged_as_it_is():
    given = terms()
    answer = ask(FaultServer(brain=lambda asked: Says("ok", usage=(70, 3))), given=given)
    assert answer.usage == Usage(70, 3)
    assert given.purse.budget.used.tokens == 73


@pytest.mark.rule("F11")
@pytest.mark.parametrize("model", WIRES)
def test_strange_tool_calls_are_handed_on_as_they_are(model: str):
    calls = (
        Call("same", "read", '{"path": 1}'),
        Call("same", "no_such_tool", "{}"),
        *(Call(f"c{n}", "read", "{}") for n in range(100)),
    )
    answer = ask(FaultServer(brain=lambda asked: Says("", calls)), model, question(tools=(READ,)))
    assert answer.finish is Finish.TOOL_CALLS
    assert len(answer.calls) == 102
    assert [call.name for call in answer.calls[:2]] == ["read", "no_such_tool"]
    assert json.loads(answer.calls[0].arguments) == {"path": 1}


@pytest.mark.rule("F11")
def test_arguments_that_are_no_json_reach_the_agent_as_text():
    answer = ask(FaultServer(brain=lambda asked: Says("", (Call("c1", "read", '{"path": '),))), OPENAI, question(tools=(READ,)))
    assert answer.calls == (ToolCall("c1", "read", '{"path": '),)


@pytest.mark.rule("F12")
@pytest.mark.parametrize("model", WIRES)
def test_the_reply_to_another_question_is_not_taken_for_this_one(model: str):
    """A proxy that mixes connections up hands out a reply a second time."""
    kept: list[bytes] = []

    def fault(asked: Asked) -> Move | None:
        if asked.agent == "a2" and asked.attempt == 1:
            return Move(body=kept[0])
        return Move(edit=lambda body: kept.append(body) or body)

    server = FaultServer(brain=lambda asked: Says(f"for {asked.agent}"), fault=fault)

    async def work(channel):
        first = await channel.ask(question("a1"))
        return first, await channel.ask(question("a2"))

    first, second = with_channel(server, work, model)
    assert (first.text, second.text) == ("for a1", "for a2")
    assert len(server.log) == 3


@pytest.mark.rule("F12")
def test_a_reply_that_names_another_request_is_refused():
    header = (("x-client-request-id", "somebody-else"),)
    server = FaultServer(fault=lambda asked: Move(headers=header))
    with pytest.raises(ChannelFailed) as raised:
        ask(server)
    assert raised.value.kind is FaultKind.FOREIGN
    echo = FaultServer(fault=lambda asked: Move(headers=(("x-client-request-id", asked.headers["x-client-request-id"]),)))
    assert ask(echo).text == "ok"


@pytest.mark.parametrize("model", WIRES)
def test_a_received_reply_is_kept_before_it_is_read_and_never_asked_for_again(model: str):
    kept = MemoryReplies()
    server = FaultServer(brain=lambda asked: Says("done"), fault=lambda asked: Move(body=b"{") if asked.attempt == 1 else None)

    async def run() -> tuple[Answer, Answer, Terms]:
        async with server:
            before = connect(server, model, terms(replies=kept))
            first = await before.ask(question())
            await before.close()
            later = terms(replies=kept)  # as after a restart: nothing but the store is left
            after = connect(server, model, later)
            second = await after.ask(question())
            await after.close()
            return first, second, later

    first, second, later = run_warped(run())
    assert len(kept.kept) == 2, "the unreadable reply is kept too"
    assert len(server.log) == 2
    assert (first.replayed, second.replayed) == (False, True)
    assert (second.text, second.usage) == (first.text, first.usage)
    assert later.purse.budget.used.tokens >= server.spent, "what was paid before the restart still counts"


def test_a_reply_is_on_disk_before_anything_reads_it():
    """A store that fails stops the run; the reply has not been acted upon."""

    class Full(MemoryReplies):
        def keep(self, key: ReplyKey, raw: bytes) -> None:
            raise JournalError("disk full")

    with pytest.raises(JournalError, match="disk full"):
        ask(FaultServer(), given=terms(replies=Full()))


def test_a_damaged_stored_reply_is_refused():
    kept = MemoryReplies()
    server = FaultServer()

    async def work(channel):
        await channel.ask(question())
        (key,) = kept.kept
        kept.kept[key] = kept.kept[key][:-1]
        await channel.ask(question())

    with pytest.raises(JournalError, match="damaged"):
        with_channel(server, work, given=terms(replies=kept))


def test_a_retry_and_the_next_turn_are_new_questions():
    one = question()
    assert one.digest("m") == question().digest("m")
    others = [question(step=2), question("a2"), question(text="Other."), question(max_output=9), question(tools=(READ,))]
    assert len({each.digest("m") for each in [one, *others]}) == 6
    assert one.digest("m") != one.digest("n")


def test_a_conversation_goes_through_both_ways():
    def brain(asked: Asked) -> Says:
        return Says("Let me see.", (Call("c1", "read", '{"path": "a.py"}'),)) if asked.step == 1 else Says("Found it.")

    for model in WIRES:
        server = FaultServer(brain=brain)

        async def work(channel):
            first = await channel.ask(question(tools=(READ,)))
            said = Message("assistant", first.text, first.calls)
            told = tuple(Message("tool", f"text of {call.id}", call_id=call.id, tool=call.name) for call in first.calls)
            second = question(step=2, tools=(READ,))
            return await channel.ask(replace(second, messages=(*second.messages, said, *told)))

        assert with_channel(server, work, model).text == "Found it."
        assert "text of c1" in server.log[1].raw.decode()


def test_every_moment_is_announced_in_order():
    moments: list[str] = []
    ask(FaultServer(), given=terms(notice=moments.append))
    assert moments == ["before send", "after send", "reply received", "reply kept"]


def test_questions_of_one_channel_run_side_by_side():
    server = FaultServer(think=5)

    async def work(channel):
        start = asyncio.get_running_loop().time()
        await asyncio.gather(*(channel.ask(question(f"a{n}")) for n in range(16)))
        return asyncio.get_running_loop().time() - start

    assert with_channel(server, work) < 30
