"""Whole reviews in which a scripted model looks things up: it asks who calls a changed function, finds the flaw there, cites
it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.review.changed_tree import changed, git
from app.review.seats import seated
from app.review.test_review_models import Agreeing
from counterproof.agents import roles
from counterproof.agents.models.channel import Answer, Question, ToolCall
from counterproof.agents.models.scripted import ScriptedChannel, calls, says
from counterproof.app import driving, review
from counterproof.app.delivery import Ended
from counterproof.cli.console import SilentObserver
from counterproof.knowledge.profiles import load_profile
from counterproof.model.receipt import Exit
from counterproof.protocols.review.presets import Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.reports.review import render
from counterproof.runtime.home import Home
from faults.rig import KEY
from faults.server import FaultServer, Move, threaded

BEFORE = {
    "AGENTS.md": "# Rules\n\nAmounts are whole cents.\n",
    "shop/prices.py": "def discount(total):\n    return min(total, 500)\n\n\ndef unrelated():\n    return 1\n",
    "shop/checkout.py": (
        "from shop.prices import discount\n\n\ndef pay(card, total):\n    rest = total - discount(total)\n"
        "    card.charge(rest)\n    return rest\n"
    ),
    "tests/test_prices.py": "from shop.prices import discount\n\n\ndef test_discount():\n    assert discount(100) == 100\n",
}
AFTER = {
    "shop/prices.py": (
        "def discount(total):\n    if total > 10_000:\n        return None\n    return min(total, 500)\n\n\n"
        "def unrelated():\n    return 1\n"
    )
}
WORDS = (
    "discount() now gives None for a total above 10,000 (shop/prices.py:3), and this line subtracts what it gives: every large "
    "order fails with a TypeError before the card is charged."
)
BROKEN = {
    "kind": "None is not expected", "title": "large orders cannot be paid", "domain": "null-safety", "severity": "high",
    "confidence": "high", "failure": "error", "trust": "N/A", "file": "shop/prices.py", "start": 3, "end": 3,
    "quote": "return None", "evidence": WORDS, "breaks_file": "shop/checkout.py", "breaks_line": 5,
    "breaks_quote": "rest = total - discount(total)",
}  # fmt: skip


def header(question: Question) -> dict[str, Any]:
    marker = re.findall(r"The marker of this task is (cp-[0-9a-f]+)", question.opening)[-1]
    named = re.search(r"You are ([\w-]+),.*?Iteration (\d+)", question.opening, re.DOTALL)
    assert named
    return {"marker": marker, "agent_id": named[1], "iteration": int(named[2])}


def curious(**changed_fields: Any) -> Callable[[Question], Answer]:
    """Asks for the callers of `discount`, and reports the one that it is shown if it is shown one."""

    def script(question: Question) -> Answer:
        answers = [each.text for each in question.messages if each.role == "tool"]
        if "Your task: take positions" in question.opening or "Your task: answer" in question.opening:
            return says(json.dumps({**header(question), "positions": [], "defences": []}))
        if not answers and question.may_call:
            return calls(ToolCall("1", "callers", '{"name": "discount"}'), ToolCall("2", "git_log", "{}"))
        seen = any("rest = total - discount(total)" in text for text in answers)
        found = [{**BROKEN, **changed_fields}] if seen else []
        return says(json.dumps({**header(question), "findings": found, "no_findings": not found}))

    return script


def reviewed(tmp_path: Path, script: Callable[[Question], Answer], **more: Any) -> tuple[Ended, ScriptedChannel]:
    folder = changed(tmp_path / "a", BEFORE, AFTER)
    git(folder, "commit", "-qm", "Large orders get no discount\n\nSales asked for it.")
    request = ReviewRequest(
        str(folder), team(load_profile("code"), Preset.DEFAULT, ("CORR",)), diff="HEAD^..HEAD", yes=True, **more
    )
    channel = ScriptedChannel(script, "corr:scripted")
    return review.start(request, Agreeing(), SilentObserver(), Home(), seated({"CORR": channel})), channel


@pytest.mark.rule("R42", "R46")
def test_a_flaw_that_a_model_finds_in_a_caller_is_accepted(tmp_path: Path, home: Path) -> None:
    done, channel = reviewed(tmp_path, curious())
    assert done.report
    (found,) = [each.finding for each in done.report.resolved if each.kept and each.finding.model]
    assert (str(found.location), found.severity.value) == ("shop/prices.py:3", "high")
    assert "breaks shop/checkout.py:5: rest = total - discount(total)" in found.evidence
    assert done.outcome.exit is Exit.FINDINGS
    looked = [each.text for each in channel.asked[1].messages if each.role == "tool"]
    assert "card.charge(rest)" in looked[0], "the body of the caller is shown, not only its place"
    assert "Large orders get no discount" in looked[1]


@pytest.mark.rule("R42")
def test_a_specialist_is_shown_old_lines_the_intent_callers_tests_and_the_projects_rules(tmp_path: Path, home: Path) -> None:
    _, channel = reviewed(tmp_path, curious(), intent="Closes the wish of the sales team")
    shown = channel.asked[0].messages[0].text
    for line in (
        "│ Closes the wish of the sales team",
        "│ Large orders get no discount",
        "│ Sales asked for it.",
        "│ +     2      if total > 10_000:",
        "│       4      return min(total, 500)",
        "│ calls `discount`: shop/checkout.py:4-7 pay, at 5",
        "│ tests `discount`: tests/test_prices.py:4-5 test_discount, at 5",
        "│ Amounts are whole cents.",
    ):
        assert line in shown.split("\n"), line
    assert "unrelated" not in shown, "what the change does not touch is not shown"


@pytest.mark.rule("R46")
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"breaks_quote": "card.charge(rest)"}, "the quote is not at shop/checkout.py:5, it is at line 6"),
        ({"breaks_line": 700}, "has no line 700"),
    ],
)
def test_an_invalid_broken_line_is_returned_and_the_finding_is_kept(
    tmp_path: Path, home: Path, wrong: dict[str, Any], said: str
) -> None:
    done, channel = reviewed(tmp_path, curious(**wrong))
    assert done.report
    (found,) = [each.finding for each in done.report.resolved if each.finding.model]
    assert (str(found.location), found.breaks, found.severity.value) == ("shop/prices.py:3", None, "high")
    mended = [each.text for question in channel.asked for each in question.messages if "does not fit" in each.text]
    assert any(said in text for text in mended), "the model is told what is wrong with the line"


@pytest.mark.rule("R42", "R46")
def test_a_broken_line_need_not_share_a_name_with_the_change(tmp_path: Path, home: Path) -> None:
    done, channel = reviewed(tmp_path, curious(breaks_line=6, breaks_quote="card.charge(rest)"))
    assert done.report
    (found,) = [each.finding for each in done.report.resolved if each.finding.model]
    assert str(found.breaks) == "shop/checkout.py:6"
    assert not any("does not fit" in each.text for question in channel.asked for each in question.messages)


@pytest.mark.rule("R44")
def test_a_quote_that_the_file_holds_once_gives_the_place(tmp_path: Path, home: Path) -> None:
    done, channel = reviewed(tmp_path, curious(start=1, end=1))
    assert done.report
    (found,) = [each.finding for each in done.report.resolved if each.finding.model]
    assert str(found.location) == "shop/prices.py:3"
    assert not any("does not fit" in each.text for question in channel.asked for each in question.messages)


OUTSIDE = {"file": "shop/checkout.py", "start": 6, "end": 6, "quote": "card.charge(rest)", "breaks_line": 0}


@pytest.mark.rule("R46")
@pytest.mark.parametrize("older", [True, False])
def test_a_defect_on_an_unchanged_line_is_reported_apart_and_fails_nothing(tmp_path: Path, home: Path, older: bool) -> None:
    """Said to be older it is taken at once; otherwise the model is asked for the changed line, and then it is older too."""
    done, channel = reviewed(tmp_path, curious(**OUTSIDE, older=older))
    assert done.report
    assert [each for each in done.report.resolved if each.finding.model] == []
    (apart,) = done.report.older
    assert (str(apart.location), apart.severity.value, apart.older) == ("shop/checkout.py:6", "high", True)
    assert done.outcome.exit is Exit.CLEAN
    mended = [each.text for question in channel.asked for each in question.messages if "does not fit" in each.text]
    assert any("shop/checkout.py:6 did not change" in text for text in mended) is not older


@pytest.mark.rule("R46")
def test_an_older_defect_is_in_every_format_and_counts_in_none(tmp_path: Path, home: Path) -> None:
    done, _ = reviewed(tmp_path, curious(**OUTSIDE, older=True))
    assert done.report
    written = json.loads(render(done.report, "json"))
    assert (written["findings"], [each["finding"]["title"] for each in written["older"]]) == ([], ["large orders cannot be paid"])
    (result,) = json.loads(render(done.report, "sarif"))["runs"][0]["results"]
    assert (result["level"], result["baselineState"]) == ("note", "unchanged")
    assert "security-severity" not in result["properties"]
    comments = json.loads(render(done.report, "github-review"))["github"]
    assert comments["comments"] == []
    assert "<details><summary>1 older defect, not part of this change</summary>" in comments["body"]
    assert "- Important: `shop/checkout.py:6`: large orders cannot be paid" in comments["body"]
    assert "Older defects, not part of the change" in render(done.report, "markdown")
    assert "::error" not in render(done.report, "github")


@pytest.mark.rule("R38", "R43")
def test_a_second_iteration_holds_the_findings_with_their_code_and_what_became_of_them(tmp_path: Path, home: Path) -> None:
    _, channel = reviewed(tmp_path, curious(evidence="It fails."))
    first, second = [question for question in channel.asked if not any(each.role == "tool" for each in question.messages)][:2]
    assert (first.system, first.tools) == (second.system, second.tools)
    assert "less than 100 characters of evidence: demoted to Minor" in second.opening
    assert "criticise your own findings" in second.opening
    assert "criticise" not in first.opening
    assert "The code of these findings:" in second.opening
    assert "The change, as a unified diff" not in second.opening


@pytest.mark.rule("R42")
def test_looks_are_metered_and_a_refusal_says_so(tmp_path: Path, home: Path) -> None:
    def greedy(question: Question) -> Answer:
        if question.may_call:
            many = (ToolCall(f"{question.step}-{n}", "grep", '{"pattern": "discount"}') for n in range(6))
            return calls(*many)
        return says(json.dumps({**header(question), "findings": [], "no_findings": True}))

    done, channel = reviewed(tmp_path, greedy)
    assert done.report
    last = max((question for question in channel.asked if question.task == channel.asked[0].task), key=lambda each: each.step)
    answers = [each.text for each in last.messages if each.role == "tool"]
    assert sum("refused: the budget of 8 Grep calls is used up" in each for each in answers) == len(answers) - 8
    assert len(channel.asked) < 40


@pytest.mark.rule("R39")
def test_a_model_that_hangs_leaves_the_analysts_their_time_and_the_cause_is_said_once(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", KEY)
    monkeypatch.setattr(driving, "MODEL_SHARE", 0.05)
    careless = {"job.py": "async def run(job):\n    return job\n\nrun(1)\n"}
    folder = changed(tmp_path / "a", {}, careless)
    profile = team(load_profile("code"), Preset.QUICK, ("CORR", "QUAL"))
    with threaded(FaultServer(fault=lambda asked: Move(hang=True))) as server:
        agents = f"openai-compatible:scripted@{server.url}/v1"
        prompts = roles.review_digest()
        request = ReviewRequest(str(folder), profile, yes=True, agents=agents, prompts=prompts, max_seconds=20, team="full")
        done = review.start(request, Agreeing(), SilentObserver(), Home())
    assert done.report
    assert [each.finding.id for each in done.report.resolved if each.kept] == ["CORR-001"]
    lost = [each.text for each in done.outcome.reasons if each.code is Exit.INCOMPLETE]
    assert lost == ["not reviewed by QUAL, CORR: the time for models was over; the rest belongs to the analysts"]


@pytest.mark.rule("R42")
def test_a_line_with_a_secret_is_quoted_in_redacted_form_and_the_finding_is_kept(tmp_path: Path, home: Path) -> None:
    """Reviewers never see the secret, so they can quote only its mark."""
    secret = "AKIA" + "IOSFODNN7" + "QWERTYU"
    quoted: list[str] = []

    def script(question: Question) -> Answer:
        if "Your task: take positions" in question.opening or "Your task: answer" in question.opening:
            return says(json.dumps({**header(question), "positions": [], "defences": []}))
        quoted.extend(re.findall(r"│ \+ +1  (.*)", question.opening))
        found = {**BROKEN, "domain": "edge-cases", "file": "shop/keys.py", "start": 1, "end": 1, "quote": quoted[0]}
        return says(json.dumps({**header(question), "findings": [found], "no_findings": False}))

    folder = changed(tmp_path / "a", BEFORE, {"shop/keys.py": f'ACCESS_KEY = "{secret}"  # the shop\'s\n'})
    request = ReviewRequest(str(folder), team(load_profile("code"), Preset.DEFAULT, ("CORR",)), yes=True)
    staff = seated({"CORR": ScriptedChannel(script, "corr:scripted")})
    done = review.start(request, Agreeing(), SilentObserver(), Home(), staff)
    assert secret not in quoted[0]
    assert re.fullmatch(r'ACCESS_KEY = ".+"  # the shop\'s', quoted[0])
    assert done.report
    assert [str(each.finding.location) for each in done.report.resolved if each.finding.model] == ["shop/keys.py:1"]
