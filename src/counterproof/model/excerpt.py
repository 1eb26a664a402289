"""The reviewed code around a location, for display: a few lines before and after it, unchanged.

Invariant: the engine, never an agent, extracts it, and only from text that may be shown; no decision depends on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from counterproof.model.errors import InvalidValue

AROUND = 3
"""Lines before and after the location."""
MAX_LINES = 12
MAX_WIDTH = 300


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Neighbouring lines of one file with their indentation; `first` is the line number of the first one."""

    first: int
    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.first < 1 or not self.lines:
            raise InvalidValue("an excerpt has lines, counted from 1")


def excerpt(text: Sequence[str], start: int, end: int) -> Excerpt | None:
    """The lines around lines `start` to `end` of a file; None if the file does not have them."""
    if not 1 <= start <= len(text):
        return None
    first = max(1, start - AROUND)
    last = min(len(text), max(start, end) + AROUND, first + MAX_LINES - 1)
    return Excerpt(first, tuple(line.rstrip()[:MAX_WIDTH] for line in text[first - 1 : last]))
