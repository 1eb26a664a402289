"""A real model whose words are worth nothing takes part: garbage in does not become findings out (A29, F9).

The tests have no rule marks: they are slow, and faster ones cover the same rules.
"""

import asyncio
import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from agents.models_loop.modelling import a_model_task, model_agent, toolbox_for, tools_for
from agents.models_loop.test_demonstration import question_of
from agents.small_model.serving import asked, served
from cli.command import counterproof
from counterproof.agents.models.agent import Manner
from counterproof.agents.models.opening import open_channel
from counterproof.agents.models.providers import parse_model
from counterproof.agents.models.tuning import Tuning
from counterproof.model.contract import AgentReply, Limits, Role
from counterproof.model.judgement import Verdict
from counterproof.protocols.audit.ruling import Opinion, rule_on
from faults.rig import terms
from faults.server import Asked, FaultServer, threaded
from faults.speech import Call, Says

CODE = """import os

from flask import Flask, request

app = Flask(__name__)


@app.route("/ping")
def ping():
    os.system("ping -c 1 " + request.args["host"])
    return "ok"


@app.route("/sum")
def total():
    numbers = range(10)
    return str(sum(numbers))


def area(width: int, height: int) -> int:
    return width * height
"""
FLAW = 10
ASKED = ["D1", "D4", "D5"]
DIMENSIONS = {22: "D5", 78: "D1", 79: "D1", 89: "D1", 502: "D4"}


@pytest.fixture(scope="module")
def model() -> Generator[str]:
    with served(2_560) as address:
        yield address


@pytest.fixture
def target(tmp_path: Path) -> Path:
    root = tmp_path / "target"
    root.mkdir()
    (root / "app.py").write_text(CODE)
    return root


class Interpreter:
    """Lets the small model hunt: it is asked about one line at a time, and its words are put into the form of the contract."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.words: dict[int, dict[str, Any]] = {}

    def __call__(self, request: Asked) -> Says:
        question = question_of(request)
        opening = question.opening
        if question.may_call and question.step == 1:
            return Says("", (Call("c1", "read", '{"path":"app.py"}'),), "tool_calls")
        marker = re.search(r"cp-[0-9a-f]{32}", opening)
        agent = re.search(r"You are ([\w-]+)", opening)
        assert marker
        assert agent
        claims = [claim for claim in self._claims() if claim["dimension"] in ASKED]
        result = {
            "marker": marker[0], "agent_id": agent[1], "round": 1, "dimensions": ASKED, "nothing_found": not claims,
            "findings": claims,
        }  # fmt: skip
        return Says(json.dumps(result))

    def _claims(self) -> list[dict[str, Any]]:
        lines = CODE.splitlines()
        for number in (FLAW, 17, 21):
            if number not in self.words:
                self.words[number] = asked(self._address, f"Is this line of code vulnerable?\n{lines[number - 1].strip()}")
        return [
            {
                "title": word["why"], "dimension": DIMENSIONS[word["cwe"]], "cwe": word["cwe"], "severity": word["severity"],
                "confidence": "high", "file": "app.py", "start": number, "end": number, "evidence": lines[number - 1].strip(),
                "impact": word["why"], "reach": "anonymous", "harm": "full",
            }
            for number, word in self.words.items()
            if word["vulnerable"]
        ]  # fmt: skip


def test_a_nonsensical_models_claim_does_not_become_a_confirmed_finding(model: str, target: Path, tmp_path: Path) -> None:
    hunter = Interpreter(model)
    with threaded(FaultServer(brain=hunter)) as server:
        ran = counterproof(
            "audit", str(target), "--mode", "quick", "--yes", "--only", ",".join(ASKED), "--out", str(tmp_path / "out"),
            "--agents", f"hunter=openai-compatible:small@{server.url}/v1", "--budget-tokens", "3000000", COUNTERPROOF_SEMGREP="",
        )  # fmt: skip
        assert len(server.log) < 40
    assert ran.returncode == 1, ran.stderr
    assert sum(word["vulnerable"] for word in hunter.words.values()) >= 2, "the model is wiser than this test takes it for"
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    receipt = json.loads((tmp_path / "out" / "receipt.json").read_text())
    own = [row for row in report["findings"] if row["finding"]["rule"]]
    claimed = [row for row in report["findings"] if not row["finding"]["rule"]]
    assert [(row["severity"], row["finding"]["cwe"], row["finding"]["location"]["start"]) for row in own] == [
        ("critical", 78, FLAW)
    ]
    assert claimed
    for row in claimed:
        assert row["confidence"] == "claimed"
        assert row["labels"] == ["unvalidated"]
        assert row["finding"]["corroboration"] in ("reported by the agent alone", "contradicted by the analysers")
    assert 0 < receipt["tokens"] <= 3_000_000


@pytest.mark.nightly
def test_a_window_too_small_for_the_question_is_reported_and_never_clean(target: Path, tmp_path: Path) -> None:
    with served(1_024) as cramped:
        ran = counterproof(
            "audit", str(target), "--mode", "quick", "--yes", "--only", "D1", "--out", str(tmp_path / "out"),
            "--agents", f"openai-compatible:small@{cramped}/v1", "--budget-tokens", "3000000", COUNTERPROOF_SEMGREP="",
        )  # fmt: skip
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    receipt = json.loads((tmp_path / "out" / "receipt.json").read_text())
    assert "exceeds the available context size" in " ".join(report["limitations"])
    assert receipt["tokens"] == 0
    assert ran.returncode == 1  # the analysers' own finding; what is missing stands beside it
    assert 3 in [reason["code"] for reason in receipt["reasons"]]
    assert [row["finding"]["rule"] for row in report["findings"]] == ["command-injection"]


@pytest.mark.nightly
def test_its_judgements_change_nothing_that_the_analysers_established(model: str, target: Path) -> None:
    hunt = a_model_task()
    found = hunt(hunt, toolbox_for(target, hunt)).findings
    task = a_model_task(
        Role.VALIDATOR,
        id="validator-01/attempt-2",
        agent_id="validator-01",
        attempt=2,
        findings=found,
        steps=4,
        limits=Limits(5, 5),
    )

    async def judged() -> AgentReply:
        channel = open_channel(parse_model(f"openai-compatible:small@{model}/v1"), {}, terms())
        try:
            return await model_agent(channel, Manner(lambda _: Tuning(200, 200))).run(task, tools_for(target, task))
        finally:
            await channel.close()

    reply = asyncio.run(judged())
    (finding,) = found
    own = toolbox_for(target, task).judge(finding, 4)
    opinions = (Opinion("validator-01", (own,)), Opinion("model-validator-01", reply.judgements, "small"))
    ruling = rule_on(finding, opinions, 4)
    assert ruling.judgement is not None
    assert ruling.judgement.verdict is Verdict.CONFIRMED
    assert not ruling.refuted
