"""Whole reviews with scripted models as specialists: votes, withdrawals, failures, and the same report again from the journal."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.review.changed_tree import changed
from counterproof.agents.models.channel import Answer, Finish, Question
from counterproof.agents.models.scripted import ScriptedChannel, says
from counterproof.app import review, stored_review
from counterproof.app.review_team import staffed
from counterproof.cli.console import SilentObserver
from counterproof.knowledge.profiles import load_profile
from counterproof.model.receipt import Exit
from counterproof.model.review.scope import Scope
from counterproof.protocols.review.presets import Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home

CODE = "def total(rows):\n    return sum(rows) / len(rows)\n"
WORDS = (
    "An empty list of rows makes the divisor zero, so that a customer without orders gets a ZeroDivisionError instead of a total "
    "of nothing at all."
)
FOUND = {
    "kind": "division by zero", "title": "no rows", "domain": "edge-cases", "severity": "high", "confidence": "high",
    "trust": "N/A", "file": "shop.py", "start": 2, "end": 2, "quote": "sum(rows) / len(rows)", "evidence": WORDS,
}  # fmt: skip
PLACE = {"file": "shop.py", "line": 2, "quote": "return sum(rows) / len(rows)", "operation": "call", "symbol": "len"}
Script = Callable[[Question], dict[str, Any]]


class Agreeing:
    def confirms(self, scope: Scope, warnings: tuple[str, ...]) -> bool | None:
        return True


def playing(**parts: list[dict[str, Any]]) -> Callable[[Question], Answer]:
    """A model that hands in these lists where its task asks for them."""

    def script(question: Question) -> Answer:
        opening = question.messages[0].text
        marker = re.findall(r"The marker of this task is (cp-[0-9a-f]+)", opening)[-1]
        named = re.search(r"You are ([\w-]+),.*?Iteration (\d+)", opening, re.DOTALL)
        assert named
        mine = {
            "find problems": "findings",
            "criticise your own": "findings",
            "take positions": "positions",
            "answer challenges": "defences",
        }
        name = next(each for words, each in mine.items() if words in opening)
        given = {name: parts.get(name, []), "no_findings": not parts.get("findings")}
        return says(json.dumps({"marker": marker, "agent_id": named[1], "iteration": int(named[2]), **given}))

    return script


def reviewed(
    tmp_path: Path, code: str = CODE, **scripts: Callable[[Question], Answer]
) -> tuple[review.Reviewed, dict[str, ScriptedChannel]]:
    folder = changed(tmp_path / "a", {}, {"shop.py": code})
    codes = tuple(dict.fromkeys(("SEC", "CORR", *scripts)))
    request = ReviewRequest(str(folder), team(load_profile("code"), Preset.DEFAULT, codes), yes=True)
    channels = {code: ScriptedChannel(script, f"{code.lower()}:scripted") for code, script in scripts.items()}
    return review.start(request, Agreeing(), SilentObserver(), Home(), staffed(channels, None)), channels


@pytest.mark.rule("R33")
def test_models_vote_and_the_journal_gives_the_same_report_again(tmp_path: Path) -> None:
    agreed = {"finding": "CORR-001", "stance": "agree", "severity": "medium", **PLACE}
    done, _ = reviewed(tmp_path, CORR=playing(findings=[FOUND]), SEC=playing(positions=[agreed]))
    assert done.report
    assert [(each.finding.id, each.label, each.severity.value) for each in done.report.resolved] == [
        ("CORR-001", "Consensus", "high")
    ]
    again, differing = stored_review.replayed(done.run)
    assert (again, differing) == (done.report, ())
    assert stored_review.stored(done.run, "html").startswith("<!doctype html>")


@pytest.mark.rule("R15")
def test_a_challenge_reaches_the_author_who_withdraws(tmp_path: Path) -> None:
    against = {"finding": "CORR-001", "stance": "challenge", "evidence": "callers never pass an empty list", **PLACE}
    gone = {"finding": "CORR-001", "stands": False, "text": "right, the caller looks first", **PLACE}
    done, asked = reviewed(tmp_path, CORR=playing(findings=[FOUND], defences=[gone]), SEC=playing(positions=[against]))
    assert done.report
    assert [(each.withdrawn, each.label) for each in done.report.resolved] == [(True, "Dismissed")]
    assert any("callers never pass" in question.messages[0].text for question in asked["CORR"].asked)


@pytest.mark.rule("R37")
def test_a_position_without_grounds_is_sent_back_with_what_would_count_and_then_abstains(tmp_path: Path) -> None:
    bare = {"finding": "CORR-001", "stance": "challenge", "evidence": "No. It is fine.", "file": "shop.py", "line": 1}
    false = {**bare, "quote": "def total(rows):", "operation": "call", "symbol": "execute"}
    for said, told in ((bare, "name the file, the line"), (false, "what it does: define")):
        done, asked = reviewed(tmp_path / told[:4], CORR=playing(findings=[FOUND]), SEC=playing(positions=[said]))
        assert done.report
        assert [each.label for each in done.report.resolved] == ["Single specialist (1/2)"]
        mended = [question.messages[-1].text for question in asked["SEC"].asked if len(question.messages) > 1]
        assert any(told in text for text in mended), mended


@pytest.mark.rule("R38")
def test_the_second_iteration_is_a_critique_and_the_defence_comes_back_to_the_challenger(tmp_path: Path) -> None:
    against = {"finding": "CORR-001", "stance": "challenge", "evidence": "callers never pass an empty list", **PLACE}
    stands = {"finding": "CORR-001", "stands": True, "text": "the import job passes whatever it read", **PLACE}
    done, asked = reviewed(tmp_path, CORR=playing(findings=[FOUND], defences=[stands]), SEC=playing(positions=[against]))
    second = next(question for question in asked["CORR"].asked if question.task.startswith("CORR-refine-2"))
    assert "criticise your own findings" in second.messages[0].text
    assert "sum(rows) / len(rows)" in second.messages[0].text
    answered = next(question for question in asked["SEC"].asked if question.task.startswith("SEC-challenge-2"))
    assert "the import job passes whatever it read" in answered.messages[0].text
    assert "callers never pass an empty list" in answered.messages[0].text
    assert done.report
    assert [each.label for each in done.report.resolved] == ["Escalated"]


@pytest.mark.rule("R38", "R39")
def test_analysts_findings_are_never_shown_to_a_model_as_its_own_and_outlive_it(tmp_path: Path) -> None:
    careless = "def run(job):\n    try:\n        job()\n    except Exception:\n        pass\n"
    done, asked = reviewed(tmp_path, careless, QUAL=playing())
    assert done.report
    assert [each.finding.id for each in done.report.resolved] == ["QUAL-001"]
    assert not any("Your own findings" in question.messages[0].text for question in asked["QUAL"].asked)
    cut, _ = reviewed(tmp_path / "cut", careless, QUAL=lambda _: says('{"marker": ', Finish.LENGTH))
    assert cut.report
    assert [each.finding.id for each in cut.report.resolved] == ["QUAL-001"]
    assert cut.report.unreviewed == ("QUAL: the output was cut off",)


@pytest.mark.rule("R39")
def test_a_refused_field_is_sent_back_with_what_would_be_accepted(tmp_path: Path) -> None:
    done, asked = reviewed(tmp_path, CORR=playing(findings=[{**FOUND, "domain": "sql-injection"}, FOUND]))
    assert done.report
    assert [each.finding.domain for each in done.report.resolved] == ["edge-cases"]
    assert '"enum": ["' in asked["CORR"].asked[0].messages[0].text
    mended = [question.messages[-1].text for question in asked["CORR"].asked if len(question.messages) > 1]
    assert any("'sql-injection' is not accepted; accepted: " in text and "edge-cases" in text for text in mended)


def test_a_model_that_refuses_leaves_its_part_unreviewed(tmp_path: Path) -> None:
    done, asked = reviewed(tmp_path, SEC=lambda _: says("no", Finish.REFUSED))
    assert done.report
    assert done.report.unreviewed == ("SEC: the model refused to answer",)
    assert done.outcome.exit is Exit.INCOMPLETE
    assert len(asked["SEC"].asked) == 3
