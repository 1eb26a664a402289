"""The reviewed code around a place, for a reader: a few lines before and after it, as they stand in the file.

Invariant: the engine cuts it out of text that may be shown, never an agent; it decides nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from counterproof.model.errors import InvalidValue

AROUND = 3
"""Lines before and after the place."""
MAX_LINES = 12
MAX_WIDTH = 300


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Neighbouring lines of one file with their indentation; `first` is the number of the first."""

    first: int
    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.first < 1 or not self.lines:
            raise InvalidValue("an excerpt has lines, counted from 1")


def excerpt(text: Sequence[str], start: int, end: int) -> Excerpt | None:
    """What stands around lines `start` to `end` of a file's lines; None where the file has no such line."""
    if not 1 <= start <= len(text):
        return None
    first = max(1, start - AROUND)
    last = min(len(text), max(start, end) + AROUND, first + MAX_LINES - 1)
    return Excerpt(first, tuple(line.rstrip()[:MAX_WIDTH] for line in text[first - 1 : last]))
