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
PLACE = {"file": "shop.py", "line": 1}
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
        mine = {"find problems": "findings", "take positions": "positions", "answer challenges": "defences"}
        name = next(each for words, each in mine.items() if words in opening)
        given = {name: parts.get(name, []), "no_findings": not parts.get("findings")}
        return says(json.dumps({"marker": marker, "agent_id": named[1], "iteration": int(named[2]), **given}))

    return script


def reviewed(tmp_path: Path, **scripts: Callable[[Question], Answer]) -> tuple[review.Reviewed, dict[str, ScriptedChannel]]:
    folder = changed(tmp_path / "a", {}, {"shop.py": CODE})
    request = ReviewRequest(str(folder), team(load_profile("code"), Preset.DEFAULT, ("SEC", "CORR")), yes=True)
    channels = {code: ScriptedChannel(script) for code, script in scripts.items()}
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


def test_a_model_that_refuses_leaves_its_part_unreviewed(tmp_path: Path) -> None:
    done, asked = reviewed(tmp_path, SEC=lambda _: says("no", Finish.REFUSED))
    assert done.report
    assert done.report.unreviewed == ("SEC: the model refused to answer",)
    assert done.outcome.exit is Exit.INCOMPLETE
    assert len(asked["SEC"].asked) == 3
