"""Faults that a provider reports: rate limits, spend limits, overload, mistakes of ours (F1 to F4)."""

import asyncio
from dataclasses import replace
from email.utils import formatdate

import pytest

from counterproof.agents.models.channel import Finish
from counterproof.agents.models.faults import ChannelFailed, FaultKind
from counterproof.agents.models.live import LiveChannel
from counterproof.model.errors import ProviderPause
from faults.rig import KEY, WIRES, ask, question, terms, timed, with_channel
from faults.server import EPOCH, Asked, FaultServer, Move, refusal


def once(move: Move):
    """The first try goes wrong, the second does not."""
    return lambda asked: move if asked.attempt == 1 else None


def gap(server: FaultServer) -> float:
    first, second = server.log
    return second.at - first.at


@pytest.mark.rule("F1")
@pytest.mark.parametrize("model", WIRES)
@pytest.mark.parametrize(
    ("told", "least", "most"), [("7", 7, 9), ("100", 100, 120), ("0", 0.4, 1.1), ("0.5", 0.5, 1.1), (None, 0.4, 1.1)]
)
def test_a_rate_limited_question_is_retried_no_earlier_than_stated(model: str, told: str | None, least: float, most: float):
    headers = {} if told is None else {"retry_after": told}
    server = FaultServer(fault=once(refusal(429, "rate_limit_error", "slow down", **headers)))
    answer = ask(server, model)
    assert answer.finish is Finish.STOP
    assert least <= gap(server) <= most


@pytest.mark.rule("F1")
def test_a_date_in_retry_after_is_read_against_the_servers_own_clock():
    def fault(asked: Asked) -> Move | None:
        told = formatdate(EPOCH + asked.at + 30, usegmt=True)
        return refusal(429, "rate_limit_error", retry_after=told) if asked.attempt == 1 else None

    server = FaultServer(fault=fault)
    ask(server)
    assert 29 <= gap(server) <= 35


@pytest.mark.rule("F1")
def test_of_two_times_to_wait_the_longer_one_holds():
    headers = (("Retry-After", "1"), ("retry-after-ms", "3000"), ("Retry-After", "9"))
    server = FaultServer(fault=once(replace(refusal(429, "rate_limit_error", "slow down"), headers=headers)))
    assert ask(server).finish is Finish.STOP
    assert gap(server) >= 9


@pytest.mark.rule("F1")
def test_an_hour_is_not_waited_for_but_pauses_the_run():
    server = FaultServer(fault=once(refusal(429, "rate_limit_error", retry_after="3600")))
    with pytest.raises(ProviderPause, match="3600 seconds"):
        ask(server)
    assert len(server.log) == 1


@pytest.mark.rule("F1", "F2")
def test_an_hour_is_not_waited_for_by_those_who_have_not_asked_yet_either():
    server = FaultServer(fault=lambda asked: refusal(429, "rate_limit_error", retry_after="3600"))

    async def work(channel: LiveChannel) -> list[object]:
        return await asyncio.gather(*(channel.ask(question(f"a{number}")) for number in range(8)), return_exceptions=True)

    ends, seconds = with_channel(server, lambda channel: timed(work(channel)))
    assert all(isinstance(each, ProviderPause) for each in ends), ends
    assert seconds < 60
    assert len(server.log) <= 2


@pytest.mark.rule("F1")
def test_waits_differ_between_agents():
    waits: set[float] = set()
    for seed in range(5):
        server = FaultServer(fault=once(refusal(429, "rate_limit_error", retry_after="60")))
        ask(server, given=terms(seed=seed))
        waits.add(round(gap(server), 2))
        assert gap(server) >= 60
    assert len(waits) == 5


@pytest.mark.rule("F1")
@pytest.mark.parametrize("told", ["-5", "soon", "nan", "inf", "1e400", "9" * 400])
def test_a_senseless_retry_after_is_no_instruction(told: str):
    server = FaultServer(fault=once(refusal(429, "rate_limit_error", retry_after=told)))
    assert ask(server).text == "ok"
    assert gap(server) < 5


@pytest.mark.rule("F1")
def test_a_provider_that_always_refuses_pauses_the_run_after_bounded_tries():
    server = FaultServer(fault=lambda asked: refusal(429, "rate_limit_error"))
    with pytest.raises(ProviderPause, match="12 tries"):
        ask(server)
    assert len(server.log) == 12


@pytest.mark.rule("F2")
@pytest.mark.parametrize(
    ("status", "kind", "message"),
    [
        (429, "insufficient_quota", "You exceeded your current quota, please check your plan and billing details."),
        (429, "rate_limit_error", "This request would exceed your organization's monthly spend limit."),
        (400, "invalid_request_error", "Your credit balance is too low to access the API."),
        (402, "payment", "Payment required"),
        (429, "credits_exhausted", "No more credits"),
        (429, "rate_limit_error", "Prepaid amount used up"),
        (403, "billing_error", "There is a problem with your billing details"),
    ],
)
def test_a_spend_limit_pauses_at_once_and_the_run_can_go_on_later(status: int, kind: str, message: str):
    paid = False
    server = FaultServer(fault=lambda asked: None if paid else refusal(status, kind, message, retry_after="1"))
    given = terms()
    with pytest.raises(ProviderPause) as pause:
        ask(server, given=given)
    assert len(server.log) == 1
    assert "credit" in pause.value.hint
    assert given.purse.budget.used.tokens == given.purse.budget.held.tokens == 0
    paid = True
    assert ask(server, given=given).text == "ok"


@pytest.mark.rule("F3")
@pytest.mark.parametrize("model", WIRES)
@pytest.mark.parametrize("status", [500, 502, 503, 504, 529])
def test_a_server_error_is_tried_again_a_bounded_number_of_times(model: str, status: int):
    assert ask(FaultServer(fault=once(refusal(status))), model).text == "ok"
    server = FaultServer(fault=lambda asked: refusal(status))
    with pytest.raises(ChannelFailed, match=f"status {status}"):
        ask(server, model)
    assert len(server.log) == 6


@pytest.mark.rule("F3")
def test_an_error_in_the_body_of_a_200_is_no_reply():
    overloaded = Move(body=b'{"error":{"code":503,"message":"no capacity"}}')
    assert ask(FaultServer(fault=once(overloaded))).text == "ok"


@pytest.mark.rule("F4")
@pytest.mark.parametrize("model", WIRES)
@pytest.mark.parametrize(
    ("status", "error"),
    [(400, ChannelFailed), (401, ProviderPause), (403, ProviderPause), (404, ProviderPause), (413, ChannelFailed)],
)
def test_faults_that_a_retry_cannot_fix_are_not_retried(model: str, status: int, error: type[Exception]):
    server = FaultServer(fault=lambda asked: refusal(status, "invalid", f"because of {KEY}"))
    given = terms()
    with pytest.raises(error) as raised:
        ask(server, model, given=given)
    assert len(server.log) == 1
    said = str(raised.value)
    assert f"status {status}" in said
    assert "because of [key]" in said
    assert KEY not in said
    assert given.purse.budget.used.tokens == 0


@pytest.mark.rule("F4")
def test_a_question_that_is_too_large_says_so():
    with pytest.raises(ChannelFailed) as raised:
        ask(FaultServer(fault=lambda asked: refusal(413)))
    assert raised.value.kind is FaultKind.QUESTION_TOO_LARGE


def test_a_redirect_is_not_followed():
    server = FaultServer(fault=lambda asked: Move(status=307, headers=(("location", "http://127.0.0.2:1/"),), body=b""))
    with pytest.raises(ChannelFailed, match="not followed"):
        ask(server)
    assert len(server.log) == 1


def test_time_spent_waiting_is_bounded_for_one_question():
    server = FaultServer(fault=lambda asked: refusal(429, "rate_limit_error", retry_after="119"))

    async def work(channel):
        with pytest.raises(ProviderPause):
            await channel.ask(question())

    _, seconds = with_channel(server, lambda channel: timed(work(channel)))
    assert seconds < 2_000
