"""What a report is made of, without saying how it looks: sections of paragraphs, lists, tables, code and cards.

A `Span` carries text as it came; whoever renders it makes it harmless first. Only `OWN` text is written by this program
itself, so a format may put it down as it stands. Nothing here reads a report.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.excerpt import Excerpt
from counterproof.reports.screen import Part


class Mark(StrEnum):
    """OWN is our own wording. All others may hold text of the reviewed code: REMARK is prose that puts code between backticks,
    LABEL a word that a card carries, CARD the number of a card of the same document."""

    OWN = "own"
    TEXT = "text"
    CODE = "code"
    STRONG = "strong"
    REMARK = "remark"
    LABEL = "label"
    CARD = "card"


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
    """Lines as they are; at most `most` of them are shown. `link` leads to them on the web, '' where nobody knows."""

    text: str
    most: int
    link: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of the blocks that follow it in a section."""

    spans: Inline


@dataclass(frozen=True, slots=True)
class Quote:
    """Lines of one file; a reader is to look at `start` to `end`. `link` as in a listing."""

    path: str
    shown: Excerpt
    start: int
    end: int
    link: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A finding or a challenge. `level` is the style's name of its severity, `word` how the document calls it; readers filter by
    `area` and `path`; `record` says how it came about, for who wants to know it."""

    number: str
    level: str
    word: str
    title: str
    about: tuple[Inline, ...]
    parts: "tuple[Section, ...]"
    record: "tuple[Section, ...]" = ()
    area: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Cards:
    """`levels` are the names and words of all severities; `area` is the title of the choice between `areas`, values and words.
    `aside` are cards off the first page, in an appendix whose title says how many they are."""

    rows: tuple[Card, ...]
    noun: str
    levels: tuple[tuple[str, str], ...]
    area: str
    areas: tuple[tuple[str, str], ...]
    aside: tuple[Card, ...] = ()
    appendix: str = ""


Block = Paragraph | Bullets | Table | Listing | Heading | Quote | Cards


@dataclass(frozen=True, slots=True)
class Section:
    """`key` names the section inside a document; `title` is what a reader sees; an `empty` one says that there is nothing."""

    key: str
    title: str
    blocks: tuple[Block, ...]
    empty: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report. `kind`, `about`, `target` and `facts` say what was looked at; `result` what came of it, in the style's
    `tone`, with `counts` by severity (the style's name, the word, the number); `notices` what a reader must not miss."""

    kind: str
    about: str
    target: str
    facts: tuple[str, ...]
    result: str
    tone: str
    said: tuple[str, ...]
    counts: tuple[tuple[str, str, int], ...]
    notices: tuple[str, ...]
    sections: tuple[Section, ...]
    summary: tuple[Part, ...]


def own(words: str) -> Inline:
    """Our own words."""
    return (Span(words, Mark.OWN),)


def text(words: str) -> Inline:
    """Anybody's words."""
    return (Span(words),)


def code(words: str) -> Inline:
    """A piece of code, a path, a name."""
    return (Span(words, Mark.CODE),)


def remark(words: str) -> Inline:
    """Anybody's words, with code between backticks."""
    return (Span(words, Mark.REMARK),)


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


def said(key: str, title: str, words: str) -> tuple[Section, ...]:
    """A section of one paragraph; none where there is nothing to say."""
    return (Section(key, title, (Paragraph(remark(words)),)),) if words.strip() else ()


def points(key: str, title: str, items: Iterable[str]) -> tuple[Section, ...]:
    """A section of one list; none where there is nothing to list."""
    rows = tuple(remark(each) for each in items)
    return (Section(key, title, (Bullets(rows),)),) if rows else ()


def rows_of(key: str, title: str, headings: tuple[str, ...], rows: Iterable[tuple[Inline, ...]]) -> tuple[Section, ...]:
    """A section of one table; none where it has no rows."""
    every = tuple(rows)
    return (Section(key, title, (Table(headings, every),)),) if every else ()


def joined(key: str, title: str, *parts: tuple[Section, ...]) -> tuple[Section, ...]:
    """Sections as one, each under a heading of its own; none where there are none."""
    blocks = [block for part in parts for each in part for block in (Heading(own(each.title)), *each.blocks)]
    return (Section(key, title, tuple(blocks)),) if blocks else ()
