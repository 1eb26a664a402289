"""A standard audit of the example shop with models in every role, over real HTTP, from the command line to the report.

The provider is a server on this machine that speaks the OpenAI format; its model is a script. The test writes a readable
transcript: questions, tool calls, results.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.obedient import obeys
from cli.command import counterproof
from counterproof.agents.models.channel import Message, Question, ToolCall, ToolSpec
from faults.server import Asked, FaultServer, threaded
from faults.speech import Call, Says

SHOP = Path(__file__).parents[3] / "examples" / "shop"


def question_of(asked: Asked) -> Question:
    """The request as our own side put it, read back from the wire."""
    rows: list[dict[str, Any]] = asked.body["messages"]
    system = "".join(row["content"] for row in rows if row["role"] in ("system", "developer"))
    messages: list[Message] = []
    names: dict[str, str] = {}
    for row in rows:
        if row["role"] == "assistant":
            made = tuple(
                ToolCall(c["id"], c["function"]["name"], c["function"]["arguments"]) for c in row.get("tool_calls") or ()
            )
            names.update({call.id: call.name for call in made})
            messages.append(Message("assistant", row.get("content") or "", made))
        elif row["role"] == "tool":
            call = row["tool_call_id"]
            messages.append(Message("tool", row["content"], call_id=call, tool=names.get(call, "unknown")))
        elif row["role"] == "user":
            messages.append(Message("user", row["content"]))
    tools = tuple(ToolSpec(each["function"]["name"], "", "{}") for each in asked.body.get("tools") or ())
    step = 1 + sum(message.role == "assistant" for message in messages)
    return Question("wire", 1, step, system, tuple(messages), tools, hand_in=asked.body.get("tool_choice") == "none")


class Provider:
    """The scripted model behind the server, and what it wrote down."""

    def __init__(self) -> None:
        self.transcript: list[str] = []

    def __call__(self, asked: Asked) -> Says:
        question = question_of(asked)
        answer = obeys(question)
        who, role = re.findall(r"^You are (\S+), a ([a-z ]+), in round", question.task_text, re.MULTILINE)[0]
        if answer.calls:
            wanted = ", ".join(f"{call.name}({call.arguments})" for call in answer.calls)
            self.transcript.append(f"{who} ({role}), turn {question.step}: calls {wanted}")
            calls = tuple(Call(call.id, call.name, call.arguments) for call in answer.calls)
            return Says("", calls, "tool_calls")
        self.transcript.append(f"{who} ({role}), turn {question.step}: hands in {answer.text[:200]}")
        return Says(answer.text)


def test_a_standard_audit_of_the_shop_by_models_over_http(tmp_path: Path) -> None:
    provider = Provider()
    with threaded(FaultServer(brain=provider)) as server:
        model = f"openai-compatible:scripted@{server.url}/v1"
        ran = counterproof(
            "audit", str(SHOP), "--yes", "--agents", model, "--budget-tokens", "50000000", "--out", str(tmp_path / "out"),
            COUNTERPROOF_SEMGREP="", OPENAI_COMPATIBLE_API_KEY="sk-demo-0123456789",
        )  # fmt: skip
        asked = len(server.log)
        bodies = b"".join(each.raw for each in server.log)
        again = counterproof("replay", "latest")
        told = counterproof("log", "show", "latest")
        one = counterproof("log", "show", "latest", "--agent", "model-r1-01")
        assert len(server.log) == asked  # replaying asks nobody
    (tmp_path / "transcript.txt").write_text("\n".join(provider.transcript) + "\n")
    assert ran.returncode == 1, ran.stderr
    assert again.returncode == 0, again.stderr
    assert re.search(r"Plan: standard audit of .*; about [\d,]+ tokens", ran.stderr + ran.stdout)
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    receipt = json.loads((tmp_path / "out" / "receipt.json").read_text())
    said = {row["finding"]["corroboration"] for row in report["findings"]}
    assert "reported by the agent and by the analysers" in said
    assert "reported by the analysers alone" in said
    assert receipt["tokens"] > 1_000
    assert receipt["models"]["team"] == model
    roles = {line.split("(")[1].split(")")[0] for line in provider.transcript}
    assert {"hunter", "validator"} <= roles
    assert any("calls glob" in line for line in provider.transcript)
    assert any("calls read" in line for line in provider.transcript)
    assert b"sk-demo" not in bodies
    _follow(told.stdout, one.stdout)


def _follow(told: str, one: str) -> None:
    """The transcript has every step in order, with names, calls, claims and both witnesses' results."""
    steps = ("[MODE] standard", "[PLAN_ACK]", "model-r1-01/attempt-1: begins", "turn 1: calls glob", "turn 2: calls read")
    places = [told.index(step) for step in steps]
    assert places == sorted(places)
    assert "hands in " in told
    assert "(reported by the agent and by the analysers)" in told
    assert "tokens" in told
    assert "[PHASE] phase:5" in told
    assert "model-r1-01/attempt-1: finishes with" in one
    assert "[PHASE]" not in one
    assert "agent-r1-02" not in one


def test_a_run_is_followed_live_from_another_process(tmp_path: Path) -> None:
    """The follower is started from inside the first answer, while the run is under way, and ends with it."""
    followers: list[subprocess.Popen[str]] = []
    provider = Provider()

    def brain(asked: Asked) -> Says:
        if not followers:
            command = [sys.executable, "-m", "counterproof", "log", "show", "latest", "--follow"]
            followers.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ)))
            assert followers[0].stdout
            assert followers[0].stdout.readline(), "what went before is told at once"
        return provider(asked)

    with threaded(FaultServer(brain=brain)) as server:
        model = f"openai-compatible:scripted@{server.url}/v1"
        ran = counterproof("audit", str(SHOP), "--mode", "quick", "--only", "D10", "--agents", model)
    told = followers[0].communicate(timeout=60)[0]
    assert ran.returncode in (0, 1), ran.stderr
    assert "model-r1-01/attempt-1: finishes with" in told
    assert "[PHASE] phase:5" in told or "receipt" in told, "it was told to the end"


@pytest.mark.rule("A51")
def test_a_small_budget_ends_in_exit_code_5_with_a_report(tmp_path: Path) -> None:
    provider = Provider()
    with threaded(FaultServer(brain=provider)) as server:
        ran = counterproof(
            "audit", str(SHOP), "--mode", "quick", "--agents", f"openai-compatible:scripted@{server.url}/v1", "--budget-tokens",
            "60000", "--fail-on", "critical", "--only", "D10", "--out", str(tmp_path / "out"),
        )  # fmt: skip
        assert server.spent <= 60_000
    receipt = json.loads((tmp_path / "out" / "receipt.json").read_text())
    assert ran.returncode == 5, ran.stdout + ran.stderr
    assert receipt["exit"] == "over_budget"
    assert receipt["tokens"] <= 60_000
    assert (tmp_path / "out" / "report.html").is_file()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--agents", "nobody:model"), "one of anthropic, openai"),
        (("--agents", "boss=openai:x"), "hunter, chain-checker, deep-diver, validator, hit-verifier"),
        (("--agents", "openai-compatible:m@https://models.example/v1", "--budget-usd", "3"), "needs a limit in tokens"),
        (("--budget-usd", "3"), "add --agents"),
        (("--agents", "ollama:m", "--budget-usd", "three"), "not an amount in dollars"),
    ],
)
def test_command_line_errors_are_reported(given: tuple[str, ...], told: str) -> None:
    ran = counterproof("audit", str(SHOP), "--mode", "quick", *given)
    assert ran.returncode == 2
    assert told in ran.stderr
