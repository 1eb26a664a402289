"""Lines for a terminal: measured in columns, wrapped or clipped to 80 of them, each with the tone that a surface may colour.

Everything that comes in passes through `inert` here, so a row holds no control character. What the rows say does not
belong here.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from counterproof.reports import inert

WIDTH: Final = 80
MAX_SENTENCE: Final = 400


@dataclass(frozen=True, slots=True)
class Row:
    """One line. `tone` is for its first `lead` characters: a heading, or the severity they speak of."""

    text: str
    tone: str = ""
    lead: int = 0


def columns(text: str) -> int:
    """Columns that a terminal needs at most. Combining marks count too, so that a pile of them cannot hide."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _fitting(word: str, room: int) -> int:
    used = 0
    for index, character in enumerate(word):
        used += columns(character)
        if used > room:
            return index
    return len(word)


def clipped(text: str, room: int) -> str:
    """The text on one line of at most `room` columns; a cut shows."""
    shown = inert.line(text, MAX_SENTENCE)
    return shown if columns(shown) <= room else f"{shown[: _fitting(shown, room - 1)].rstrip(' ')}…"


def wrapped(text: str, first: str = "", rest: str = "", limit: int = MAX_SENTENCE) -> Iterator[str]:
    """The text in lines of at most 80 columns, broken between words and, where a word is too long, inside it."""
    current, empty = first, True
    for word in inert.line(text, limit).split(" "):
        gap = "" if empty else " "
        if columns(current + gap + word) <= WIDTH:
            current, empty = current + gap + word, False
            continue
        if not empty:
            yield current
            current = rest
        while columns(current + word) > WIDTH:
            cut = _fitting(word, WIDTH - columns(current))
            yield current + word[:cut]
            current, word = rest, word[cut:]
        current, empty = current + word, False
    yield current


def headed(name: str, text: str) -> list[Row]:
    """A line that opens with a heading, such as `COVERAGE  8 of 8 …`, and goes on below its text."""
    first, *rest = wrapped(text, f"{name:<10}", " " * 10)
    return [Row(first, "heading", len(name)), *(Row(each) for each in rest)]


def item(text: str) -> list[Row]:
    """An item of a list."""
    return [Row(each) for each in wrapped(text, "  - ", "    ")]
