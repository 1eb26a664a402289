"""Pools, majorities and labels: the truth tables, whole, for teams of one to seven."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.model.review.position import Defence, Position, Resolution, Stance
from counterproof.model.severity import Severity
from counterproof.protocols.review.voting import majority, most_frequent, resolve
from protocols.review.reviews import finding, position

OTHERS = ("A1", "A2", "A3", "A4", "A5", "A6")


def resolved_with(stances: tuple[Stance, ...]):
    voters = OTHERS[: len(stances)]
    positions = [position(name, stance) for name, stance in zip(voters, stances, strict=True)]
    return resolve(finding(), positions, len(stances) + 1, voters=(*voters, "SEC"))


@pytest.mark.rule("R18", "R19")
@pytest.mark.parametrize("others", range(7))
def test_every_combination_of_stances(others: int) -> None:
    for stances in itertools.product(Stance, repeat=others):
        agree = 1 + stances.count(Stance.AGREE)
        against = stances.count(Stance.CHALLENGE)
        pool = agree + against
        result = resolved_with(stances)
        assert len(result.pool) == pool
        if pool == 1:
            expected = Resolution.SINGLE
        elif against == 0:
            expected = Resolution.CONSENSUS
        elif agree * 2 > pool:
            expected = Resolution.MAJORITY
        elif against * 2 > pool:
            expected = Resolution.DISMISSED
        else:
            expected = Resolution.ESCALATED
        assert result.resolution is expected
        shown_size = "" if pool == others + 1 else f" ({pool}/{others + 1})"
        assert result.label == expected.value + shown_size


@pytest.mark.rule("R19")
@pytest.mark.parametrize("others", range(1, 7))
def test_the_word_consensus_never_covers_a_challenge(others: int) -> None:
    for stances in itertools.product(Stance, repeat=others):
        if Stance.CHALLENGE in stances:
            assert "Consensus" not in resolved_with(stances).label


@pytest.mark.rule("R18")
@pytest.mark.parametrize(("pool", "needed"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4), (7, 4)])
def test_the_strict_majority(pool: int, needed: int) -> None:
    assert majority(pool) == needed


@pytest.mark.rule("R18")
def test_the_devils_advocate_and_strangers_have_no_vote() -> None:
    positions = [position("DEVIL", Stance.CHALLENGE), position("X", Stance.CHALLENGE), position("A1", Stance.AGREE)]
    assert resolve(finding(), positions, 2, voters=("SEC", "A1")).resolution is Resolution.CONSENSUS


@pytest.mark.rule("R18")
def test_a_vote_counts_once_and_the_last_word_counts() -> None:
    repeated = [position("A1", Stance.CHALLENGE)] * 5 + [position("A2", Stance.AGREE)]
    assert resolve(finding(), repeated, 3, voters=("A1", "A2")).resolution is Resolution.MAJORITY
    changed = [position("A1", Stance.CHALLENGE), position("A1", Stance.AGREE)]
    assert resolve(finding(), changed, 2, voters=("A1",)).resolution is Resolution.CONSENSUS


@pytest.mark.rule("R18")
def test_a_withdrawn_finding_is_dismissed_and_nobody_votes_for_their_own_twice() -> None:
    withdrawn = resolve(finding(), [position("A1", Stance.AGREE)], 2, Defence("SEC-001", False, "I was wrong"), ("A1",))
    assert (withdrawn.resolution, withdrawn.withdrawn) == (Resolution.DISMISSED, True)
    own = resolve(finding(), [position("SEC", Stance.AGREE), position("A1", Stance.CHALLENGE)], 2, voters=("SEC", "A1"))
    assert own.resolution is Resolution.ESCALATED


@pytest.mark.rule("R19")
def test_severity_is_the_most_frequent_and_a_tie_takes_the_highest() -> None:
    low, high, critical = Severity.LOW, Severity.HIGH, Severity.CRITICAL
    assert most_frequent([low, low, critical]) is low
    assert most_frequent([low, critical]) is critical
    positions = [position("A1", Stance.AGREE, low), position("A2", Stance.AGREE, low)]
    result = resolve(finding(severity=high), positions, 3, voters=("A1", "A2"))
    assert (result.severity, result.severities_differ) == (low, True)


stances = st.lists(st.sampled_from(Stance), min_size=1, max_size=6)


@pytest.mark.rule("R18")
@given(stances, st.integers(0, 5))
def test_no_vote_is_gained_by_abstaining(given_stances: list[Stance], who: int) -> None:
    """Whoever is against and abstains instead cannot make a dismissal more likely; whoever agrees cannot make inclusion so."""
    who %= len(given_stances)
    order = [Resolution.DISMISSED, Resolution.ESCALATED, Resolution.MAJORITY, Resolution.CONSENSUS, Resolution.SINGLE]
    spoken = resolved_with(tuple(given_stances))
    abstained = resolved_with(tuple(Stance.ABSTAIN if index == who else each for index, each in enumerate(given_stances)))
    if given_stances[who] is Stance.CHALLENGE:
        assert order.index(abstained.resolution) >= order.index(spoken.resolution)
    if given_stances[who] is Stance.AGREE:
        assert abstained.kept <= spoken.kept


@pytest.mark.rule("R18")
@given(st.permutations([position("A1", Stance.AGREE), position("A2", Stance.CHALLENGE), position("A3", Stance.ABSTAIN)]))
def test_the_order_of_positions_does_not_matter(shuffled: list[Position]) -> None:
    expected = resolve(finding(), sorted(shuffled, key=lambda each: each.specialist), 4, voters=("A1", "A2", "A3"))
    assert resolve(finding(), shuffled, 4, voters=("A1", "A2", "A3")) == expected
