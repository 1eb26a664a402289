"""How many examples a property is tried with."""

from hypothesis import settings


def examples(full: int) -> int:
    """`full` of them, or the part of that which the profile takes: `--hypothesis-profile=push` takes a third."""
    return max(1, full * settings().max_examples // 100)
