"""Tokens are bounded as providers count them, never by bytes (F18)."""

from pathlib import Path

import pytest

from counterproof.agents.models.sizing import Scale, tokens_at_most

SHOP = Path(__file__).resolve().parents[3] / "examples" / "shop" / "storefront"


@pytest.mark.rule("F18")
def test_code_is_not_counted_by_its_bytes() -> None:
    texts = [path.read_text("utf-8") for path in sorted(SHOP.rglob("*.py"))]
    tokens, size = sum(tokens_at_most(text) for text in texts), sum(len(text.encode()) for text in texts)
    assert 0.35 * size < tokens < 0.7 * size, "above what any provider counts, well below the bytes"


@pytest.mark.rule("F18")
@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("a1" * 50, 100),  # digits and letters in turn: one token each
        ("Zm9vYmFyZm9vYmFyZm9vYmFyZm9v", 15),
        ("q" * 300, 300),  # no word
        ("漢字" * 10, 60),
        ("{}[]();:=" * 10, 90),
        (" " * 1_000, 60),
        ("\n" * 100, 100),
    ],
)
def test_hostile_text_does_not_get_below_the_bound(text: str, least: int) -> None:
    assert tokens_at_most(text) >= least


@pytest.mark.rule("F18")
def test_the_providers_token_count_is_learnt_with_a_margin() -> None:
    scale = Scale()
    assert scale.applied(10_000) == 10_000, "nothing is known yet"
    scale.measured(500, 10)
    assert scale.applied(10_000) == 10_000, "a short question says nothing"
    scale.measured(10_000, 4_000)
    scale.measured(10_000, 2_000)
    assert scale.applied(10_000) == 5_001, "the highest share counts, and a quarter more"
    scale.measured(10_000, 9_500)
    assert scale.applied(10_000) == 10_000, "never more than the bound"
