"""Faults of the connection: nothing half-received is ever taken for whole (F5 to F7)."""

import asyncio
import socket

import pytest

from counterproof.agents.models.channel import Finish
from counterproof.agents.models.faults import ChannelFailed, FaultKind, WireFault
from counterproof.agents.models.transport import Deadlines
from counterproof.agents.models.wire import Family, judge
from faults.rig import ANTHROPIC, OPENAI, RESPONSES, WIRES, ask, question, terms, timed, with_channel
from faults.server import Asked, FaultServer, Move
from faults.speech import Call, Says, anthropic_body, openai_body, responses_body

SHORT = Deadlines(connect=2, first=30, idle=5, total=60)
SPOKEN = Says("All of this — every byte — matters.", (Call("c1", "read", '{"path": "a.py"}'),))


@pytest.mark.rule("F5")
@pytest.mark.parametrize("model", WIRES)
@pytest.mark.parametrize(
    "move", [Move(reset=True), Move(cut_headers=True), Move(cut=10)], ids=["reset", "cut headers", "cut body"]
)
def test_a_broken_connection_is_tried_again(model: str, move: Move):
    server = FaultServer(fault=lambda asked: move if asked.attempt < 3 else None)
    assert ask(server, model).text == "ok"
    assert len(server.log) == 3


@pytest.mark.rule("F5")
def test_a_refused_connection_is_tried_again_until_somebody_answers():
    async def work(channel):
        await server.__aexit__()
        waiting = asyncio.create_task(channel.ask(question()))
        await asyncio.sleep(2)
        reopened = await asyncio.start_server(server._serve, "127.0.0.1", server.port)
        try:
            return await waiting
        finally:
            reopened.close()  # not waited for: newer versions wait until the client, too, has closed its connection

    server = FaultServer()
    assert with_channel(server, work).text == "ok"


@pytest.mark.rule("F5")
def test_a_server_that_is_not_there_fails_the_question_and_costs_nothing():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        server = FaultServer()

        async def work(channel):
            await server.__aexit__()
            await channel.ask(question())

        given = terms()
        with pytest.raises(ChannelFailed, match="unreachable"):
            with_channel(server, work, given=given)
        assert given.purse.budget.used.tokens == 0


@pytest.mark.rule("F6")
@pytest.mark.parametrize(
    ("move", "most"),
    [(Move(hang=True), 30), (Move(drip=1.0, framing="close"), 60), (Move(stall=25), 36), (Move(stall=25, framing="chunked"), 36)],
    ids=["hang", "a byte a second", "stall", "stall between chunks"],
)
def test_every_wait_has_an_end(move: Move, most: float):
    server = FaultServer(brain=lambda asked: Says("x" * 200), fault=lambda asked: move)

    async def work(channel):
        with pytest.raises(ChannelFailed) as raised:
            await channel.ask(question())
        return raised.value.kind

    kind, seconds = with_channel(server, lambda channel: timed(work(channel)), deadlines=SHORT)
    assert kind is FaultKind.TIMED_OUT
    assert len(server.log) == 3
    assert seconds <= 3 * most + 10


@pytest.mark.rule("F6")
@pytest.mark.parametrize(
    "move",
    [Move(hang=True), Move(drip=1.0, framing="close", body=b" " * 2_000), Move(drip=1.0, framing="chunked", body=b" " * 2_000)],
    ids=["answers never", "a space a second", "chunks of a space"],
)
def test_a_question_never_answered_is_given_up_within_25_minutes(move: Move):
    """With the deadlines as shipped. The first tries use up the time, so the question is not asked a third time."""

    async def work(channel):
        with pytest.raises(ChannelFailed) as raised:
            await channel.ask(question())
        return raised.value.kind

    kind, seconds = with_channel(FaultServer(fault=lambda asked: move), lambda channel: timed(work(channel)))
    assert kind is FaultKind.TIMED_OUT
    assert seconds <= 1_500


@pytest.mark.rule("F6")
def test_a_question_that_may_have_been_answered_is_charged_in_full():
    given = terms()
    with pytest.raises(ChannelFailed):
        ask(FaultServer(fault=lambda asked: Move(hang=True)), given=given, deadlines=SHORT)
    spent = given.purse.budget.spent[0]
    assert spent.calls == 3
    assert spent.usage.ours
    assert spent.usage.output == 3 * 500
    assert given.purse.budget.holds == ()


BODIES = {Family.OPENAI: openai_body, Family.RESPONSES: responses_body, Family.ANTHROPIC: anthropic_body}


@pytest.mark.rule("F7")
@pytest.mark.parametrize("family", BODIES)
def test_a_reply_cut_at_any_byte_is_never_complete(family: Family):
    body = BODIES[family](SPOKEN, 9, "r", "m")
    judge(family, body)
    for place in range(len(body)):
        with pytest.raises(WireFault):
            judge(family, body[:place])


@pytest.mark.rule("F7")
@pytest.mark.parametrize(
    ("family", "end"),
    [
        (Family.OPENAI, b'"finish_reason": "tool_calls"'),
        (Family.RESPONSES, b'"status": "completed", "incomplete_details"'),
        (Family.ANTHROPIC, b'"stop_reason": "tool_use"'),
    ],
    ids=["openai", "responses", "anthropic"],
)
def test_a_reply_without_its_end_mark_is_never_complete(family: Family, end: bytes):
    body = BODIES[family](SPOKEN, 9, "r", "m")
    assert body.count(end) == 1
    with pytest.raises(WireFault, match="how it ended"):
        judge(
            family, body.replace(end, end.partition(b": ")[0] + b": null" + (b', "incomplete_details"' if b"," in end else b""))
        )


@pytest.mark.rule("F7")
@pytest.mark.parametrize("family", BODIES)
def test_a_reply_twice_or_in_events_that_nobody_asked_for_is_never_complete(family: Family):
    body = BODIES[family](SPOKEN, 9, "r", "m")
    events = b"data: " + body + b"\n\ndata: [DONE]\n\n"
    for broken in (body + body, *(events[:place] for place in range(len(events) + 1))):
        with pytest.raises(WireFault):
            judge(family, broken)


@pytest.mark.rule("F7")
@pytest.mark.parametrize("model", WIRES)
@pytest.mark.parametrize("framing", ["length", "chunked", "close"])
def test_a_cut_reply_is_asked_for_again_over_the_wire(model: str, framing: str):
    def fault(asked: Asked) -> Move | None:
        return Move(framing=framing, cut=40 * asked.attempt) if asked.attempt < 3 else Move(framing=framing)

    server = FaultServer(brain=lambda asked: Says("A whole sentence."), fault=fault)
    answer = ask(server, model)
    assert (answer.text, answer.finish) == ("A whole sentence.", Finish.STOP)
    assert len(server.log) == 3


@pytest.mark.rule("F7")
def test_a_reply_that_never_comes_whole_fails_the_question():
    for model in (OPENAI, ANTHROPIC):
        server = FaultServer(fault=lambda asked: Move(cut=30, framing="close"))
        with pytest.raises(ChannelFailed) as raised:
            ask(server, model)
        assert raised.value.kind in (FaultKind.CUT, FaultKind.MALFORMED)
        assert len(server.log) <= 4


def test_a_reply_without_end_is_cut_off_by_us(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("counterproof.agents.models.transport.MAX_REPLY", 2_000)
    server = FaultServer(brain=lambda asked: Says("x" * 5_000))
    with pytest.raises(ChannelFailed) as raised:
        ask(server)
    assert raised.value.kind is FaultKind.TOO_LARGE
    assert len(server.log) == 1


def test_nothing_of_a_conversation_is_left_with_the_provider():
    server = FaultServer()
    ask(server, RESPONSES)
    assert server.log[0].path == "/v1/responses"
    assert server.log[0].body["store"] is False
    assert "previous_response_id" not in server.log[0].body
