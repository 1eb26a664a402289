"""The report on all targets as one HTML file: counts, filters, a sortable table, links to each target's own page.

Invariant: the page is readable without a script; text is inserted only through `markup`, which escapes it; links lead to files
in subfolders whose names are ours; the policy allows only the page's own style and script.
"""

from collections.abc import Iterator
from typing import Final

from counterproof.model.batch import State
from counterproof.reports.batch.content import LEVELS, content
from counterproof.reports.batch.document import BatchDocument, BatchTarget
from counterproof.reports.html import frame, policy
from counterproof.reports.html.document import overview
from counterproof.reports.html.markup import Child, Markup, tag, together
from counterproof.reports.wording import counted

_NOTHING: Final = "none"
_COLUMNS: Final = (
    ("target", "Target"),
    ("result", "Result"),
    ("critical", "Critical"),
    ("high", "High"),
    ("medium", "Medium"),
    ("low", "Low"),
    ("posture", "Hardening"),
    ("coverage", "Coverage"),
    ("trend", "New, gone"),
    ("limits", "Limits"),
    ("cost", "Cost"),
    ("time", "Time"),
)
_TEXTS: Final = ("target", "result")


def render_html(made: BatchDocument) -> str:
    """The whole file, with a newline at its end."""
    shown = content(made)
    return frame.page(
        f"{shown.about}{shown.target}", made.version, Markup(""), (overview(shown), _targets(made)), kind=policy.BATCH
    )


def _targets(made: BatchDocument) -> Markup:
    head = tag("tr", *(_heading(key, name) for key, name in _COLUMNS))
    rows = together(_row(place, row) for place, row in enumerate(made.targets))
    return frame.part(
        "findings",
        "Targets",
        _filters(made),
        tag("p", counted(len(made.targets), "target"), id="count", class_="note"),
        tag("div", tag("table", tag("thead", head), tag("tbody", rows, id="rows"), class_="targets"), class_="table"),
        tag("p", "No target fits these filters.", id="nothing", hidden=True),
    )


def _heading(key: str, name: str) -> Markup:
    button = tag("button", name, type="button", data_column=key, disabled=True)
    return tag("th", button, scope="col", aria_sort="none", class_=False if key in _TEXTS else "figure")


def _row(place: int, row: BatchTarget) -> Markup:
    cells = (_named(row), _result(row), *_figures(row), _coverage(row), _trend(row), _limits(row), _cost(row), _time(row))
    levels = " ".join(level for level, number in _numbers(row) if number) or _NOTHING
    return tag("tr", *cells, data_levels=levels, data_state=row.state, data_place=place)


def _numbers(row: BatchTarget) -> tuple[tuple[str, int], ...]:
    counts = row.counts
    return tuple(zip(LEVELS, (counts.critical, counts.high, counts.medium, counts.low), strict=True))


def _cell(key: str, value: str | float, *children: Child, style: str = "figure") -> Markup:
    label = dict(_COLUMNS)[key]
    return tag("td", tag("div", *children), data_label=label, data_column=key, data_value=str(value), class_=style)


def _named(row: BatchTarget) -> Markup:
    name = tag("a", row.name, href=row.report) if row.report else tag("strong", row.name)
    notes = [tag("span", each, class_="note") for each in (row.target, _at(row)) if each and each != row.name]
    return _cell("target", row.name.casefold(), name, *notes, style="named")


def _at(row: BatchTarget) -> str:
    asked = f"{row.revision} " if row.revision else ""
    return f"{asked}{row.commit[:12]}".strip() if row.commit else asked.strip()


def _result(row: BatchTarget) -> Markup:
    tone = "good" if row.result == "clean" else "poor" if row.exit_code in (1, 2, 70) else "fair"
    state = f" · {row.state}" if row.state in (State.UNCHANGED, State.FAILED, State.PAUSED) else ""
    status = tag("span", f"{row.result}{state}", class_=f"status {tone}")
    return _cell("result", row.exit_code, status, tag("span", row.verdict, class_="note"), style="result")


def _figures(row: BatchTarget) -> Iterator[Markup]:
    for level, number in _numbers(row):
        yield _figure(level, number if row.report else None, level)
    yield _figure("posture", row.counts.posture if row.report else None, "")


def _figure(key: str, number: int | None, style: str) -> Markup:
    """The figure of a target. A target without a report has no figures, because they are unknown."""
    if number is None:
        return _cell(key, -1, "–", style="figure zero")
    return _cell(key, number, f"{number:,}", style=f"figure {style if number else 'zero'}")


def _coverage(row: BatchTarget) -> Markup:
    share = row.covered / row.counted if row.counted else -1.0
    shown = f"{row.covered}/{row.counted}" if row.counted else "–"
    return _cell("coverage", f"{share:.3f}", shown, style="figure" if row.counted else "figure zero")


def _trend(row: BatchTarget) -> Markup:
    if row.new is None or row.gone is None:
        return _cell("trend", -1, "–", style="figure zero")
    return _cell("trend", row.new - row.gone, f"+{row.new:,} −{row.gone:,}")


def _limits(row: BatchTarget) -> Markup:
    if not row.limits:
        return _cell("limits", 0, "–", style="figure zero")
    listed = tag("ul", *(tag("li", each) for each in row.limits))
    return _cell("limits", len(row.limits), tag("details", tag("summary", f"{len(row.limits)}"), listed))


def _cost(row: BatchTarget) -> Markup:
    if not row.tokens:
        return _cell("cost", 0, "–", style="figure zero")
    return _cell("cost", row.tokens, f"${row.cost_usd}, {row.tokens:,} tokens")


def _time(row: BatchTarget) -> Markup:
    return _cell("time", row.seconds, f"{row.seconds:,.0f} s" if row.seconds else "–")


def _filters(made: BatchDocument) -> Markup:
    numbers = [
        (level, sum(level in dict(_numbers(row)) and dict(_numbers(row))[level] > 0 for row in made.targets)) for level in LEVELS
    ]
    clean = sum(not any(number for _, number in _numbers(row)) for row in made.targets)
    boxes = (
        tag(
            "label",
            tag("input", type="checkbox", name="severity", value=level, checked=True),
            tag("span", f"{word} ", tag("span", f"{number:,}", class_="count")),
            class_=level,
        )
        for level, word, number in (
            *((level, level.capitalize(), number) for level, number in numbers),
            (_NOTHING, "No finding", clean),
        )
    )
    states = (tag("option", each.capitalize(), value=each) for each in made.totals.states)
    columns = (tag("option", name, value=key) for key, name in _COLUMNS)
    return tag(
        "div",
        tag("fieldset", tag("legend", "Targets with findings of severity", class_="unseen"), *boxes, class_="levels"),
        tag(
            "div",
            _field(
                "Search", tag("input", type="search", id="filter-text", autocomplete="off", placeholder="Name, verdict …  ( / )")
            ),
            _field("State", tag("select", tag("option", "All", value=""), *states, id="filter-state")),
            _field("Sort by", tag("select", tag("option", "Most severe first", value=""), *columns, id="sort")),
            tag("button", "Reset", type="button", id="filter-reset"),
            class_="fields",
        ),
        class_="filters",
        id="filters",
        role="search",
        aria_label="Filter the targets",
        hidden=True,
    )


def _field(name: str, control: Markup) -> Markup:
    return tag("label", tag("span", name), control, class_="field")
