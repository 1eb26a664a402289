"""`counterproof doctor`: says what works, shows no key, sends nothing unless models are named."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from counterproof.app.doctor import Check, State, examine
from counterproof.app.model_check import LEAST_ANSWER, casts
from counterproof.cli.main import app
from counterproof.runtime.home import Home
from faults.caching import PrefixCache
from faults.server import Asked, FaultServer, Move, refusal, threaded

KEY = "sk-doctor-0123456789"


@pytest.fixture(autouse=True)
def _quiet_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERPROOF_KEYRING", "off")
    program = tmp_path / "semgrep"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    monkeypatch.setenv("COUNTERPROOF_SEMGREP", str(program))


def about(checks: Iterable[Check], name: str) -> list[Check]:
    return [check for check in checks if check.about == name]


def test_without_models_it_looks_at_the_machine(tmp_path: Path, home: Path):
    checks = [*examine((), {"OPENAI_API_KEY": KEY}, Home(), tmp_path, send=False)]
    assert [check.about for check in checks] == [
        "data directory",
        "sandbox",
        "Semgrep",
        "libraries for models",
        "keys for models",
    ]
    assert not any(check.state is State.SHORT for check in checks)
    assert "openai (OPENAI_API_KEY)" in checks[-1].text
    assert KEY not in str(checks)
    assert list(home.iterdir()) == []


def test_without_the_optional_semgrep_nothing_falls_short(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("COUNTERPROOF_SEMGREP")
    monkeypatch.setenv("PATH", "")
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 0, result.output
    assert "note   Semgrep: optional, not found" in result.output


def test_a_semgrep_that_was_named_and_is_not_there_falls_short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("COUNTERPROOF_SEMGREP", str(tmp_path / "nowhere"))
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 3, result.output


def test_a_missing_key_fails_the_check_with_a_next_step(tmp_path: Path):
    checks = [*examine(casts("anthropic:claude-sonnet-4-6"), {}, Home(), tmp_path, send=False)]
    (check,) = about(checks, "anthropic:claude-sonnet-4-6")
    assert check.state is State.SHORT
    assert "ANTHROPIC_API_KEY" in check.next


def test_a_known_model_has_a_price_and_an_unknown_one_a_note(tmp_path: Path):
    team = casts("hunter=openai:gpt-5,openai:gpt-nonsense")
    checks = [*examine(team, {"OPENAI_API_KEY": KEY}, Home(), tmp_path, send=False)]
    known = about(checks, "openai:gpt-5")
    assert [check.state for check in known] == [State.WORKS, State.WORKS]
    assert "for a million tokens" in known[1].text
    assert [check.state for check in about(checks, "openai:gpt-nonsense")] == [State.WORKS, State.NOTE]


def test_a_data_directory_that_cannot_be_used_falls_short(tmp_path: Path):
    (tmp_path / "file").write_text("")
    checks = examine((), {}, Home(tmp_path / "file" / "home"), tmp_path, send=False)
    assert next(checks).state is State.SHORT


def doctor(spec: str, *more: str) -> Result:
    return CliRunner().invoke(app, ["doctor", "--agents", spec, *more])


def test_doctor_sends_each_contract_of_the_named_models_once_and_says_so_before():
    with threaded(FaultServer(cache=PrefixCache())) as server:
        spec = f"openai-compatible:small@{server.url}/v1"
        quiet = doctor(spec, "--offline")
        assert quiet.exit_code == 0, quiet.output
        assert server.log == []
        asked = doctor(spec)
        schemas = [json.dumps(each.body["response_format"]) for each in server.log if "response_format" in each.body]
    assert asked.exit_code == 0, asked.output
    assert asked.output.startswith("Sending 17 requests to ")  # for each protocol one with tools, and one for each contract
    assert all(each.body["max_tokens"] == LEAST_ANSWER for each in server.log)
    assert len(schemas) == len(set(schemas)) == 14  # a chain checker and a deep diver have one contract
    for role in (
        "hunter", "chain checker, deep diver", "validator", "hit verifier", "review refine", "review challenge", "review defend",
        "plan challenger, plan domain-expert, plan devils-advocate", "plan synthesizer", "plan surface", "plan score",
    ):  # fmt: skip
        assert f"ok     {role}: {spec}: accepted (" in asked.output
    assert asked.output.count("schema: native, with the hand-in only; ") == 14
    assert asked.output.count("input tokens from the cache") == 14  # the tools, from the second request on


def test_doctor_asks_only_the_roles_that_models_play_and_names_how_each_takes_its_schema(monkeypatch: pytest.MonkeyPatch):
    for name in ("GROQ_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, KEY)

    def fault(asked: Asked) -> Move | None:
        strict = asked.body["model"] == "gpt-5" and "response_format" in asked.body
        return refusal(400, "invalid_request_error", "Invalid schema for response_format") if strict else None

    with threaded(FaultServer(fault=fault)) as server:
        ran = doctor(f"hunter=groq:openai/gpt-oss-120b@{server.url},validator=openai:gpt-5@{server.url}/v1,analyst")
    assert ran.exit_code == 0, ran.output
    (hunter,) = [line for line in ran.output.splitlines() if line.startswith("ok     hunter: ")]
    (validator,) = [line for line in ran.output.splitlines() if line.startswith("ok     validator: ")]
    assert "schema: native, with the hand-in only" in hunter
    assert "schema: in the prompt only; " in validator
    assert "refused the schema of the answer" in validator
    assert len(server.log) == 2 + 2
    longest = [each.body.get("max_completion_tokens") or each.body["max_tokens"] for each in server.log]
    assert longest == [8_192, LEAST_ANSWER, 16_384, 16_384]
    assert "no price is known for this name: a token limit applies (2,000,000 " in ran.output


def test_doctor_tells_of_a_role_before_it_asks_the_next_one(tmp_path: Path):
    with threaded(FaultServer()) as server:
        spec = f"openai-compatible:small@{server.url}/v1#window=8000"
        asked = [(check.about, len(server.log)) for check in examine(casts(spec), os.environ, Home(), tmp_path, send=True)]
        tools = {tool["function"]["name"] for each in server.log for tool in each.body["tools"]}
    assert [count for about, count in asked if ": openai-compatible" in about] == [*range(2, 6), *range(7, 11), *range(12, 18)]
    assert tools == {"read", "grep"}  # those of a small window


def test_doctor_asks_roles_that_get_no_schema_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MISTRAL_API_KEY", KEY)
    with threaded(FaultServer()) as server:
        ran = doctor(f"mistral:mistral-large-latest@{server.url}")
    assert ran.exit_code == 0, ran.output
    assert "hunter, chain checker, deep diver, validator, hit verifier: mistral:" in ran.output
    assert len(server.log) == 3  # the protocols differ in their tools


def test_doctor_names_each_role_that_is_not_accepted():
    with threaded(FaultServer(fault=lambda asked: refusal(400, "invalid_request_error", "max_tokens: too large"))) as server:
        ran = doctor(f"openai-compatible:small@{server.url}/v1")
    assert ran.exit_code == 3, ran.output
    assert ran.output.count("not accepted: openai-compatible:small@") == 14
    assert ran.output.count("max_tokens: too large") == 14


def test_a_model_that_refuses_ends_in_exit_3(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with threaded(FaultServer(fault=lambda asked: refusal(401, "invalid_api_key", f"Incorrect API key: {KEY}"))) as server:
        result = doctor(f"openai:gpt-5@{server.url}/v1")
    assert result.exit_code == 3, result.output
    assert "not authorised" in result.output
    assert "the key in OPENAI_API_KEY was refused: set OPENAI_API_KEY to one that this server accepts" in result.output
    assert KEY not in result.output
