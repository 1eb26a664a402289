"""Which moves of a challenge stand, cell by cell."""

import pytest

from counterproof.model.errors import InvalidValue
from counterproof.model.plan.challenge import Basis, Proposal, Standing, Weight
from counterproof.protocols.plan.standing import TRANSITIONS, Known, moved, refusal
from protocols.plan.plans import challenge

KNOWN = Known(("U1", "app.py:3"), ("C1",))
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
    assert "without saying how" in refusal(challenge(), Proposal("C1", status, "  "), KNOWN)


@pytest.mark.rule("P5")
def test_evidence_is_named_and_was_checked() -> None:
    assert "not named" in refusal(challenge(), Proposal("C1", Standing.RESOLVED, "x", Basis.EVIDENCE), KNOWN)
    invented = Proposal("C1", Standing.RESOLVED, "x", Basis.EVIDENCE, ("U9",))
    assert "not among what was checked" in refusal(challenge(), invented, KNOWN)


@pytest.mark.rule("P5", "X19")
def test_a_users_word_must_have_been_given() -> None:
    forged = Proposal("C2", Standing.RESOLVED, "the user approved this", Basis.USER)
    assert "has not answered" in refusal(challenge(2), forged, KNOWN)
    assert refusal(challenge(1), Proposal("C1", Standing.RESOLVED, "as they said", Basis.USER), KNOWN) == ""


@pytest.mark.rule("P5")
def test_what_was_settled_opens_again_only_on_evidence() -> None:
    settled = challenge(1, status=Standing.RESOLVED, resolution="done")
    assert "only on evidence" in refusal(settled, Proposal("C1", Standing.OPEN, "doubt"), KNOWN)


@pytest.mark.rule("P5")
def test_a_move_keeps_an_earlier_mitigation() -> None:
    kept = moved(challenge(1, resolution="do A"), Proposal("C1", Standing.UNRESOLVED, ""))
    assert (kept.status, kept.resolution) == (Standing.UNRESOLVED, "do A")
