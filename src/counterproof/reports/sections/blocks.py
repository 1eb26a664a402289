"""The parts of a report independent of layout: sections of paragraphs, lists, tables, code and cards.

A `Span` contains unchanged text; the renderer makes it harmless. Only `OWN` text is written by this program, so a format may
use it unchanged. Nothing here depends on a report.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.excerpt import Excerpt
from counterproof.reports.inert import MAX_CODE
from counterproof.reports.screen import Part


class Mark(StrEnum):
    """OWN is our own wording. All others may contain text of the reviewed code: REMARK is prose with code between backticks,
    LABEL a word on a card, CARD the number of a card in the same document, PAGE the path of a report beside this one."""

    OWN = "own"
    TEXT = "text"
    CODE = "code"
    STRONG = "strong"
    REMARK = "remark"
    LABEL = "label"
    CARD = "card"
    PAGE = "page"


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
    """`figures` are the indices of numeric columns; a reader can sort and search the rows of a `sortable` one."""

    headings: tuple[str, ...]
    rows: tuple[tuple[Inline, ...], ...]
    figures: tuple[int, ...] = ()
    sortable: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """Unchanged lines; at most `most` of them are shown, each up to `widest`. `link` is their web address, '' if unknown."""

    text: str
    most: int
    link: str = ""
    widest: int = MAX_CODE


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of the blocks that follow it in a section."""

    spans: Inline


@dataclass(frozen=True, slots=True)
class Quote:
    """Lines of one file; `start` to `end` are marked. `link` as in a listing."""

    path: str
    shown: Excerpt
    start: int
    end: int
    link: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A finding or a challenge. `level` is the style name of its severity, `word` the displayed one; readers filter by `area`,
    `path` and `fate`, what became of it since an earlier run; `record` is its history."""

    number: str
    level: str
    word: str
    title: str
    about: tuple[Inline, ...]
    parts: "tuple[Section, ...]"
    record: "tuple[Section, ...]" = ()
    area: str = ""
    path: str = ""
    fate: str = ""


@dataclass(frozen=True, slots=True)
class Cards:
    """`levels` are the style names and words of all severities; `area` is the title of the choice between `areas`, (value,
    word) pairs; `fates` are those that occur. `aside` are cards off the first page, in an appendix whose title counts them."""

    rows: tuple[Card, ...]
    noun: str
    levels: tuple[tuple[str, str], ...]
    area: str
    areas: tuple[tuple[str, str], ...]
    aside: tuple[Card, ...] = ()
    appendix: str = ""
    fates: tuple[str, ...] = ()


Block = Paragraph | Bullets | Table | Listing | Heading | Quote | Cards


@dataclass(frozen=True, slots=True)
class Section:
    """`key` identifies the section in a document; `title` is displayed; `empty`: the section states that there is nothing. A
    page shows a `folded` one collapsed."""

    key: str
    title: str
    blocks: tuple[Block, ...]
    empty: bool = False
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report. `kind`, `about`, `target` and `facts` describe the input; `result` is the outcome, in the style's
    `tone`, with `counts` by severity (style name, word, count); `notices` are the most important warnings; `version` is that of
    the program."""

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
    summary: tuple[Part, ...] = ()
    version: str = ""


def own(words: str) -> Inline:
    """Text written by this program."""
    return (Span(words, Mark.OWN),)


def text(words: str) -> Inline:
    """Text from any source."""
    return (Span(words),)


def code(words: str) -> Inline:
    """A piece of code, a path, a name."""
    return (Span(words, Mark.CODE),)


def remark(words: str) -> Inline:
    """Text from any source, with code between backticks."""
    return (Span(words, Mark.REMARK),)


def strong(words: str) -> Inline:
    """Emphasised text."""
    return (Span(words, Mark.STRONG),)


def number(value: int) -> Inline:
    """A count."""
    return own(f"{value:,}")


def listed(items: tuple[Inline, ...], empty: str = "none") -> Inline:
    """Items separated by commas."""
    spans: list[Span] = []
    for index, item in enumerate(items):
        if index:
            spans.append(Span(", ", Mark.OWN))
        spans.extend(item)
    return tuple(spans) or own(empty)


def few(items: Sequence[Inline], most: int) -> Inline:
    """The first items, separated by commas, and the number of the others."""
    left = len(items) - most
    return listed((*items[:most], *((own(f"and {left:,} more"),) if left > 0 else ())))


def nothing(key: str, title: str, words: str) -> Section:
    """A section stating that there is nothing to list."""
    return Section(key, title, (sentence(words),), empty=True)


def sentence(words: str) -> Paragraph:
    """A paragraph of our own text."""
    return Paragraph(own(words))


def said(key: str, title: str, words: str) -> tuple[Section, ...]:
    """A section of one paragraph; none if the text is empty."""
    return (Section(key, title, (Paragraph(remark(words)),)),) if words.strip() else ()


def points(key: str, title: str, items: Iterable[str]) -> tuple[Section, ...]:
    """A section of one list; none if it is empty."""
    rows = tuple(remark(each) for each in items)
    return (Section(key, title, (Bullets(rows),)),) if rows else ()


def rows_of(
    key: str,
    title: str,
    headings: tuple[str, ...],
    rows: Iterable[tuple[Inline, ...]],
    intro: str = "",
    most: int | None = None,
    figures: tuple[int, ...] = (),
) -> tuple[Section, ...]:
    """A section of one table after a sentence of ours; none if it has no rows. Rows beyond `most` are counted."""
    every = tuple(rows)
    opening = (sentence(intro),) if intro else ()
    table = (*opening, Table(headings, every[:most], figures), *more(len(every), most or len(every)))
    return (Section(key, title, table),) if every else ()


def more(total: int, shown: int) -> tuple[Paragraph, ...]:
    """The note at the end of a truncated list."""
    left = total - shown
    return (sentence(f"and {left:,} more; the JSON report lists them all."),) if left > 0 else ()


def joined(key: str, title: str, *parts: tuple[Section, ...]) -> tuple[Section, ...]:
    """Sections merged into one, each under a heading of its own; none if there are none."""
    blocks = [block for part in parts for each in part for block in (Heading(own(each.title)), *each.blocks)]
    return (Section(key, title, tuple(blocks)),) if blocks else ()
