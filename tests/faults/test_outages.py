"""A provider that is down or refuses everything: its circuit opens, and questions fail at once (F21)."""

import asyncio
from contextlib import suppress

import pytest

from counterproof.agents.models.channel import Message
from counterproof.agents.models.faults import ChannelFailed, FaultKind
from counterproof.agents.models.live import LiveChannel
from faults.rig import OPENAI, WIRES, connect, question, terms, timed, with_channel
from faults.server import Asked, FaultServer, Move, refusal
from faults.speech import Says
from faults.warp import run_warped


async def failure_of(channel: LiveChannel, agent: str, **more: object) -> ChannelFailed:
    with pytest.raises(ChannelFailed) as raised:
        await channel.ask(question(agent, **more))
    return raised.value


@pytest.mark.rule("F21")
@pytest.mark.parametrize("model", WIRES)
def test_a_provider_that_is_down_is_not_asked_again_and_costs_nothing(model: str):
    server = FaultServer(fault=lambda asked: refusal(500))
    given = terms()

    async def work(channel: LiveChannel) -> None:
        first = await failure_of(channel, "a1")
        assert first.kind is FaultKind.SERVER_ERROR
        sent = len(server.log)
        later, seconds = await timed(failure_of(channel, "a2"))
        assert len(server.log) == sent
        assert seconds == pytest.approx(0, abs=0.1)
        assert str(first) in str(later)

    with_channel(server, work, model, given)
    assert given.purse.budget.used.tokens == given.purse.budget.held.tokens == 0


@pytest.mark.rule("F21")
def test_the_circuit_of_a_server_is_open_for_all_its_models_and_no_other_server():
    down, up = FaultServer(fault=lambda asked: refusal(503)), FaultServer()
    given = terms()

    async def work() -> None:
        async with down, up:
            one, other = connect(down, OPENAI, given), connect(down, "openai:gpt-5-mini", given)
            elsewhere = connect(up, OPENAI, given)
            await failure_of(one, "a1")
            sent = len(down.log)
            await failure_of(other, "a2")
            assert len(down.log) == sent
            assert (await elsewhere.ask(question("a3"))).text == "ok"
            for each in (one, other, elsewhere):
                await each.close()

    run_warped(work())


@pytest.mark.rule("F21")
def test_one_probe_is_let_through_after_a_while_and_its_answer_closes_the_circuit():
    repaired = False
    server = FaultServer(fault=lambda asked: None if repaired else refusal(500))

    async def work(channel: LiveChannel) -> None:
        nonlocal repaired
        await failure_of(channel, "a1")
        sent = len(server.log)
        await asyncio.sleep(61)
        await asyncio.gather(*(failure_of(channel, f"b{number}") for number in range(4)))
        assert len(server.log) == sent + 1
        repaired = True
        await asyncio.sleep(61)
        assert (await channel.ask(question("c1"))).text == "ok"
        assert (await channel.ask(question("c2"))).text == "ok"

    with_channel(server, work)


@pytest.mark.rule("F21")
def test_a_probe_that_takes_longer_than_the_wait_for_the_next_is_still_one_try():
    server = FaultServer(fault=lambda asked: Move(hang=True))

    async def work(channel: LiveChannel) -> None:
        await failure_of(channel, "a1")
        sent = len(server.log)
        await asyncio.sleep(61)
        await failure_of(channel, "a2")
        assert len(server.log) == sent + 1

    with_channel(server, work)


@pytest.mark.rule("F21")
def test_one_question_that_always_fails_among_answered_ones_opens_no_circuit():
    server = FaultServer(fault=lambda asked: refusal(500) if asked.agent == "bad" else None)

    async def work(channel: LiveChannel) -> None:
        async def others() -> None:
            for number in range(10):
                await channel.ask(question(f"good{number}"))
                await asyncio.sleep(5)

        await asyncio.gather(failure_of(channel, "bad"), others())
        assert (await channel.ask(question("after"))).text == "ok"

    with_channel(server, work)


@pytest.mark.rule("F21")
@pytest.mark.parametrize(
    "server",
    [
        FaultServer(fault=lambda asked: refusal(400, "invalid_request_error", "max_tokens: too large")),
        FaultServer(brain=lambda asked: Says("", finish="stop", refusal="I cannot help with that.")),
        FaultServer(brain=lambda asked: Says("")),
    ],
    ids=["request", "answer", "silence"],
)
def test_an_identical_refusal_is_not_asked_for_a_third_time(server: FaultServer):
    async def work(channel: LiveChannel) -> None:
        for number in range(2):
            with suppress(ChannelFailed):
                await channel.ask(question(f"a{number}"))
        for number in range(4):
            assert "not asked after an earlier failure" in str(await failure_of(channel, f"b{number}"))

    with_channel(server, work)
    assert len(server.log) == 2


@pytest.mark.rule("F21")
def test_refusals_that_differ_or_have_answers_between_them_open_no_circuit():
    def fault(asked: Asked) -> Move | None:
        if asked.agent.startswith("odd"):
            return refusal(400, "invalid_request_error", f"because of {asked.agent}")
        return refusal(400, "invalid_request_error", "the same") if asked.agent.startswith("same") else None

    server = FaultServer(fault=fault)

    async def work(channel: LiveChannel) -> None:
        for agent in ("odd1", "odd2", "odd3", "same1"):
            await failure_of(channel, agent)
        assert (await channel.ask(question("good"))).text == "ok"
        await failure_of(channel, "same2")
        assert (await channel.ask(question("good2"))).text == "ok"

    with_channel(server, work)
    assert len(server.log) == 7


@pytest.mark.rule("F21")
def test_a_conversation_that_was_answered_goes_on_while_others_are_refused():
    server = FaultServer(fault=lambda asked: None if asked.agent == "good" else refusal(400, "invalid_request_error", "no"))

    async def work(channel: LiveChannel) -> None:
        answer = await channel.ask(question("good"))
        for number in range(3):
            await failure_of(channel, f"a{number}")
        talk = (Message("user", "Look."), Message("assistant", answer.text), Message("user", "Go on."))
        assert (await channel.ask(question("good", 2, messages=talk))).text == "ok"

    with_channel(server, work)


@pytest.mark.rule("F21")
def test_a_reply_that_was_kept_is_read_again_while_the_circuit_is_open():
    down = False
    server = FaultServer(fault=lambda asked: refusal(500) if down else None)

    async def work(channel: LiveChannel) -> None:
        nonlocal down
        await channel.ask(question("a1"))
        down = True
        await failure_of(channel, "a2")
        assert (await channel.ask(question("a1"))).replayed

    with_channel(server, work)
