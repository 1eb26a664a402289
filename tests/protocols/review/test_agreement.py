"""The run's level of agreement and the verdict on a document."""

import itertools
from dataclasses import replace

import pytest

from counterproof.model.review.position import Agreement, DocumentVerdict, Resolution, Resolved, Stance
from counterproof.model.severity import Confidence, Severity
from counterproof.protocols.review.agreement import agreement, document_verdict
from protocols.review.reviews import finding, position

C, M, D, E, S = Resolution.CONSENSUS, Resolution.MAJORITY, Resolution.DISMISSED, Resolution.ESCALATED, Resolution.SINGLE
P = Resolution.DISPUTED
APPROVE, REVISE, REJECT = DocumentVerdict
HIGH, LOW, CRITICAL = Severity.HIGH, Severity.LOW, Severity.CRITICAL


def resolved(kind: Resolution, severity: Severity = HIGH, confidence: Confidence = Confidence.HIGH) -> Resolved:
    return Resolved(finding(severity=severity, confidence=confidence), kind, severity, ("SEC",), 3)


@pytest.mark.rule("R20")
@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ((), Agreement.EMPTY),
        ((S, S), Agreement.UNREAD),
        ((P, C, C, C, C), Agreement.PARTIAL),
        ((P, C), Agreement.SPLIT),
        ((P, P, C), Agreement.NONE),
        ((C, C, C), Agreement.FULL),
        ((C, C, S), Agreement.PARTIAL),
        ((E, E, C), Agreement.NONE),
        ((E, C), Agreement.SPLIT),
        ((D, C, C), Agreement.SPLIT),
        ((D, C, C, C), Agreement.PARTIAL),
        ((D, C, C, C, M), Agreement.STRONG),
        ((M, C, C, C), Agreement.STRONG),
        ((E, C, C, C, C), Agreement.PARTIAL),
    ],
)
def test_the_first_level_that_fits(kinds: tuple[Resolution, ...], expected: Agreement) -> None:
    assert agreement([resolved(kind) for kind in kinds]) is expected


@pytest.mark.rule("R20", "R45")
def test_a_run_that_a_challenger_read_does_not_say_that_nobody_did() -> None:
    alone = resolved(S)
    assert agreement([replace(alone, validated=True), alone]) is Agreement.ADVISED
    assert agreement([replace(alone, unvoted=(position("DEVIL", Stance.CHALLENGE),))]) is Agreement.ADVISED


@pytest.mark.rule("R20")
def test_full_consensus_never_hides_anything_else() -> None:
    for kinds in itertools.product(Resolution, repeat=4):
        if set(kinds) != {C}:
            assert agreement([resolved(kind) for kind in kinds]) is not Agreement.FULL


@pytest.mark.rule("R21")
@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ((APPROVE, APPROVE, APPROVE), APPROVE),
        ((APPROVE, APPROVE, REJECT), APPROVE),
        ((APPROVE, REVISE, REJECT), REJECT),
        ((APPROVE, REVISE), REVISE),
        ((APPROVE, APPROVE, REVISE, REVISE), REVISE),
        ((), REVISE),
    ],
)
def test_votes_on_a_document(votes: tuple[DocumentVerdict, ...], expected: DocumentVerdict) -> None:
    assert document_verdict(votes, []) is expected


@pytest.mark.rule("R21", "R48")
@pytest.mark.parametrize(
    ("findings", "expected"),
    [
        ([resolved(C, CRITICAL)], REJECT),
        ([resolved(M, CRITICAL)], REJECT),
        ([resolved(P, CRITICAL)], REJECT),
        ([resolved(E, CRITICAL)], REVISE),
        ([resolved(C, CRITICAL, Confidence.PATTERN)], REVISE),
        ([resolved(D, CRITICAL)], APPROVE),
        ([resolved(C)], REVISE),
        ([resolved(E)], REVISE),
        ([resolved(C)] * 3, REVISE),
        ([resolved(C)] * 4, REVISE),
        ([resolved(C)] * 5, REJECT),
        ([resolved(C, LOW)] * 9, APPROVE),
    ],
)
def test_findings_only_worsen_a_verdict(findings: list[Resolved], expected: DocumentVerdict) -> None:
    assert document_verdict((APPROVE,) * 3, findings) is expected
    assert document_verdict((REJECT,) * 3, findings) is REJECT


@pytest.mark.rule("R21", "R48")
@pytest.mark.parametrize(("vote", "expected"), [(APPROVE, REVISE), (REVISE, REVISE), (REJECT, REJECT)])
def test_a_document_that_gives_orders_to_its_reviewers_is_never_approved(
    vote: DocumentVerdict, expected: DocumentVerdict
) -> None:
    assert document_verdict((vote,) * 3, [], (vote,) * 3, addressed=True) is expected


@pytest.mark.rule("R36")
def test_no_vote_of_models_makes_a_verdict_kinder_than_the_analysts() -> None:
    """All that models can do to a seat is to make it more careful, and still the count could come out kinder."""
    for analysts in itertools.product(DocumentVerdict, repeat=5):
        alone = document_verdict(analysts, [], analysts)
        seats = [max(each, REVISE, key=lambda verdict: verdict.rank) for each in analysts]
        assert document_verdict(seats, [], analysts).rank >= alone.rank
    assert document_verdict((APPROVE, REVISE, REVISE, REVISE, REJECT), [], (APPROVE, APPROVE, REVISE, REVISE, REJECT)) is REJECT
