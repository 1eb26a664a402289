"""What a proof bears (A55): a whole one everything, one open point Medium, two Low, and nothing raises it again."""

import pytest

from counterproof.model.fact import Fact, Operation
from counterproof.model.location import at
from counterproof.model.proof import Assumption, Guess, Link, Part, Proof, Shape, ceiling
from counterproof.model.severity import Impact, Rating, Reach, Severity
from counterproof.protocols.audit import merge, severity
from counterproof.protocols.audit.resolution import Ruled
from protocols.audit.play import a_finding, a_proof

CRITICAL = Rating(Reach.ANONYMOUS, Impact.FULL, default_config=True)
UNKNOWN_CALL = Assumption(Guess.UNRESOLVED_CALL, "load", at("app.py", 19))
UNKNOWN_REACH = Assumption(Guess.UNKNOWN_REACH, "GET /orders")


def shown(*proofs: Proof | None) -> list[tuple[Severity, str]]:
    ruled = tuple(
        Ruled(a_finding(20 + number, id=f"F00{number}", rating=CRITICAL, proof=proof), ()) for number, proof in enumerate(proofs)
    )
    return [(level, sum_.cap) for _, sum_, level in merge.calibrated(ruled)]


@pytest.mark.rule("A55")
def test_open_points_cap_severity_one_by_one() -> None:
    whole, one, two = a_proof(), a_proof(assumptions=(UNKNOWN_CALL,)), a_proof(assumptions=(UNKNOWN_CALL, UNKNOWN_REACH))
    assert [shown(each)[0][0] for each in (whole, one, two)] == [Severity.CRITICAL, Severity.MEDIUM, Severity.LOW]
    assert shown(one)[0][1] == "the proof leaves open a call that was not resolved (load): critical is held at medium"


@pytest.mark.rule("A55")
def test_no_proof_and_an_unchecked_one_bear_medium_at_most() -> None:
    assert shown(None) == [(Severity.MEDIUM, "no proof was stated: critical is held at medium")]
    assert shown(a_proof(checked=False)) == [(Severity.MEDIUM, "the proof was not checked: critical is held at medium")]


@pytest.mark.rule("A55")
def test_a_refuted_fact_and_a_missing_part_are_open_points() -> None:
    wrong = Fact(at("app.py", 20), Operation.CALL, "execute")
    assert ceiling(a_proof(refuted=(wrong,))) is Severity.MEDIUM
    assert ceiling(Proof(Shape.FLOW, (Link(Part.SINK, wrong),), checked=True)) is Severity.MEDIUM
    assert ceiling(Proof(Shape.FLOW, (Link(Part.SINK, wrong),), checked=True, refuted=(wrong,))) is Severity.LOW


@pytest.mark.rule("A55")
def test_another_instance_of_the_type_does_not_raise_what_its_proof_does_not_bear() -> None:
    levels = [level for level, _ in shown(a_proof(), a_proof(assumptions=(UNKNOWN_REACH,)))]
    assert levels == [Severity.CRITICAL, Severity.MEDIUM]


@pytest.mark.rule("A55")
def test_what_its_own_proof_does_not_bear_raises_no_other_instance() -> None:
    open_one = a_finding(20, id="F001", rating=CRITICAL, proof=a_proof(assumptions=(UNKNOWN_CALL,)))
    whole = a_finding(30, id="F002", rating=Rating(Reach.LOW_PRIVILEGE, Impact.PARTIAL), proof=a_proof())
    levels = merge.calibrated((Ruled(open_one, ()), Ruled(whole, ())))
    assert [(level, sum_.raised) for _, sum_, level in levels] == [(Severity.MEDIUM, ""), (Severity.MEDIUM, "")]


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("reach", "points"), [(Reach.ANONYMOUS, 2), (Reach.UNKNOWN, 1), (Reach.LOW_PRIVILEGE, 1), (Reach.ADMIN, 0)]
)
def test_reach_that_is_not_known_counts_one(reach: Reach, points: int) -> None:
    terms = severity.calibrate(a_finding(rating=Rating(reach, Impact.LOCAL))).terms
    assert next(term.points for term in terms if term.name == "reachability") == points
