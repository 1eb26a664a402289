"""Limits of providers that show only in a reply (F20): a schema that is refused, a context shorter than its window."""

from pathlib import Path

import pytest

from agents.models_loop.modelling import a_model_task, a_target, model_agent, tools_for
from agents.models_loop.test_on_the_wire import a_task, brain
from counterproof.agents.context import tokens
from counterproof.agents.models.agent import Manner
from counterproof.agents.models.audit import opened_talk
from counterproof.agents.models.channel import Finish
from counterproof.agents.models.faults import ChannelFailed, FaultKind
from counterproof.agents.models.tuning import MIN_WINDOW, Tuning
from counterproof.model.contract import Role
from counterproof.model.dimension import Dimension
from faults import rig
from faults.rig import ANTHROPIC, OPENAI, READ, RESPONSES, ask, question, with_channel
from faults.server import Asked, FaultServer, Move, refusal


def a_large_target(folder: Path) -> Path:
    root = a_target(folder)
    for number in range(40):
        (root / f"part{number}.py").write_text("".join(f"def step_{line}(row):\n    return row + {line}\n" for line in range(60)))
    return root


SCHEMA = '{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}'
KEYS = {OPENAI: "response_format", RESPONSES: "text", ANTHROPIC: "output_config"}
WORDS = {
    OPENAI: "Invalid schema for response_format 'result'",
    RESPONSES: "Invalid schema for response_format 'result'",
    ANTHROPIC: "The compiled grammar is too large",
}


@pytest.mark.rule("F20")
@pytest.mark.parametrize("model", KEYS)
def test_a_schema_that_is_refused_is_asked_once_without_and_then_never_sent(model: str) -> None:
    def fault(asked: Asked) -> Move | None:
        return refusal(400, "invalid_request_error", WORDS[model]) if "schema" in str(asked.body.get(KEYS[model])) else None

    server = FaultServer(fault=fault)

    async def twice(channel):
        return [await channel.ask(question(step=step, output=SCHEMA)) for step in (1, 2)]

    answers = with_channel(server, twice, model)
    assert [each.finish for each in answers] == [Finish.STOP, Finish.STOP]
    assert ["schema" in str(asked.body.get(KEYS[model])) for asked in server.log] == [True, False, False]


@pytest.mark.rule("F20")
@pytest.mark.parametrize(
    ("said", "kind"),
    [("temperature must be 1", FaultKind.BAD_REQUEST), ("Invalid schema for function 'read'", FaultKind.SCHEMA_REFUSED)],
)
def test_a_refusal_that_no_missing_schema_would_mend_is_not_repeated(said: str, kind: FaultKind) -> None:
    server = FaultServer(fault=lambda _: refusal(400, "invalid_request_error", said))
    with pytest.raises(ChannelFailed) as failed:
        ask(server, "openai-compatible:mine", question(output=SCHEMA, tools=(READ,)))
    assert failed.value.kind is kind
    assert len(server.log) == 1


@pytest.mark.rule("F20")
def test_groq_gets_the_schema_with_the_hand_in_and_no_tools_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    server = FaultServer()

    async def both(channel):
        await channel.ask(question(step=1, output=SCHEMA, tools=(READ,)))
        await channel.ask(question(step=2, output=SCHEMA, tools=(READ,), hand_in=True))

    monkeypatch.setitem(rig.ENVIRONMENT, "GROQ_API_KEY", "k" * 20)
    with_channel(server, both, "groq:openai/gpt-oss-120b")
    looking, handing_in = (asked.body for asked in server.log)
    assert looking["tools"]
    assert "response_format" not in looking
    assert handing_in["response_format"]["type"] == "json_schema"
    assert "tools" not in handing_in


@pytest.mark.rule("F20")
def test_own_servers_get_the_answer_limit_under_its_older_name() -> None:
    server = FaultServer()
    ask(server, "openai-compatible:mine")
    assert server.log[0].body["max_tokens"] == 500
    assert "max_completion_tokens" not in server.log[0].body


@pytest.mark.rule("F20")
@pytest.mark.parametrize("effort", ["low", "high", "xhigh"])
def test_thinking_stays_below_the_limit_of_the_answer(effort: str) -> None:
    server = FaultServer()
    ask(server, "anthropic:claude-sonnet-4-5", question(effort=effort, max_output=4_000))
    body = server.log[0].body
    assert body["thinking"]["budget_tokens"] < body["max_tokens"] == 4_000


@pytest.mark.rule("F20")
def test_an_overflowing_opening_is_asked_again_with_less_and_said(tmp_path: Path, home: Path) -> None:
    root = a_large_target(tmp_path)

    def fault(asked: Asked) -> Move | None:
        return (
            refusal(400, "invalid_request_error", "prompt is too long: context length exceeded")
            if asked.tokens > 22_000
            else None
        )

    server = FaultServer(brain=brain, fault=fault)
    task = a_task(1, Dimension.D1)
    reply = with_channel(
        server,
        lambda channel: model_agent(channel, Manner(lambda _: Tuning(window=180_000))).run(task, tools_for(root, task)),
        ANTHROPIC,
    )
    assert server.log[0].tokens > 22_000
    assert server.log[-1].tokens <= 22_000
    assert any("fewer than the 180,000 tokens of its window" in note for note in reply.notes)
    assert reply.ended


@pytest.mark.rule("F20")
@pytest.mark.parametrize("role", list(Role))
def test_the_least_window_holds_an_opening_and_its_answer(role: Role, tmp_path: Path, home: Path) -> None:
    root = a_large_target(tmp_path)
    task = a_model_task(role)
    talk = opened_talk(task, tools_for(root, task), Tuning(4_096, 16_384, window=MIN_WINDOW))
    asked = talk.question(with_tools=True)
    shown = [asked.system, *(each.description + each.schema for each in asked.tools), *(each.text for each in asked.messages)]
    assert sum(map(tokens, shown)) + asked.max_output <= MIN_WINDOW
    assert [each.name for each in asked.tools] == ["read", "grep"]
    assert not talk.fits("word " * MIN_WINDOW)
