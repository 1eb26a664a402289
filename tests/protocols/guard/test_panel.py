"""Claims of several agents: which ones are one problem. Two claims of one agent never are (A39)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.model.errors import InvalidValue
from counterproof.model.finding import Finding
from counterproof.model.kinship import kin
from counterproof.model.location import at
from counterproof.protocols.guard.panel import NEAR, Hand, aligned, quorum_of
from toolbox.tooling import a_claim


def claim(line: int, cwe: int = 89, path: str = "app.py") -> Finding:
    return replace(a_claim(), location=at(path, line), cwe=cwe)


def places(hands: tuple[Hand, ...]) -> list[list[tuple[str, int]]]:
    return [[(agent, each.location.start) for agent, each in group.claims] for group in aligned(hands)]


@pytest.mark.rule("A39")
def test_neighbouring_flaws_of_one_agent_stay_two_and_pair_with_the_nearest_of_another() -> None:
    hands = (Hand("a", (claim(10), claim(12))), Hand("b", (claim(13), claim(9))), Hand("c", (claim(12),)))
    assert places(hands) == [[("a", 10), ("b", 9)], [("a", 12), ("b", 13), ("c", 12)]]
    crowded = (Hand("a", (claim(10),)), Hand("b", (claim(11), claim(10))))
    assert places(crowded) == [[("a", 10), ("b", 10)], [("b", 11)]]


def test_claims_meet_only_in_one_file_near_by_and_about_kindred_weaknesses() -> None:
    apart = (claim(10), claim(10 + NEAR + 1), claim(10, cwe=79), claim(10, path="other.py"))
    for other in apart[1:]:
        assert len(aligned((Hand("a", (apart[0],)), Hand("b", (other,))))) == 2
    assert len(aligned((Hand("a", (claim(10, cwe=306),)), Hand("b", (claim(10 + NEAR, cwe=862),))))) == 1


def test_between_two_groups_at_one_distance_the_same_weakness_decides() -> None:
    hands = (Hand("a", (claim(10, 306), claim(10, 862))), Hand("b", (claim(10, 862),)))
    assert [len(group.claims) for group in aligned(hands)] == [1, 2]


def test_the_spokesman_is_a_claim_that_was_made_of_the_most_named_weakness_in_the_middle() -> None:
    hands = tuple(Hand(name, (claim(line, cwe),)) for name, line, cwe in (("a", 14, 862), ("b", 10, 306), ("c", 12, 862)))
    (group,) = aligned(hands)
    assert group.spokesman == claim(14, 862)
    assert group.agents == ("a", "b", "c")


def test_one_agent_has_one_hand() -> None:
    with pytest.raises(InvalidValue, match="one agent"):
        aligned((Hand("a", ()), Hand("a", ())))


@pytest.mark.parametrize(("agents", "needed"), [(0, 1), (1, 1), (3, 1), (4, 2), (6, 2), (17, 6)])
def test_a_third_of_the_agents_must_agree(agents: int, needed: int) -> None:
    assert quorum_of(agents) == needed


def test_kinship_is_reflexive_and_groups_do_not_overlap() -> None:
    assert kin(89) == kin(943) != kin(79)
    assert all(kin(kin(cwe)) == kin(cwe) for cwe in range(1, 1_400))


@given(st.lists(st.lists(st.tuples(st.integers(1, 60), st.sampled_from((89, 79, 306, 862))), max_size=8), max_size=5))
def test_every_claim_is_in_one_group_and_no_group_holds_an_agent_twice(given_hands: list[list[tuple[int, int]]]) -> None:
    hands = tuple(Hand(str(n), tuple(claim(*each) for each in claims)) for n, claims in enumerate(given_hands))
    groups = aligned(hands)
    assert sum(len(group.claims) for group in groups) == sum(len(hand.claims) for hand in hands)
    assert all(len(set(group.agents)) == len(group.agents) for group in groups)
    assert groups == aligned(hands)
