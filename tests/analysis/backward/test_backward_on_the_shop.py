"""The example shop as a judge of the judge: real weaknesses are confirmed, planted false claims are not."""

import csv
from functools import cache
from pathlib import Path

import pytest
from backward_claims import a_claim

from counterproof.analysis import backward, families
from counterproof.analysis.backward.families import flow_rule
from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.judgement import Judgement, Verdict
from counterproof.model.location import Location
from counterproof.model.survey import Language

SHOP = Path(__file__).resolve().parents[3] / "examples" / "shop"


@cache
def shop() -> Project:
    return Project(SHOP, survey(SHOP))


def claims(vulnerable: str) -> list[tuple[str, Location, int]]:
    """Lines of the truth file whose weakness is a flow in Python code, as claims."""
    with (SHOP / "truth.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["vulnerable"] == vulnerable and row["file"].endswith(".py")]
    found = [(r["id"], Location(r["file"], int(r["start_line"]), int(r["end_line"])), int(r["cwes"].split(";")[0])) for r in rows]
    return [each for each in found if flow_rule("", each[2])]


def judged(place: Location, cwe: int) -> Judgement:
    return backward.judge(shop(), entry_points(shop()), a_claim(place, cwe)).judgement


@pytest.mark.rule("A38")
@pytest.mark.parametrize(("name", "place", "cwe"), claims("true"), ids=lambda value: value if isinstance(value, str) else "")
def test_real_weaknesses_are_confirmed(name: str, place: Location, cwe: int) -> None:
    judgement = judged(place, cwe)
    assert judgement.counts(4)
    assert judgement.verdict is Verdict.CONFIRMED, [step.reason for step in judgement.validation.steps]


@pytest.mark.rule("A38")
@pytest.mark.parametrize(("name", "place", "cwe"), claims("false"), ids=lambda value: value if isinstance(value, str) else "")
def test_false_claims_about_safe_twins_are_not_confirmed(name: str, place: Location, cwe: int) -> None:
    judgement = judged(place, cwe)
    assert judgement.counts(4)
    assert judgement.verdict is not Verdict.CONFIRMED, judgement.validation.flow.reason


def test_most_false_claims_are_refuted_outright() -> None:
    verdicts = [judged(place, cwe).verdict for _, place, cwe in claims("false")]
    assert verdicts.count(Verdict.REJECTED) >= 0.8 * len(verdicts)


@pytest.mark.rule("A37")
def test_validator_and_hunter_agree_on_nearly_everything() -> None:
    found = families.examine(shop(), entry_points(shop()), ALL_DIMENSIONS, Language.PYTHON).examination.findings
    judgements = [backward.judge(shop(), entry_points(shop()), each).judgement for each in found]
    assert len(found) > 40
    assert all(each.counts(4) for each in judgements)
    assert sum(each.verdict is Verdict.CONFIRMED for each in judgements) >= 0.85 * len(found)


@pytest.mark.rule("A34")
def test_a_dive_goes_deeper_than_the_hunters_did() -> None:
    found = families.examine(shop(), entry_points(shop()), ALL_DIMENSIONS, Language.PYTHON).examination.findings
    depths = [each.flow.depth for each in found if each.flow]
    dived = backward.dive(shop(), entry_points(shop()), found, (), ALL_DIMENSIONS)
    assert max(flow.depth for flow in dived.flows) > sum(depths) / len(depths) + 2
    assert all(step.location.path in dived.files for flow in dived.flows for step in flow.steps)
    assert dived.findings == ()
