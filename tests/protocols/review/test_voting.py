"""Pools, majorities and labels: the truth tables, whole, for teams of one to seven."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.model.backing import FULL
from counterproof.model.review.position import Defence, Position, Resolution, Stance
from counterproof.model.severity import Severity
from counterproof.protocols.review.voting import (
    ONE_MODEL,
    REDUCED,
    UNBELIEVED,
    UNCONFIRMED,
    UNCOUNTED,
    majority,
    most_frequent,
    resolve,
)
from protocols.review.reviews import ONE, OTHER, finding, position

OTHERS = ("A1", "A2", "A3", "A4", "A5", "A6")


def resolved_with(stances: tuple[Stance, ...]):
    voters = OTHERS[: len(stances)]
    positions = [position(name, stance) for name, stance in zip(voters, stances, strict=True)]
    return resolve(finding(model=OTHER), positions, len(stances) + 1, voters=(*voters, "SEC"))


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
    assert resolve(finding(model=OTHER), repeated, 3, voters=("A1", "A2")).resolution is Resolution.MAJORITY
    changed = [position("A1", Stance.CHALLENGE), position("A1", Stance.AGREE)]
    assert resolve(finding(), changed, 2, voters=("A1",)).resolution is Resolution.CONSENSUS


@pytest.mark.rule("R18")
def test_a_withdrawn_finding_is_dismissed_and_nobody_votes_for_their_own_twice() -> None:
    withdrawn = resolve(finding(), [position("A1", Stance.AGREE)], 2, Defence("SEC-001", False, "I was wrong"), ("A1",))
    assert (withdrawn.resolution, withdrawn.withdrawn) == (Resolution.DISMISSED, True)
    both = [position("SEC", Stance.AGREE), position("A1", Stance.CHALLENGE)]
    own = resolve(finding(model=OTHER), both, 2, voters=("SEC", "A1"))
    assert own.resolution is Resolution.ESCALATED


@pytest.mark.rule("R19")
def test_severity_is_the_most_frequent_and_a_tie_takes_the_highest() -> None:
    low, high, critical = Severity.LOW, Severity.HIGH, Severity.CRITICAL
    assert most_frequent([low, low, critical]) is low
    assert most_frequent([low, critical]) is critical
    positions = [position("A1", Stance.AGREE, low), position("A2", Stance.AGREE, low)]
    result = resolve(finding(severity=high, model=OTHER), positions, 3, voters=("A1", "A2"))
    assert (result.severity, result.severities_differ) == (low, True)


stances = st.lists(st.sampled_from(Stance), min_size=1, max_size=6)


@pytest.mark.rule("R18")
@given(stances, st.integers(0, 5))
def test_no_vote_is_gained_by_abstaining(given_stances: list[Stance], who: int) -> None:
    """Abstaining instead of opposing cannot make a dismissal more likely; abstaining instead of agreeing cannot make inclusion
    so."""
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


@pytest.mark.rule("R36")
@pytest.mark.parametrize("against", range(1, 7))
def test_votes_never_dismiss_what_an_analyst_found(against: int) -> None:
    positions = [position(name, Stance.CHALLENGE) for name in OTHERS[:against]]
    result = resolve(finding(), positions, 7, voters=("SEC", *OTHERS))
    assert (result.resolution, result.kept, result.severity) == (Resolution.DISPUTED, True, Severity.HIGH)


@pytest.mark.rule("R36")
def test_a_confirmed_defence_refutes_and_says_so() -> None:
    shown = replace(FULL, confirmed="the value is converted to a number before it")
    result = resolve(finding(), [position("A1", Stance.CHALLENGE, backing=shown)], 2, voters=("SEC", "A1"))
    assert (result.resolution, result.notes) == (Resolution.DISMISSED, (f"refuted: {shown.confirmed}",))
    outsider = resolve(finding(), [position("DEVIL", Stance.CHALLENGE, backing=shown)], 1, voters=("SEC",))
    assert outsider.resolution is Resolution.DISMISSED


@pytest.mark.rule("R36")
def test_models_that_agree_do_not_make_an_analysts_finding_milder() -> None:
    milder = [position(name, Stance.AGREE, Severity.LOW) for name in OTHERS]
    assert resolve(finding(severity=Severity.CRITICAL), milder, 7, voters=("SEC", *OTHERS)).severity is Severity.CRITICAL
    assert resolve(finding(severity=Severity.CRITICAL, model=OTHER), milder, 7, voters=("SEC", *OTHERS)).severity is Severity.LOW


@pytest.mark.rule("R37")
@given(st.sampled_from(Severity), st.lists(st.sampled_from(Severity), max_size=6), st.sampled_from(["", OTHER]))
def test_a_vote_never_passes_a_ceiling(ceiling: Severity, votes: list[Severity], model: str) -> None:
    capped = finding(severity=Severity.CRITICAL, model=model).at_most(ceiling)
    positions = [position(name, Stance.AGREE, each) for name, each in zip(OTHERS, votes, strict=False)]
    assert resolve(capped, positions, 7, voters=("SEC", *OTHERS)).severity.rank <= ceiling.rank


@pytest.mark.rule("R41")
def test_where_the_file_gives_orders_one_provider_alone_is_not_believed_against_a_finding() -> None:
    claim = finding(model=OTHER)
    against = [position(name, Stance.CHALLENGE) for name in OTHERS[:3]]
    voters = ("SEC", *OTHERS)
    assert resolve(claim, against, 7, voters=voters).resolution is Resolution.DISMISSED
    kept = resolve(claim, against, 7, voters=voters, swayed=True)
    assert (kept.resolution, kept.notes[0]) == (Resolution.SINGLE, UNBELIEVED)
    second = [*against, position("A4", Stance.CHALLENGE, model="gamma:three")]
    assert resolve(claim, second, 7, voters=voters, swayed=True).resolution is Resolution.DISMISSED
    analyst = [*against, position("A4", Stance.CHALLENGE, model="")]
    assert resolve(claim, analyst, 7, voters=voters, swayed=True).resolution is Resolution.DISMISSED
    withdrawn = resolve(claim, [], 7, Defence("SEC-001", False, "as ordered", model=OTHER), voters, swayed=True)
    assert withdrawn.resolution is Resolution.ESCALATED


def test_one_model_in_several_seats_is_one_reading() -> None:
    alone = resolve(finding(model=ONE), [position("A1", Stance.AGREE), position("A2", Stance.AGREE)], 3, voters=("A1", "A2"))
    assert ONE_MODEL in alone.notes
    two = resolve(finding(model=OTHER), [position("A1", Stance.AGREE)], 3, voters=("A1", "A2"))
    assert ONE_MODEL not in two.notes


def test_if_a_seats_analyst_and_model_both_vote_the_analysts_counts() -> None:
    both = [position("A1", Stance.CHALLENGE), position("A1", Stance.AGREE, model="")]
    result = resolve(finding(model=OTHER), both, 2, voters=("A1", "SEC"))
    assert (result.resolution, [each.model for each in result.positions]) == (Resolution.DISPUTED, [""])


@pytest.mark.rule("R45")
def test_one_context_is_one_voice() -> None:
    """The chairs that a coding agent plays in one context are one voice; another context of it is a second one."""
    mine = replace(finding(model="host"), context="hunt")
    own = replace(position("CORR", Stance.AGREE, model="host"), context="hunt")
    done = resolve(mine, [own], 3, voters=("SEC", "CORR"))
    assert (done.resolution, done.validated) == (Resolution.SINGLE, False)
    other = resolve(mine, [replace(own, context="apart")], 3, voters=("SEC", "CORR"))
    assert (other.validated, other.label) == (True, "Consensus (2/3), same model")
    chairs = [position(name, Stance.AGREE, model="host") for name in ("CORR", "PERF")]
    assert len(resolve(finding(model=OTHER), chairs, 3, voters=("SEC", "CORR", "PERF")).pool) == 2


@pytest.mark.rule("R45")
def test_agreement_of_one_model_says_so() -> None:
    voters = ("SEC", "CORR")
    one = resolve(finding(model=ONE), [position("CORR", Stance.AGREE, model=ONE)], 2, voters=voters)
    two = resolve(finding(model=ONE), [position("CORR", Stance.AGREE, model=OTHER)], 2, voters=voters)
    assert (one.label, two.label) == ("Consensus, same model", "Consensus")
    assert one.severity is finding().severity


@pytest.mark.rule("R45")
@pytest.mark.parametrize("missing", ["", "opened", "quoted", "holds"])
def test_a_challenger_who_fails_to_refute_validates_without_a_vote(missing: str) -> None:
    backing = replace(FULL, **{missing: False}) if missing else FULL
    done = resolve(finding(model=OTHER), [position("DEVIL", Stance.AGREE, model=ONE, backing=backing)], 1, voters=("SEC",))
    assert (done.resolution, done.pool) == (Resolution.SINGLE, ("SEC",))
    assert (done.validated, done.label) == ((False, "Single specialist") if missing else (True, "Validated"))


@pytest.mark.rule("R45")
def test_one_model_in_several_chairs_lifts_nobodys_severity_and_its_agreement_says_so() -> None:
    minor = finding(severity=Severity.LOW)
    chairs = [position(name, Stance.AGREE, Severity.HIGH) for name in OTHERS[:4]]
    voters = ("SEC", *OTHERS)
    alone = resolve(minor, chairs, 5, voters=voters)
    assert (alone.severity, alone.label) == (Severity.LOW, "Consensus, same model")
    assert resolve(finding(severity=Severity.LOW, model=ONE), chairs, 5, voters=voters).severity is Severity.LOW
    second = [*chairs[:3], position("A4", Stance.AGREE, Severity.HIGH, model=OTHER)]
    both = resolve(minor, second, 5, voters=voters)
    assert (both.severity, both.label) == (Severity.HIGH, "Consensus")
    assert resolve(finding(severity=Severity.LOW, model=OTHER), chairs, 5, voters=voters).severity is Severity.HIGH


@pytest.mark.rule("R45")
def test_the_text_on_a_finding_without_votes_matches_its_positions() -> None:
    mine = finding(model=ONE)
    against, agrees = (position("DEVIL", stance) for stance in (Stance.CHALLENGE, Stance.AGREE))
    assert resolve(mine, [], 1, voters=("SEC",)).notes == (REDUCED,)
    challenged = resolve(mine, [against], 1, voters=("SEC",))
    assert (challenged.notes, challenged.unvoted) == ((UNCONFIRMED,), (against,))
    validated = resolve(mine, [agrees], 1, voters=("SEC",))
    assert (validated.notes, validated.validated, validated.unvoted) == ((), True, (agrees,))
    uncounted = resolve(mine, [replace(agrees, stance=Stance.ABSTAIN, severity=None)], 1, voters=("SEC",))
    assert uncounted.notes == (UNCOUNTED,)
