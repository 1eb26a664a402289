"""Slow patterns, each beside its sound twin."""

import pytest

from counterproof.analysis.patterns import ambiguity


@pytest.mark.parametrize(
    ("pattern", "slow"),
    [
        (r"^(a+)+$", True),
        (r"^([A-Z0-9]+-?)+#\d$", True),
        (r"^([-.\w]*[0-9a-z])*@$", True),
        (r"^(?:a*)*b", True),
        (r"^[A-Z]{2}-\d{4,10}$", False),
        (r"^([a-z]+\.)+[a-z]+$", False),
        (r"^(ab)+$", False),
        (r"^a+b+$", False),
        (r"(a+)+", False),
        (r"^(\d{3})+$", False),
        (r"(?=a)(a+)+$", True),
        ("(" * 200 + "a+" + ")+" * 200 + "$", False),
        ("(unclosed", False),
        ("[unclosed", False),
    ],
)
def test_only_clearly_exponential_patterns_are_slow(pattern: str, slow: bool) -> None:
    assert ambiguity(pattern).exponential is slow
