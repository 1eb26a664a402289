"""Sections as Markdown. This is where their text becomes inert; the blocks hold it as it came."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from counterproof.reports import inert
from counterproof.reports.markdown.table import bullets, table
from counterproof.reports.sections.blocks import Block, Bullets, Inline, Listing, Mark, Paragraph, Section, Span, Table

_Writer = dict[Mark, Callable[[str], str]]


def _as_is(text: str) -> str:
    return text


_PROSE: Final[_Writer] = {
    Mark.OWN: _as_is,
    Mark.TEXT: inert.prose,
    Mark.CODE: inert.code,
    Mark.STRONG: lambda text: f"**{inert.prose(text)}**",
}
_CELL: Final[_Writer] = {
    Mark.OWN: _as_is,
    Mark.TEXT: inert.cell,
    Mark.CODE: inert.cell_code,
    Mark.STRONG: lambda text: f"**{inert.cell(text)}**",
}


def sections(every: Iterable[Section]) -> Iterator[str]:
    """Each section with its heading."""
    for section in every:
        yield f"## {section.title}"
        yield from (_block(block) for block in section.blocks)


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return _written(block.spans, _PROSE)
        case Bullets():
            return bullets(_written(item, _PROSE) for item in block.items)
        case Table():
            return table(block.headings, ([_written(cell, _CELL) for cell in row] for row in block.rows))
        case Listing():
            return inert.fenced(block.text, block.most)


def _written(spans: Inline, writer: _Writer) -> str:
    return "".join(_span(span, writer) for span in spans)


def _span(span: Span, writer: _Writer) -> str:
    return writer[span.mark](span.text)
