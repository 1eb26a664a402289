"""The second reading: findings by the checker, claims and baseline hits by the record of the analysts."""

import csv
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from counterproof.analysis import families
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey
from counterproof.analysis.validation import judge_finding, judge_hit
from counterproof.model.baseline import Hit
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import SKIPPED, Finding, StepResult
from counterproof.model.judgement import HitVerdict, Judgement, Verdict
from counterproof.model.location import Location, at
from counterproof.model.proof import Assumption, Guess, Link, Part
from counterproof.model.severity import Confidence, Impact, Rating, Reach, Severity

SHOP = Path(__file__).resolve().parents[2] / "examples" / "shop"
APP = """import os, shlex
import undefined_library
from flask import Flask, request
app = Flask(__name__)


@app.route("/run")
def run():
    os.system("ls " + request.args["name"])
    os.system("ls " + shlex.quote(request.args["name"]))
    os.system(undefined_library.call(request.args["name"]))
    print(request.args["name"])
    os.system("ls")
    os.system("ls " + open("command.txt").read())
    return {}
"""


def a_claim(place: Location, cwe: int) -> Finding:
    """What a model hands in: a place and a kind, with nothing behind it."""
    return Finding(
        id="F001", rule="", title="claim", dimension=Dimension.D1, cwe=cwe, severity=Severity.HIGH, confidence=Confidence.HIGH,
        location=place, evidence="x", impact="harm", rating=Rating(Reach.ANONYMOUS, Impact.FULL),
    )  # fmt: skip


@cache
def shop() -> Project:
    return Project(SHOP, survey(SHOP))


@cache
def of_flows(cwe: int) -> bool:
    return any(isinstance(each.rule, FlowRule) and each.rule.cwe == cwe for each in load_rules())


def claims(vulnerable: str) -> list[tuple[str, Location, int]]:
    """Lines of the truth file whose weakness is a flow in Python code, as claims."""
    with (SHOP / "truth.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["vulnerable"] == vulnerable and row["file"].endswith(".py")]
    found = [(r["id"], Location(r["file"], int(r["start_line"]), int(r["end_line"])), int(r["cwes"].split(";")[0])) for r in rows]
    return [each for each in found if of_flows(each[2])]


def judged(place: Location, cwe: int) -> Judgement:
    return judge_finding(shop(), entry_points(shop()), a_claim(place, cwe)).judgement


def named(value: object) -> str:
    return value if isinstance(value, str) else ""


@pytest.mark.rule("A38")
@pytest.mark.parametrize(("name", "place", "cwe"), claims("true"), ids=named)
def test_a_true_claim_is_not_rejected(name: str, place: Location, cwe: int) -> None:
    judgement = judged(place, cwe)
    assert judgement.counts(4)
    assert judgement.verdict is not Verdict.REJECTED, judgement.validation.flow.reason


def test_most_true_claims_are_confirmed() -> None:
    verdicts = [judged(place, cwe).verdict for _, place, cwe in claims("true")]
    assert verdicts.count(Verdict.CONFIRMED) >= 0.8 * len(verdicts)


@pytest.mark.rule("A37", "A38")
@pytest.mark.parametrize(("name", "place", "cwe"), claims("false"), ids=named)
def test_a_false_claim_about_a_safe_twin_is_not_confirmed(name: str, place: Location, cwe: int) -> None:
    judgement = judged(place, cwe)
    assert judgement.counts(4)
    assert judgement.verdict is not Verdict.CONFIRMED, judgement.validation.flow.reason


def hunted(root: Path) -> tuple[Project, Finding]:
    """A small application and the finding that its first command is."""
    (root / "app.py").write_text(APP, "utf-8")
    project = Project(root, survey(root))
    found = families.flows(project, entry_points(project), ALL_DIMENSIONS).findings
    return project, next(each for each in found if each.location == at("app.py", 9))


@pytest.mark.rule("A38")
def test_every_step_names_a_reason_and_a_line(tmp_path: Path) -> None:
    project, finding = hunted(tmp_path)
    judgement = judge_finding(project, entry_points(project), finding).judgement
    assert judgement.verdict is Verdict.CONFIRMED
    assert all(step.reason and step.at is not None for step in judgement.validation.steps)


@pytest.mark.rule("A36")
def test_three_steps_leave_the_fourth_out(tmp_path: Path) -> None:
    project, finding = hunted(tmp_path)
    judgement = judge_finding(project, entry_points(project), finding, steps=3).judgement
    assert judgement.validation.impact is SKIPPED
    assert judgement.counts(3)
    assert not judgement.counts(4)


@pytest.mark.rule("A53")
def test_a_fact_that_the_source_does_not_bear_out_rejects_an_analysts_finding(tmp_path: Path) -> None:
    project, finding = hunted(tmp_path)
    assert finding.proof is not None
    wrong = Link(Part.STEP, Fact(at("app.py", 9), Operation.CALL, "subprocess.run"))
    forged = replace(finding, proof=replace(finding.proof, links=(*finding.proof.links, wrong)))
    judgement = judge_finding(project, entry_points(project), forged).judgement
    assert judgement.verdict is Verdict.REJECTED
    assert "subprocess.run" in judgement.validation.flow.reason
    assert judgement.at == at("app.py", 9)


@pytest.mark.rule("A38")
@pytest.mark.parametrize(
    ("guess", "step"),
    [(Guess.BROKEN_FLOW, 0), (Guess.UNSEEN_GUARD, 1), (Guess.UNKNOWN_REACH, 2), (Guess.UNKNOWN_USE, 3)],
    ids=["broken-flow", "unseen-guard", "unknown-reach", "unknown-use"],
)
def test_an_open_point_of_the_proof_leaves_its_step_open(tmp_path: Path, guess: Guess, step: int) -> None:
    project, finding = hunted(tmp_path)
    assert finding.proof is not None
    assumed = replace(finding, proof=replace(finding.proof, assumptions=(Assumption(guess, "", at("app.py", 8)),)))
    judgement = judge_finding(project, entry_points(project), assumed).judgement
    assert judgement.verdict is Verdict.DOWNGRADED
    results = [each.result for each in judgement.validation.steps]
    assert results == [StepResult.PARTIAL if number == step else StepResult.PASS for number in range(4)]


@pytest.mark.rule("A35")
@pytest.mark.parametrize(
    ("line", "cwe", "verdict"),
    [
        (9, 77, HitVerdict.CONFIRMED),
        (10, 78, HitVerdict.REJECTED),
        (13, 78, HitVerdict.REJECTED),
        (11, 78, HitVerdict.NEEDS_MANUAL),
        (14, 78, HitVerdict.NEEDS_MANUAL),
        (12, 1111, HitVerdict.NEEDS_MANUAL),
        (12, None, HitVerdict.NEEDS_MANUAL),
    ],
    ids=["tainted", "harmless", "literal", "library", "unknown-data", "unknown-weakness", "no-cwe"],
)
def test_a_hit_is_confirmed_rejected_or_left_open(tmp_path: Path, line: int, cwe: int | None, verdict: HitVerdict) -> None:
    project, _ = hunted(tmp_path)
    hit = Hit("h1", "some.rule", "app.py", line, line, "message", cwe, Severity.HIGH, Dimension.D1)
    judgement = judge_hit(project, entry_points(project), hit).judgement
    assert judgement.verdict is verdict
    assert judgement.reason
    assert (judgement.finding is not None) is (verdict is HitVerdict.CONFIRMED)


@pytest.mark.parametrize("path", ["other.py", "tests/test_app.py"])
def test_a_hit_outside_the_reviewed_code_or_in_a_test_is_rejected(tmp_path: Path, path: str) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_app.py").write_text("import os\nimport sys\nos.system(sys.argv[1])\n", "utf-8")
    project, _ = hunted(tmp_path)
    hit = Hit("h1", "some.rule", path, 3, 3, "message", 78, Severity.HIGH, Dimension.D1)
    assert judge_hit(project, entry_points(project), hit).judgement.verdict is HitVerdict.REJECTED


def test_a_hit_on_a_setting_is_confirmed_by_the_finding_of_its_kind(tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text("import requests\n\nrequests.get('https://a.example', verify=False)\n", "utf-8")
    project, _ = hunted(tmp_path)
    hit = Hit("h1", "some.rule", "client.py", 3, 3, "message", 295, Severity.HIGH, Dimension.D7)
    assert judge_hit(project, entry_points(project), hit).judgement.verdict is not HitVerdict.REJECTED
