"""The real model whose words are worth nothing plays every role of a review and of a plan verification once.

Its window is small, so it is asked about one line at a time; a server puts its words into the form of each contract. What the
embedded agents established must come out whole, and what it says must not count without grounds. No rule marks: these are slow.
"""

import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from agents.small_model.serving import asked, served
from analysis.plans.planned_shop import FLAWED, shop
from analysis.review.changed_tree import changed
from app.verify.test_verify_models import spoken
from app.verify.test_verify_tools import Unasked
from counterproof.agents import roles
from counterproof.app import review, verify
from counterproof.app.delivery import Ended
from counterproof.app.team import PLAN_SEATS, terms_of
from counterproof.cli.console import SilentObserver
from counterproof.knowledge.profiles import load_profile
from counterproof.model.plan.contract import PlanRole
from counterproof.model.review.position import Resolution
from counterproof.model.review.scope import Scope
from counterproof.model.severity import Severity
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.protocols.review.presets import Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home
from faults.rig import KEY
from faults.server import Asked, FaultServer, threaded
from faults.speech import Says

CODE = "import os\n\n\ndef run(job, name):\n    try:\n        os.system('job ' + name)\n    except Exception:\n        pass\n"
ASPECTS = ("approach", "risk", "assumptions", "integration", "unknowns", "constraints")


class Confirming:
    def confirms(self, scope: Scope, warnings: tuple[str, ...]) -> bool | None:
        return True


@pytest.fixture(scope="module")
def model() -> Generator[str]:
    with served(2_560) as address:
        yield address


@pytest.fixture(autouse=True)
def keyed(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", KEY)


def word(model: str) -> dict[str, Any]:
    return asked(model, "Is this line of code vulnerable?\nos.system('job ' + name)")


class Player:
    """Answers every task with one word of a model. `played` are the tasks and roles that it met."""

    def __init__(self, word: dict[str, Any]) -> None:
        self.word = word
        self.played: set[str] = set()

    def __call__(self, request: Asked) -> Says:
        text = spoken(request)
        marker = re.findall(r"cp-[0-9a-f]{32}", text)[-1]
        named = re.findall(r"You are ([\w-]+),", text)[-1]
        number = re.findall(r"[Ii]teration (\d+)", text)[-1]
        return Says(json.dumps({"marker": marker, "agent_id": named, "iteration": int(number), **self.result(text, named)}))

    def result(self, text: str, named: str) -> dict[str, Any]:
        raise NotImplementedError


class Reviewer(Player):
    def result(self, text: str, named: str) -> dict[str, Any]:
        work = named.split("-")[1]
        self.played.add(work)
        ids = sorted(set(re.findall(r"\b((?:SEC|QUAL)-\d{3})\b", text)))
        place = {"file": "job.py", "line": 6, "quote": "os.system('job ' + name)", "operation": "call", "symbol": "os.system"}
        if work == "refine":
            found = {
                "kind": self.word["why"], "cwe": self.word["cwe"], "title": self.word["why"], "severity": self.word["severity"],
                "domain": "injection", "confidence": "high", "failure": "error",
                "trust": "N/A", "file": "job.py", "start": 6, "end": 6,
                "quote": place["quote"], "evidence": self.word["why"] * 20,
            }  # fmt: skip
            return {"findings": [found], "no_findings": False}
        if work == "challenge":
            others = [each for each in ids if not each.startswith(named.split("-")[0])]
            return {
                "positions": [{"finding": each, "stance": "challenge", "evidence": self.word["why"], **place} for each in others]
            }
        return {"defences": [{"finding": each, "stands": True, "text": self.word["why"]} for each in ids]}


def reviewed(folder: Path, agents: str = "") -> Ended:
    profile = team(load_profile("code"), Preset.DEFAULT, ("SEC", "QUAL"))
    prompts = roles.review_digest() if agents else ""
    request = ReviewRequest(str(folder), profile, yes=True, agents=agents, prompts=prompts, team="full")
    return review.start(request, Confirming(), SilentObserver(), Home())


@pytest.mark.nightly
def test_a_host_plays_every_seat_of_a_review_and_analysts_findings_stay(model: str, tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {}, {"job.py": CODE})
    alone = reviewed(folder)
    player = Reviewer(word(model))
    with threaded(FaultServer(brain=player)) as server:
        done = reviewed(folder, f"openai-compatible:small@{server.url}/v1")
    assert "refine" in player.played
    assert alone.report
    assert done.report
    kept = {(each.finding.kind, str(each.finding.location)) for each in done.report.resolved if each.kept}
    found = {(each.finding.kind, str(each.finding.location)) for each in alone.report.resolved if each.kept}
    assert found
    assert found <= kept
    claimed = [each for each in done.report.resolved if (each.finding.kind, str(each.finding.location)) not in found]
    assert all(each.severity is Severity.LOW for each in claimed)
    assert all(each.same_model or each.resolution in (Resolution.ESCALATED, Resolution.DISMISSED) for each in claimed)
    assert {each.text for each in done.outcome.reasons} <= {"the specialists leave a finding to you"}


class Planner(Player):
    def result(self, text: str, named: str) -> dict[str, Any]:
        role = next(role for role in PlanRole if role.value in named)
        self.played.add(role.value)
        why = self.word["why"]
        if "You are asked to mark the plan" in text:
            return {"marks": [{"aspect": each, "points": 5, "source": "plan:1", "evidence": why} for each in ASPECTS]}
        if role is PlanRole.SYNTHESIZER:
            ids = sorted(set(re.findall(r"│ (C\d+) ", text)))
            wish = {"status": "WITHDRAWN", "resolution": why, "basis": "debate"}
            return {"proposals": [{"challenge_id": each, **wish} for each in ids]}
        if role is PlanRole.RESEARCHER:
            return self._looked(text)
        raised = {
            "claim": why,
            "concern": why,
            "failure_scenario": why,
            "severity": "MINOR",
            "confidence": "LOW",
            "plan_lines": [1],
        }
        return {"challenges": [raised]}

    def _looked(self, text: str) -> dict[str, Any]:
        mode = re.findall(r"mode (\w+),", text)[-1]
        return {{"resolve": "unknowns", "surface": "contexts", "probe": "risks"}[mode]: []}


@pytest.mark.nightly
def test_a_host_plays_every_role_of_a_verification_and_proved_challenges_stay(model: str, tmp_path: Path) -> None:
    folder = shop(tmp_path / "shop", **{"PLAN.md": FLAWED})
    player = Planner(word(model))
    with threaded(FaultServer(brain=player)) as server:
        terms = terms_of(PLAN_SEATS, f"openai-compatible:small@{server.url}/v1", 5_000_000, "", Home().root)
        request = VerifyRequest(str(folder / "PLAN.md"), str(folder), terms=terms)
        done = verify.start(request, Unasked(), SilentObserver(), Home())
    plain = verify.start(VerifyRequest(str(folder / "PLAN.md"), str(folder)), Unasked(), SilentObserver(), Home())
    assert {"challenger", "researcher", "synthesizer"} <= player.played
    assert done.report
    assert plain.report
    assert done.report.verdict is plain.report.verdict
    proved = {each.claim for each in plain.report.challenges if each.counts}
    assert proved <= {each.claim for each in done.report.challenges if each.counts}
