"""What a section is made of, without saying how it looks: paragraphs, lists, tables and listings of marked text.

A `Span` carries text as it came; whoever renders it makes it harmless first. Only `OWN` text is written by this program
itself, so a format may put it down as it stands. Nothing here reads a report.
"""

from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    """OWN is our own wording. All others may hold text of the reviewed code."""

    OWN = "own"
    TEXT = "text"
    CODE = "code"
    STRONG = "strong"


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    mark: Mark = Mark.TEXT


Inline = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    spans: Inline


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """`figures` are the indices of the columns that hold numbers."""

    headings: tuple[str, ...]
    rows: tuple[tuple[Inline, ...], ...]
    figures: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines as they are; at most `most` of them are shown."""

    text: str
    most: int


Block = Paragraph | Bullets | Table | Listing


@dataclass(frozen=True, slots=True)
class Section:
    """`key` names the section inside a document; `title` is what a reader sees; an `empty` one says that there is nothing."""

    key: str
    title: str
    blocks: tuple[Block, ...]
    empty: bool = False


def own(words: str) -> Inline:
    """Our own words."""
    return (Span(words, Mark.OWN),)


def text(words: str) -> Inline:
    """Anybody's words."""
    return (Span(words),)


def code(words: str) -> Inline:
    """A piece of code, a path, a name."""
    return (Span(words, Mark.CODE),)


def strong(words: str) -> Inline:
    """Words that stand out."""
    return (Span(words, Mark.STRONG),)


def number(value: int) -> Inline:
    """A count."""
    return own(f"{value:,}")


def listed(items: tuple[Inline, ...], empty: str = "none") -> Inline:
    """Items with commas between them."""
    spans: list[Span] = []
    for index, item in enumerate(items):
        if index:
            spans.append(Span(", ", Mark.OWN))
        spans.extend(item)
    return tuple(spans) or own(empty)


def nothing(key: str, title: str, words: str) -> Section:
    """A section that says there is nothing to list."""
    return Section(key, title, (sentence(words),), empty=True)


def sentence(words: str) -> Paragraph:
    """A paragraph of our own words."""
    return Paragraph(own(words))
