"""Sections as Markdown. Their text becomes inert here; the blocks contain it unchanged."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from counterproof.reports import inert
from counterproof.reports.markdown.table import bullets, table
from counterproof.reports.sections.blocks import (
    Block,
    Bullets,
    Card,
    Cards,
    Document,
    Heading,
    Inline,
    Listing,
    Mark,
    Paragraph,
    Quote,
    Section,
    Table,
)

_Writer = dict[Mark, Callable[[str], str]]


def _as_is(text: str) -> str:
    return text


def _writer(text: Callable[[str], str], code: Callable[[str], str], remark: Callable[[str], str]) -> _Writer:
    def strong(words: str) -> str:
        return f"**{text(words)}**"

    marks = {Mark.OWN: _as_is, Mark.CODE: code, Mark.PAGE: code, Mark.REMARK: remark, Mark.STRONG: strong}
    return {each: marks.get(each, text) for each in Mark}


_PROSE: Final = _writer(inert.prose, inert.code, inert.remark)
_CELL: Final = _writer(inert.cell, inert.cell_code, inert.cell)


def write_markdown(document: Document) -> str:
    """A whole document, ending with a newline."""
    counts = ", ".join(f"{number} {word}" for _, word, number in document.counts)
    facts = (*document.facts, counts)
    parts = (
        f"# {document.about}{inert.prose(document.target)}",
        f"**{inert.prose(document.result)}**",
        *(inert.prose(each) for each in document.said if each),
        bullets(inert.prose(each) for each in facts if each),
        *(f"> {inert.prose(each)}" for each in document.notices if each),
        *sections(document.sections),
        *_appendix(document),
    )
    return "\n\n".join(parts) + "\n"


def _appendix(document: Document) -> Iterator[str]:
    """The cards that are not on the first page."""
    for block in (block for section in document.sections for block in section.blocks):
        if isinstance(block, Cards) and block.aside:
            yield f"## Appendix: {block.appendix}"
            yield from (part for card in block.aside for part in _card(card))


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
            return inert.fenced(block.text, block.most, block.widest)
        case Heading():
            return f"### {_written(block.spans, _PROSE)}"
        case Quote():
            return inert.fenced("\n".join(inert.numbered(block.shown.first, block.shown.lines, block.start, block.end)))
        case Cards():
            rows = [part for card in block.rows for part in _card(card)] or ["None."]
            return "\n\n".join((*rows, *([f"{block.appendix}: see the appendix."] if block.aside else [])))


def _card(card: Card) -> Iterator[str]:
    """The parts a reader needs to act; the record is in the other formats."""
    yield f"### {card.number} {card.word}: {inert.remark(card.title)}"
    yield ", ".join(_written(each, _PROSE) for each in card.about)
    for part in card.parts:
        first, *rest = [_block(each) for each in part.blocks]
        if isinstance(part.blocks[0], Paragraph):
            yield f"**{part.title}.** {first}"
        else:
            yield from (f"**{part.title}**", first)
        yield from rest


def written(spans: Inline) -> str:
    """The spans as prose."""
    return _written(spans, _PROSE)


def _written(spans: Inline, writer: _Writer) -> str:
    return "".join(writer[span.mark](span.text) for span in spans)
