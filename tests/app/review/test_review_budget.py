"""An ordinary change of some three hundred lines is reviewed whole at the default budget, with looks at the code, over HTTP."""

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.review.changed_tree import changed, git
from app.review.test_review_models import Agreeing
from counterproof.agents import roles
from counterproof.agents.models.faults import BudgetExhausted
from counterproof.agents.models.purse import Purse
from counterproof.app import review
from counterproof.cli.console import SilentObserver
from counterproof.knowledge.profiles import load_profile
from counterproof.model.budget import Limit, Usage
from counterproof.model.receipt import Exit
from counterproof.protocols.guard.budget import opened
from counterproof.protocols.review.presets import TERMS, Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home
from faults.rig import KEY, ask, question, terms
from faults.server import Asked, FaultServer, threaded
from faults.speech import Call, Says

UNITS = 60
CALLER = "def invoice(order):\n    return price_0(order, 1) + order.fees\n"


def prices(body: str) -> str:
    parts = (f"def price_{n}(order, amount):\n    base = order.lines[{n}].cents\n{body}" for n in range(UNITS))
    return "\n\n".join(parts)


BEFORE = {
    "shop/prices.py": prices("    return base * amount\n"),
    "shop/invoices.py": f"from shop.prices import price_0\n\n\n{CALLER}",
}
AFTER = {
    "shop/prices.py": prices(
        "    if amount > order.limit:\n        base = base - order.cut\n    taxed = base * order.tax\n    return taxed * amount\n"
    )
}


class Curious:
    """Plays every specialist: looks callers up for as long as it may, then files a finding about a line that it was shown. A task
    of several parts has several conversations."""

    def __init__(self) -> None:
        self.looked: dict[str, list[str]] = {}

    def __call__(self, asked: Asked) -> Says:
        said = self.said(asked.body)
        read = sum(len(str(each.get("content"))) for each in asked.body["messages"]) + len(json.dumps(asked.body["tools"]))
        return replace(said, usage=(int(read / 3.3), 700))

    def said(self, body: dict[str, Any]) -> Says:
        opening = "\n".join(str(each["content"]) for each in body["messages"] if each["role"] == "user")
        agent, code, iteration = re.findall(r"You are ([\w-]+), the specialist (\w+).*?Iteration (\d+)", opening, re.DOTALL)[-1]
        answers = [str(each["content"]) for each in body["messages"] if each["role"] == "tool"]
        self.looked.setdefault(agent, []).extend(answers[-1:])
        if body.get("tool_choice") != "none":
            return Says("", calls=(Call(f"{agent}-{len(answers)}", "callers", json.dumps({"name": f"price_{len(answers)}"})),))
        marker = re.findall(r"The marker of this task is (cp-[0-9a-f]+)", opening)[-1]
        given: dict[str, Any] = {"marker": marker, "agent_id": agent, "iteration": int(iteration), "positions": []}
        if "Your task: take positions" not in opening:
            given["findings"] = [_finding(code)]
        return Says(json.dumps({**given, "defences": [], "no_findings": False}))


def _finding(code: str) -> dict[str, Any]:
    domain = {"SEC": "injection", "PERF": "io", "QUAL": "naming", "CORR": "logic", "ARCH": "coupling"}[code]
    return {
        "kind": f"trial of {code}", "title": "found by the script", "domain": domain, "severity": "low", "confidence": "low",
        "failure": "error",
        "trust": "N/A", "file": "shop/prices.py", "start": 3, "end": 3, "quote": "if amount > order.limit:", "evidence": "x" * 99,
    }  # fmt: skip


@pytest.mark.rule("R25")
@pytest.mark.rule("R42")
def test_three_hundred_changed_lines_are_reviewed_with_looks_at_the_default_budget(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", KEY)
    folder = changed(tmp_path / "a", BEFORE, AFTER)
    assert sum(int(number) for number in git(folder, "diff", "--cached", "--numstat").split()[:2]) == 300
    brain = Curious()
    profile = team(load_profile("code"), Preset.DEFAULT)
    with threaded(FaultServer(brain=brain)) as server:
        agents = f"openai-compatible:scripted@{server.url}/v1"
        prompts = roles.review_digest()
        request = ReviewRequest(str(folder), profile, yes=True, agents=agents, prompts=prompts, team="full")
        done = review.start(request, Agreeing(), SilentObserver(), Home())
    assert done.report
    assert request.tokens == TERMS[Preset.DEFAULT].tokens
    assert not done.report.truncated
    assert [each.text for each in done.outcome.reasons if each.code in (Exit.OVER_BUDGET, Exit.INCOMPLETE)] == []
    for code in (each.code for each in profile.specialists):
        assert any("order.fees" in answer for answer in brain.looked[f"{code}-refine-1"]), f"{code} saw no caller's body"
        assert f"{code}-refine-2" in brain.looked
    assert not any("-challenge-" in agent for agent in brain.looked), "minor findings ask nobody"
    assert {each.finding.specialist for each in done.report.resolved if each.finding.model}
    assert sum(each.tokens for each in done.report.spending) <= request.tokens


@pytest.mark.rule("R25")
def test_what_a_call_in_flight_will_not_use_is_waited_for_and_what_cannot_fit_is_refused_at_once() -> None:
    async def run() -> None:
        purse = Purse(opened(Limit(1_000, None), 1), payer=lambda task: task)
        first, _ = await purse.reserved("a", 100, 700, None)
        second = asyncio.ensure_future(purse.reserved("b", 100, 700, None))
        await asyncio.sleep(0)
        assert not second.done(), "what the first one holds is not there yet"
        with pytest.raises(BudgetExhausted):
            await purse.reserved("c", 100, 1_000, None)
        purse.settle(first, Usage(90, 60), None)
        purse.settle((await asyncio.wait_for(second, 10))[0], Usage(100, 700), None)
        with pytest.raises(BudgetExhausted):
            await purse.reserved("d", 100, 0, None)
        assert purse.budget.used.tokens == 950

    asyncio.run(run())


@pytest.mark.rule("R25")
def test_the_rest_of_a_budget_buys_a_shorter_answer_and_one_that_does_not_fit_is_not_asked_for_again() -> None:
    def asked(says: Says) -> tuple[str, FaultServer]:
        server = FaultServer(brain=lambda asked: says)
        try:
            return ask(server, asked=question(max_output=8_192), given=terms(8_000)).text, server
        except BudgetExhausted as short:
            return str(short), server

    told, server = asked(Says("enough"))
    assert told == "enough"
    assert [each.body["max_completion_tokens"] for each in server.log] == [4_096], "the question itself takes some of it"
    told, server = asked(Says("too lo", finish="length"))
    assert told == "the answer is longer than the rest of the budget allows"
    assert len(server.log) == 1
