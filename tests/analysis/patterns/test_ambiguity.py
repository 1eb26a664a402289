"""How patterns are judged: what grows without bounds, what does not, and that a hostile pattern costs little."""

import re

import pytest

from counterproof.analysis.patterns import ambiguity
from counterproof.analysis.patterns.automaton import MAX_PATTERN, MAX_PLACES, automaton

EXPONENTIAL = (
    r"(a*)*b",
    r"(ab|a.)*c",
    r"(\s*a\s*)*b",
    r"^([A-Z0-9]+-?)+#\d$",
    r"(?:\.[a-z0-9]+(?:[a-z0-9-]*[a-z0-9]+)*)*$",
    r"(?:(?:\w+\s?){1,60})!",
)
ORDERLY = (
    r"(a|b)*c",
    r"(?:[a-z]+,)*;",
    r"(?:a+)*",  # nothing after it can fail
    r"(?:a|(?!a).)*b",
    r"(?>a+)+b",
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+$",
    r"(unclosed",
)


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_two_ways_around_a_repetition_are_exponential(pattern: str) -> None:
    assert ambiguity(pattern).exponential


@pytest.mark.parametrize("pattern", ORDERLY)
def test_one_way_around_or_no_failure_is_not(pattern: str) -> None:
    assert not ambiguity(pattern).exponential


def test_degree_counts_repetitions_that_share_a_character() -> None:
    assert ambiguity(r"rgb\([ \t]*(.+?)[ \t]*\)").degree == 3
    assert ambiguity(r"rgb\((.+?)[ \t]*\)").degree == 2
    assert ambiguity(r"(\d+)\.(\d+)x").degree == 1


def test_a_search_tries_every_start() -> None:
    assert (ambiguity(r"a+a+b").degree, ambiguity(r"a+a+b").searched) == (2, 3)
    assert ambiguity(r"^a+a+b").searched == 2
    assert ambiguity(r"=a+a+b").searched == 2


def test_flags_decide_what_a_dot_and_a_letter_take() -> None:
    assert not ambiguity(r"(?:.|\n)*x").exponential
    assert ambiguity(r"(?:.|\n)*x", re.DOTALL).exponential
    assert not ambiguity(r"(?:ab|AB)*x").exponential
    assert ambiguity(r"(?:ab|AB)*x", re.IGNORECASE).exponential


def test_hostile_patterns_are_left_alone() -> None:
    assert automaton("a" * (MAX_PATTERN + 1)) is None
    assert automaton("(" * 900 + "a" + ")" * 900) is None
    assert automaton("a" * (MAX_PLACES + 1)) is None
    assert not ambiguity("(?:" + "|".join(f"a{chr(97 + n % 26)}" for n in range(70)) + ")*[").exponential


@pytest.mark.parametrize(("pattern", "degree"), [(r"\s+$", 2), (r"(?<!\s)\s+$", 1), (r"(?<!-)\s+$", 2), (r"(?<! ) .*$", 2)])
def test_a_look_behind_helps_where_it_forbids_all_that_the_repetition_takes(pattern: str, degree: int) -> None:
    assert ambiguity(pattern).searched == degree
