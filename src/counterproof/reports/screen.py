"""Lines for a terminal: measured in columns, wrapped or clipped, each with a tone that a surface may colour.

All input passes through `inert` here, so a row contains no control character. Not handled here: the content of rows.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from counterproof.model.counting import counted
from counterproof.reports import inert

WIDTH: Final = 80
MAX_SENTENCE: Final = 400


@dataclass(frozen=True, slots=True)
class Row:
    """One line. `tone` applies to its first `lead` characters: a heading, or a severity."""

    text: str
    tone: str = ""
    lead: int = 0


def columns(text: str) -> int:
    """The most columns that a terminal needs. Combining marks count too, so that stacked marks cannot hide text."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _fitting(word: str, room: int) -> int:
    used = 0
    for index, character in enumerate(word):
        used += columns(character)
        if used > room:
            return index
    return len(word)


def clipped(text: str, room: int) -> str:
    """The text on one line of at most `room` columns; truncation is visible."""
    shown = inert.line(text, MAX_SENTENCE)
    return shown if columns(shown) <= room else f"{shown[: _fitting(shown, room - 1)].rstrip(' ')}…"


def wrapped(text: str, first: str = "", rest: str = "", limit: int = MAX_SENTENCE) -> Iterator[str]:
    """The text in lines of at most 80 columns, broken between words or, if a word is too long, inside it."""
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
    """A line that starts with a heading, such as `COVERAGE 8 of 8 …`, with continuation lines below its text."""
    first, *rest = wrapped(text, f"{name:<10}", " " * 10)
    return [Row(first, "heading", len(name)), *(Row(each) for each in rest)]


def item(text: str) -> list[Row]:
    """An item of a list."""
    return [Row(each) for each in wrapped(text, "  - ", "    ")]


HEIGHT: Final = 24
"""Rows of a standard terminal, including the prompt's."""
LEAST: Final = 16
"""On a lower screen a summary scrolls instead of omitting more."""
SHARE: Final = 3
"""One in three of the remaining rows goes to each later list, if an earlier one has items."""


@dataclass(frozen=True, slots=True)
class Item:
    """The rows of a list entry, and how many things it represents."""

    rows: tuple[Row, ...]
    number: int = 1


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that belong together: `head` is always shown, and as many `items` as fit."""

    head: tuple[Row, ...]
    items: tuple[Item, ...] = ()
    noun: str = "finding"


def fitted(parts: Iterable[Part], height: int = HEIGHT) -> tuple[Row, ...]:
    """The parts in at most `height` rows including the prompt's, as far as their heads allow. The lists share the room."""
    every = [part for part in parts if part.head or part.items]
    room = max(height, LEAST) - 1 - sum(_height(row) for part in every for row in part.head)
    reserved = [min(len(part.items), max(1, room // SHARE)) for part in every]
    shown: list[list[Row]] = []
    spare = room
    for index, part in enumerate(every):
        rows, left = _filled(part.items, room - sum(reserved[index + 1 :]))
        room -= len(rows)
        count = sum(item.number for item in part.items[len(part.items) - left :])
        more = [Row(f"  and {counted(count, f'more {part.noun}')} in the full report")] if left else []
        spare -= len(rows) + len(more)
        shown.append([*part.head, *rows, *more])
    return tuple(_spaced(shown, spare))


def _height(row: Row) -> int:
    """The screen rows of a line. Only closing lines may need several: a path must not be wrapped."""
    return max(1, -(-columns(row.text) // WIDTH))


def _filled(items: tuple[Item, ...], room: int) -> tuple[list[Row], int]:
    """As many items as fit, at least one, and the number of omitted ones, whose line needs a row too."""
    rows: list[Row] = []
    for index, each in enumerate(items):
        last = index == len(items) - 1
        if index and len(rows) + len(each.rows) + (0 if last else 1) > room:
            return rows, len(items) - index
        rows.extend(each.rows)
    return rows, 0


def _spaced(parts: list[list[Row]], spare: int) -> Iterator[Row]:
    """The parts with blank lines between them, as far as there is room."""
    for index, part in enumerate(parts):
        if index and spare >= len(parts) - index:
            yield Row("")
            spare -= 1
        yield from (Row(row.text.rstrip(" "), row.tone, row.lead) for row in part)


TITLE_ROOM: Final = 28
"""A title is not shortened below this length to make room for its location."""


def titled(number: str, title: str, notes: Iterable[str], place: str, tone: str = "", width: int = WIDTH) -> list[Row]:
    """A finding on one line: number, title, notes and location. A long location gets a line of its own; the first note is
    dropped first if there is no room."""
    first, *rest = (clipped(each, TITLE_ROOM) for each in notes)
    lead, place = len(number), clipped(place, WIDTH * 4)
    named = _note([first, *rest])
    fits = columns(f"{number}{title}{named}  {place}") <= width
    note = named if fits else _note(rest)
    room = width - columns(number) - columns(place) - 2 - len(note)
    shown = clipped(title, max(room, TITLE_ROOM))
    if room >= min(TITLE_ROOM, columns(shown)):
        gap = " " * (room - columns(shown) + 2)
        return [Row(f"{number}{shown}{note}{gap}{place}", tone, lead)]
    shown = clipped(title, width - columns(number) - len(note))
    below = " " * lead
    return [Row(f"{number}{shown}{note}", tone, lead), *(Row(each) for each in wrapped(place, below, below))]


def _note(parts: list[str]) -> str:
    return f" ({', '.join(each for each in parts if each)})" if any(parts) else ""
