"""Sections as plain text, for a terminal of 80 columns: the explanation of one finding.

All text from the reviewed code is made inert here. Not handled here: the content.
"""

from collections.abc import Iterable, Iterator

from counterproof.reports.inert import MAX_TEXT, block, numbered, terminal_text
from counterproof.reports.screen import wrapped
from counterproof.reports.sections.blocks import Block, Bullets, Cards, Heading, Inline, Listing, Paragraph, Quote, Section, Table


def write_text(head: Iterable[str], sections: Iterable[Section]) -> str:
    """The head's lines unchanged, then each section under its title; ends with a newline."""
    lines = [terminal_text(each) for each in head]
    for each in sections:
        lines += ["", each.title, *(line for part in each.blocks for line in _lines(part))]
    return "\n".join(lines).rstrip("\n") + "\n"


def _lines(each: Block) -> Iterator[str]:
    match each:
        case Paragraph() | Heading():
            yield from wrapped(_said(each.spans), "  ", "  ", MAX_TEXT)
        case Bullets():
            for item in each.items:
                yield from wrapped(_said(item), "  - ", "    ", MAX_TEXT)
        case Table():
            for row in each.rows:
                yield from wrapped(", ".join(map(_said, row)), "  - ", "    ", MAX_TEXT)
        case Listing():
            yield from (f"  {line}" for line in block(each.text, each.most, each.widest))
        case Quote():
            yield from (f"  {line}" for line in numbered(each.shown.first, each.shown.lines, each.start, each.end))
        case Cards():
            for card in each.rows:
                yield from wrapped(f"{card.number} {card.title}", "  - ", "    ", MAX_TEXT)


def _said(spans: Inline) -> str:
    return "".join(span.text for span in spans)
