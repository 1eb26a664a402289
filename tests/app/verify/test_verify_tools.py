"""Whole verifications with scripted models: one that looks callers up and finds the flaw there, one that hangs."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.plans.planned_shop import CLEAN, FLAWED, shop
from app.verify.test_verify_models import spoken
from counterproof.app import driving, verify
from counterproof.app.delivery import Ended
from counterproof.app.team import PLAN_SEATS, terms_of
from counterproof.cli.console import SilentObserver
from counterproof.model.plan.challenge import Question, Response
from counterproof.model.plan.iteration import Verdict
from counterproof.model.receipt import Exit
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.runtime.home import Home
from faults.rig import KEY
from faults.server import Asked, FaultServer, Move, threaded
from faults.speech import Call, Says


class Unasked:
    def answers(self, iteration: int, questions: tuple[Question, ...]) -> tuple[Response, ...] | None:
        return ()


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", KEY)


def verified(folder: Path, server: FaultServer, roles: str = "challenger={},analyst", seconds: int = 0) -> Ended:
    model = f"openai-compatible:scripted@{server.url}/v1"
    terms = terms_of(PLAN_SEATS, roles.format(model), 5_000_000, "", Home().root)
    request = VerifyRequest(str(folder / "PLAN.md"), str(folder), terms=terms, max_seconds=seconds)
    return verify.start(request, Unasked(), SilentObserver(), Home())


def header(text: str) -> dict[str, Any]:
    named = re.findall(r"You are ([\w-]+), a [\w-]+(?:, mode \w+)?, in iteration (\d+)", text)[-1]
    return {"marker": re.findall(r"The marker of this task is (cp-[0-9a-f]+)", text)[-1], "agent_id": named[0],
            "iteration": int(named[1])}  # fmt: skip


def challenger(place: str) -> Callable[[Asked], Says]:
    """Asks who calls what the plan changes, and holds the caller that it is shown against the plan."""

    def brain(asked: Asked) -> Says:
        text = spoken(asked)
        looked = [row for row in asked.body["messages"] if row["role"] == "tool"]
        if "You are asked to mark the plan" in text:
            names = ("approach", "risk", "assumptions", "integration", "unknowns", "constraints")
            marks = [{"aspect": name, "points": 7, "source": "C1", "evidence": "see the challenge"} for name in names]
            return Says(json.dumps({**header(text), "marks": marks}))
        if not looked:
            return Says("", (Call("1", "callers", '{"name": "total_price"}'), Call("2", "symbols", '{"query": "old_total"}')))
        seen = any("return total_price(cart)" in json.dumps(row["content"]) for row in looked)
        mended = "parts of it would be refused" in text
        raised = {
            "claim": "Only total_price() has to round", "concern": "add_item() hands the total on unrounded to whoever asks",
            "failure_scenario": "The cart shows another sum than the receipt", "severity": "BLOCKING", "confidence": "HIGH",
            "plan_lines": [8], "places": ["shop/cart.py:6" if mended else place],
        }  # fmt: skip
        return Says(json.dumps({**header(text), "challenges": [raised] if seen and header(text)["iteration"] == 1 else []}))

    return brain


@pytest.mark.rule("P18", "P20")
def test_a_challenger_looks_callers_up_and_a_place_that_is_not_there_is_sent_back(tmp_path: Path, keyed: None) -> None:
    folder = shop(tmp_path / "shop", **{"PLAN.md": CLEAN})
    with threaded(FaultServer(brain=challenger("shop/cart.py:99"))) as server:
        done = verified(folder, server)
        asked = [spoken(each) for each in server.log]
    assert done.report
    assert [(each.claim, str(each.severity)) for each in done.report.challenges] == [
        ("Only total_price() has to round", "BLOCKING")
    ]
    assert done.report.grounds[0].places == ("shop/cart.py:6",)
    assert "│ step 2 (plan:8) changes `total_price`: shop/prices.py:4-5 total_price" in asked[0], "the code that a step touches"
    assert "│ uses `total_price`: shop/cart.py:4-6 add_item, at 6" in asked[0]
    assert "│ Never use `pickle` for carts." in asked[0]
    assert "the source 'shop/cart.py:99' does not count: the file has no such line" in asked[2]
    assert done.report.verdict is Verdict.REVISE


@pytest.mark.rule("A52")
@pytest.mark.parametrize(("plan", "verdict"), [(CLEAN, Verdict.PROCEED), (FLAWED, Verdict.REVISE)])
def test_a_model_that_hangs_leaves_the_embedded_agents_their_time_and_their_verdict(
    tmp_path: Path, keyed: None, monkeypatch: pytest.MonkeyPatch, plan: str, verdict: Verdict
) -> None:
    monkeypatch.setattr(driving, "MODEL_SHARE", 0.025)
    folder = shop(tmp_path / "shop", **{"PLAN.md": plan})
    with threaded(FaultServer(fault=lambda asked: Move(hang=True))) as server:
        done = verified(folder, server, "{}", seconds=40)
        assert server.log
    assert done.report
    assert done.report.verdict is verdict
    assert "by the embedded agents" in done.report.sentence
    reasons = [each.text for each in done.outcome.reasons]
    assert any("the time for models was over" in each for each in reasons), reasons
    assert not any("time limit" in each for each in reasons)
    assert done.outcome.exit is (Exit.INCOMPLETE if verdict is Verdict.PROCEED else Exit.FINDINGS)
