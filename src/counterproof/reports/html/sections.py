"""Sections as HTML: headings, paragraphs, lists, tables that stack on narrow screens, code, cards that open."""

from collections.abc import Iterable
from typing import Final

from counterproof.reports.html.code import link_to, numbered
from counterproof.reports.html.filters import LONG, filters
from counterproof.reports.html.frame import row
from counterproof.reports.html.markup import Markup, lines, tag, together
from counterproof.reports.sections.blocks import (
    Block,
    Bullets,
    Card,
    Cards,
    Heading,
    Inline,
    Listing,
    Mark,
    Paragraph,
    Quote,
    Section,
    Table,
)
from counterproof.reports.wording import counted

_FEW: Final = 2
"""A table with at most this many columns does not fill the width of the page."""


def section(each: Section, *extra: Markup) -> Markup:
    """A section, with a page's additional content below its heading."""
    title = f"{each.key}-title"
    return tag("section", tag("h2", each.title, id=title), *extra, *map(block, each.blocks), id=each.key, aria_labelledby=title)


def folded(each: Section, note: str = "", unfold: bool = False) -> Markup:
    """A collapsible section."""
    hint = (tag("span", note, class_="note"),) if note else ()
    summary = tag("summary", tag("h3", each.title), *hint)
    return tag("details", summary, tag("div", *map(block, each.blocks), class_="body"), id=each.key, class_="fold", open=unfold)


def block(each: Block) -> Markup:
    match each:
        case Paragraph():
            return tag("p", *_inline(each.spans))
        case Bullets():
            return tag("ul", *(tag("li", *_inline(item)) for item in each.items))
        case Table():
            return _table(each)
        case Listing():
            return together((tag("pre", tag("code", lines(each.text, each.most, each.widest))), *link_to(each.link)))
        case Heading():
            return tag("h3", *_inline(each.spans))
        case Quote():
            return together((numbered(each.path, each.shown, each.start, each.end), *link_to(each.link)))
        case Cards():
            return together(_cards(each))


def _cards(each: Cards) -> Iterable[Markup]:
    """A list with filters; cards are collapsible."""
    every = (*each.rows, *each.aside)
    if not every:
        yield tag("p", "None.")
        return
    yield tag("p", counted(len(every), each.noun), id="count", aria_live="polite", data_noun=each.noun)
    levels = [(level, word, sum(row.level == level for row in every)) for level, word in each.levels]
    yield filters(levels, each.area, each.areas)
    style = "findings long" if len(every) >= LONG else "findings"
    yield tag("ol", together(map(_card, each.rows)), class_=style, id="list") if each.rows else tag("p", "None.")
    if each.aside:
        aside = tag("div", tag("ol", together(map(_card, each.aside)), class_=style), class_="body")
        yield tag("details", tag("summary", tag("h3", each.appendix)), aside, id="appendix", class_="fold")
    yield tag("p", f"No {each.noun} matches the filter.", id="nothing", hidden=True)


def _card(each: Card) -> Markup:
    parts = (*each.parts, *each.record)
    body = (piece for part in parts for piece in (tag("h4", part.title, class_=part.key), *map(block, part.blocks)))
    about = (piece for spans in each.about for piece in _inline(spans))
    return row(each.number, each.number, each.level, each.word, each.title, about, body)


def _inline(spans: Inline) -> Iterable[Markup]:
    return (_span(span.text, span.mark) for span in spans)


def _span(text: str, mark: Mark) -> Markup:
    match mark:
        case Mark.CODE:
            return tag("code", text)
        case Mark.STRONG:
            return tag("strong", text)
        case Mark.LABEL:
            return tag("span", text, class_="label")
        case Mark.CARD:
            return tag("a", text, href=f"#{text}")
        case Mark.OWN | Mark.TEXT | Mark.REMARK:
            return tag("span", text)


def _table(each: Table) -> Markup:
    def kind(index: int) -> str | bool:
        return "figure" if index in each.figures else False

    head = tag("tr", *(tag("th", name, scope="col", class_=kind(index)) for index, name in enumerate(each.headings)))
    rows = (
        tag(
            "tr",
            *(
                tag("td", tag("div", *_inline(cell)), data_label=each.headings[index], class_=kind(index))
                for index, cell in enumerate(row)
            ),
        )
        for row in each.rows
    )
    style = "table small" if len(each.headings) <= _FEW else "table"
    return tag("div", tag("table", tag("thead", head), tag("tbody", together(rows))), class_=style)
