"""Sections as HTML: headings, paragraphs, lists, tables that stack on narrow screens, code, cards that open."""

from collections.abc import Iterable, Iterator
from typing import Final

from counterproof.reports.html.code import link_to, numbered
from counterproof.reports.html.filters import LONG, filters
from counterproof.reports.html.markup import Child, Markup, lines, tag, together
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


def sections(every: Iterable[Section]) -> Iterator[Markup]:
    """All sections; before the first sortable table a field that searches them all."""
    searched = False
    for each in every:
        if not searched and any(isinstance(block, Table) and block.sortable for block in each.blocks):
            searched = True
            yield _search()
        yield section(each)


def section(each: Section) -> Markup:
    """A section; a folded one is collapsible."""
    title, body = f"{each.key}-title", tuple(map(block, each.blocks))
    if each.folded:
        note = (tag("span", "none", class_="note"),) if each.empty else ()
        summary = tag("summary", tag("h3", each.title), *note)
        return tag("details", summary, tag("div", *body, class_="body"), id=each.key, class_="fold")
    return tag("section", tag("h2", each.title, id=title), *body, id=each.key, aria_labelledby=title)


def _search() -> Markup:
    box = tag("input", type="search", id="table-filter", placeholder="Words, as POST admin", autocomplete="off")
    label = tag("label", "Show table rows with", box, for_="table-filter")
    return tag("div", label, tag("p", "", id="table-count", class_="note", role="status"), class_="search", hidden=True)


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
    yield filters(levels, each.area, each.areas, each.fates)
    style = "findings long" if len(every) >= LONG else "findings"
    yield tag("ol", together(map(_card, each.rows)), class_=style, id="list") if each.rows else tag("p", "None.")
    if each.aside:
        aside = tag("div", tag("ol", together(map(_card, each.aside)), class_=style), class_="body")
        yield tag("details", tag("summary", tag("h3", each.appendix)), aside, id="appendix", class_="fold")
    yield tag("p", f"No {each.noun} matches the filter.", id="nothing", hidden=True)


def _card(each: Card) -> Markup:
    """A finding that opens, with its number; the filters read its data."""
    parts = (*each.parts, *each.record)
    body = (piece for part in parts for piece in (tag("h4", part.title, class_=part.key), *map(block, part.blocks)))
    summary = tag(
        "summary",
        tag("span", each.word, class_=f"level {each.level}"),
        tag("h3", tag("span", each.number, class_="number"), " ", tag("span", each.title, class_="title")),
        tag("span", *(tag("span", *_inline(spans)) for spans in each.about), class_="about"),
    )
    details = tag("details", summary, tag("div", *body, class_="body"), id=each.number)
    data = {"data_level": each.level, "data_area": each.area, "data_path": each.path, "data_fate": each.fate or False}
    return tag("li", details, class_=f"finding {each.level}", **data)


def _inline(spans: Inline) -> Iterable[Child]:
    return (_span(span.text, span.mark) for span in spans)


def _span(text: str, mark: Mark) -> Child:
    match mark:
        case Mark.CODE:
            return tag("code", text)
        case Mark.STRONG:
            return tag("strong", text)
        case Mark.LABEL:
            return tag("span", text, class_="label")
        case Mark.CARD:
            return tag("a", text, href=f"#{text}")
        case Mark.PAGE:
            return tag("a", tag("code", text), href=text)
        case Mark.OWN | Mark.TEXT | Mark.REMARK:
            return text


def _table(each: Table) -> Markup:
    def kind(index: int) -> str | bool:
        return "figure" if index in each.figures else False

    def named(name: str) -> Markup | str:
        return tag("button", name, type="button", disabled=True) if each.sortable else name

    order = "none" if each.sortable else False
    head = tag(
        "tr",
        *(tag("th", named(name), scope="col", class_=kind(at), aria_sort=order) for at, name in enumerate(each.headings)),
    )
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
    table = tag("table", tag("thead", head), tag("tbody", together(rows)), class_="facts-table" if each.sortable else False)
    return tag("div", table, class_=style)
