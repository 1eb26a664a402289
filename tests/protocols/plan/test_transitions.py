"""The allowed status changes of a challenge, case by case."""

from dataclasses import replace

import pytest

from counterproof.model.errors import InvalidValue
from counterproof.model.plan.challenge import Basis, Proposal, Response, Standing, Weight
from counterproof.protocols.plan.standing import TRANSITIONS, Known, moved, refusal
from protocols.plan.plans import challenge

KNOWN = Known(("U1", "U2", "app.py:3"), ("C1",), {"C1": ("U1",)})
LEGAL = {
    (Standing.OPEN, Standing.RESOLVED),
    (Standing.OPEN, Standing.UNRESOLVED),
    (Standing.OPEN, Standing.DEFERRED),
    (Standing.OPEN, Standing.WITHDRAWN),
    (Standing.UNRESOLVED, Standing.RESOLVED),
    (Standing.UNRESOLVED, Standing.UNRESOLVED),
    (Standing.UNRESOLVED, Standing.DEFERRED),
    (Standing.UNRESOLVED, Standing.WITHDRAWN),
    (Standing.DEFERRED, Standing.OPEN),
    (Standing.DEFERRED, Standing.RESOLVED),
    (Standing.DEFERRED, Standing.WITHDRAWN),
    (Standing.RESOLVED, Standing.OPEN),
}


@pytest.mark.rule("P5")
@pytest.mark.parametrize("before", list(Standing))
@pytest.mark.parametrize("after", list(Standing))
def test_every_pair(before: Standing, after: Standing) -> None:
    wish = Proposal("C1", after, "because", Basis.EVIDENCE, ("U1",))
    refused = refusal(challenge(1, Weight.MINOR, before, "earlier"), wish, KNOWN)
    assert (refused == "") == ((before, after) in LEGAL)
    assert {(one, two) for one, ends in TRANSITIONS.items() for two in ends} == LEGAL


@pytest.mark.rule("P5")
@pytest.mark.parametrize("severity", [Weight.BLOCKING, Weight.SIGNIFICANT])
def test_only_minor_is_deferred(severity: Weight) -> None:
    assert "only MINOR" in refusal(challenge(1, severity), Proposal("C1", Standing.DEFERRED, "later"), KNOWN)
    with pytest.raises(InvalidValue):
        challenge(1, severity, Standing.DEFERRED)


@pytest.mark.rule("P5")
@pytest.mark.parametrize("status", [Standing.RESOLVED, Standing.WITHDRAWN])
def test_settling_needs_words(status: Standing) -> None:
    assert "without saying how" in refusal(challenge(), Proposal("C1", status, "  ", Basis.EVIDENCE, ("U1",)), KNOWN)


@pytest.mark.rule("P5")
def test_evidence_is_named_and_was_checked() -> None:
    assert "no evidence is named" in refusal(challenge(), Proposal("C1", Standing.RESOLVED, "x", Basis.EVIDENCE), KNOWN)
    invented = Proposal("C1", Standing.RESOLVED, "x", Basis.EVIDENCE, ("U9",))
    assert "not among the verified evidence" in refusal(challenge(), invented, KNOWN)


@pytest.mark.rule("P5", "X19")
def test_a_users_decision_must_be_on_record() -> None:
    forged = Proposal("C2", Standing.RESOLVED, "the user approved this", Basis.USER)
    assert "waiting for the user's decision" in refusal(challenge(2), forged, KNOWN)
    assert refusal(challenge(1), Proposal("C1", Standing.RESOLVED, "as they said", Basis.USER), KNOWN) == ""


@pytest.mark.rule("P5")
def test_a_settled_challenge_is_reopened_only_on_evidence() -> None:
    settled = challenge(1, status=Standing.RESOLVED, resolution="done")
    assert "only with new evidence" in refusal(settled, Proposal("C1", Standing.OPEN, "doubt"), KNOWN)


@pytest.mark.rule("P5")
def test_a_move_keeps_an_earlier_mitigation() -> None:
    kept = moved(challenge(1, resolution="do A"), Proposal("C1", Standing.UNRESOLVED, ""))
    assert (kept.status, kept.resolution) == (Standing.UNRESOLVED, "do A")


@pytest.mark.rule("P19")
@pytest.mark.parametrize("status", [Standing.RESOLVED, Standing.WITHDRAWN])
def test_neither_debate_nor_a_source_that_merely_exists_settles_anything(status: Standing) -> None:
    assert "not by debate" in refusal(challenge(), Proposal("C1", status, "it is fine"), KNOWN)
    for named in ("app.py:3", "U2"):
        wish = Proposal("C1", status, "the line shows it", Basis.EVIDENCE, (named,))
        assert "none of the evidence refutes it" in refusal(challenge(), wish, KNOWN)
    assert refusal(challenge(), Proposal("C1", status, "it is there", Basis.EVIDENCE, ("U1", "U2")), KNOWN) == ""


@pytest.mark.rule("F19")
def test_a_proved_challenge_is_refuted_only_by_established_facts() -> None:
    wish = Proposal("C1", Standing.WITHDRAWN, "the line shows it", Basis.EVIDENCE, ("U1",))
    proved = replace(KNOWN, proved=("C1",))
    assert "proved from the code" in refusal(challenge(), wish, proved)
    assert refusal(challenge(), wish, replace(proved, established=("U1",))) == ""


@pytest.mark.rule("P19")
@pytest.mark.parametrize(
    ("text", "decided"),
    [
        ("accept", True),
        ("Accept: the risk is ours", True),
        ("change: call report.py too", True),
        ("lol", False),
        ("change", False),
        ("change:  ", False),
        ("I accept nothing", False),
        ("acceptable?", False),
        ("", False),
    ],
)
def test_only_an_explicit_answer_is_a_decision(text: str, decided: bool) -> None:
    assert bool(Response("C1", text, 1).decision) == decided
