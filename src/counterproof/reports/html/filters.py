"""The filters above a list of findings, hidden until their script runs. Shared by audits and reviews."""

from collections.abc import Iterable
from typing import Final

from counterproof.reports.html.markup import Markup, tag

LONG: Final = 200
"""From this many rows, the browser lays out only those near the visible area."""


def filters(
    levels: Iterable[tuple[str, str, int]], area: str, areas: Iterable[tuple[str, str]], fates: Iterable[str] = ()
) -> Markup:
    """`levels` are (style name, word, count) for each severity; `areas` the (value, word) options of one choice; `fates` the
    histories of findings, if there are any."""
    boxes = (
        tag(
            "label",
            tag("input", type="checkbox", name="severity", value=level, checked=True),
            tag("span", f"{word} ", tag("span", f"{number:,}", class_="count")),
            class_=level,
        )
        for level, word, number in levels
        if number
    )
    options = (tag("option", word, value=value) for value, word in areas)
    return tag(
        "div",
        tag("fieldset", tag("legend", "Severity", class_="unseen"), *boxes, class_="levels"),
        tag(
            "div",
            _field(
                "Search",
                tag("input", type="search", id="filter-text", autocomplete="off", placeholder="Title, kind, code …  ( / )"),
            ),
            *_since(tuple(fates)),
            _field(area, tag("select", tag("option", "All", value=""), *options, id="filter-dimension")),
            _field(
                "File", tag("input", type="search", id="filter-file", list="files", autocomplete="off", placeholder="Any file")
            ),
            tag("datalist", id="files"),
            tag("button", "Reset", type="button", id="filter-reset"),
            class_="fields",
        ),
        class_="filters",
        id="filters",
        role="search",
        aria_label="Filter the findings",
        hidden=True,
    )


def _since(fates: tuple[str, ...]) -> Iterable[Markup]:
    if fates:
        options = (tag("option", word.capitalize(), value=word) for word in fates)
        yield _field("Since the earlier run", tag("select", tag("option", "All", value=""), *options, id="filter-fate"))


def _field(name: str, control: Markup) -> Markup:
    return tag("label", tag("span", name), control, class_="field")
