"""The map as one HTML file: for each part a table that can be sorted by any column and filtered, by mouse or keyboard.

Invariant: the page is readable without a script; text is inserted only through `markup`, which escapes it; nothing is
requested.
"""

from collections.abc import Iterable
from typing import Final

from counterproof.model.map import Part
from counterproof.reports.html import frame, policy
from counterproof.reports.html.markup import Child, Markup, tag, together
from counterproof.reports.map.document import FactEntry, MapDocument, RightsEntry, RouteEntry, UnreadEntry, compared, totals

MAX_LISTED: Final = 12
_Row = tuple[Child, ...]
_Part = tuple[str, str, tuple[str, ...], list[_Row]]


def render_html(made: MapDocument) -> str:
    """The whole file, with a newline at its end."""
    parts = _chosen(made)
    links = frame.contents((key, title, f"{len(rows):,}") for key, title, _, rows in parts)
    sections = together(frame.part(each[0], each[1], _table(*each[1:])) for each in parts)
    return frame.page(
        f"Map of {made.name}",
        made.counterproof,
        links,
        (_overview(made), tag("div", _filters(), id="findings"), sections),
        kind=policy.MAP,
    )


def as_section(made: MapDocument) -> Markup:
    """The map as a section of another page, each part collapsed. Parts without rows are omitted."""
    parts = [each for each in _chosen(made) if each[3]]
    folds = (_fold(*each) for each in parts)
    return frame.part("map", "Map", tag("p", "Facts about the program, no findings."), _filters(), *folds)


def _fold(key: str, title: str, headings: tuple[str, ...], rows: list[_Row]) -> Markup:
    summary = tag("summary", tag("h3", title), tag("span", f"{len(rows):,}", class_="note"))
    return tag("details", summary, tag("div", _table(title, headings, rows), class_="body"), id=f"map-{key}", class_="fold")


def _chosen(made: MapDocument) -> list[_Part]:
    return [each for each in _parts(made) if each[0] in made.parts or each[0] == "components"]


def _overview(made: MapDocument) -> Markup:
    differ = sum(each.differs for each in made.routes)
    facts = (f"{made.loc:,} lines of code", totals(made), f"{differ} with different rights than a sibling", compared(made))
    limits = frame.bullets(made.limitations) if made.limitations else Markup("")
    return tag("section", frame.heading("map: facts, no findings", "Map of ", made.name, facts), limits, id="overview")


def _filters() -> Markup:
    box = tag("input", type="search", id="map-filter", placeholder="Words, as POST admin", autocomplete="off")
    label = tag("label", "Show rows with", box, for_="map-filter")
    status = tag("p", "", id="map-count", class_="note", role="status")
    return tag("div", label, status, id="map-search", class_="search", hidden=True)


def _parts(made: MapDocument) -> Iterable[_Part]:
    """Key, title, columns and rows of each table."""
    guards = ("Path", "Handler", "Guards as written", "Understood", "Differs")
    yield Part.ROUTES.value, "Entry points", guards, [*map(_route, made.routes)]
    shared = ("Shared", "Place", "How they differ", "Entry points")
    yield Part.RIGHTS.value, "Different rights", shared, [*map(_rights, made.rights)]
    yield Part.SINKS.value, "Sinks", *_facts(made.sinks)
    yield (
        Part.SETTINGS.value, "Settings", ("Setting", "Ends in", "Read at", "Used at"),
        [(each.name, ", ".join(each.used_as), _listed(each.read_at), _listed(each.used_at)) for each in made.settings],
    )  # fmt: skip
    yield Part.NETWORK.value, "Requests and headers", *_facts(made.network)
    yield Part.FILES.value, "File writes", *_facts(made.files)
    yield Part.SESSIONS.value, "Sessions, cookies, templates", *_facts(made.sessions)
    yield (
        "components", "Sizes", ("Folder", "Lines of code", "Files", "Languages"),
        [(each.path, str(each.loc), str(each.files), ", ".join(each.languages)) for each in made.components],
    )  # fmt: skip
    columns = ("Path", "Why", "Files", "Lines of code", "May hold code")
    yield Part.UNREAD.value, "Not read, and why", columns, [*map(_unread, made.unread)]


def _rights(each: RightsEntry) -> _Row:
    ways = _listed(f"{way.route} asks for {', '.join(way.asks)}" for way in each.ways)
    return each.shared, _code(each.at), each.difference, ways


def _unread(each: UnreadEntry) -> _Row:
    may = "accepted" if each.accepted else "yes" if each.first_party else "no"
    return _code(each.path), each.reason, str(each.files), str(each.loc), may


def _route(each: RouteEntry) -> _Row:
    guards = _listed([together((_code(guard.text), Markup(" "), tag("span", guard.at, class_="at"))) for guard in each.guards])
    return (
        _listed(each.ways),
        together((_code(each.handler), Markup(" "), tag("span", each.name))),
        guards if each.guards else each.note or "none",
        _listed((*each.asks, *((each.note,) if each.note and each.guards else ()))),
        _listed(each.part_of) if each.differs else "",
    )


def _facts(facts: tuple[FactEntry, ...]) -> tuple[tuple[str, ...], list[_Row]]:
    rows: list[_Row] = [
        (
            each.kind, _code(each.at), _code(each.text), each.function, each.runs_in,
            _listed(each.reached_by) if each.reached_by else "not found",
        )
        for each in facts
    ]  # fmt: skip
    return ("Kind", "Place", "Code", "Function", "Runs in", "Reached from"), rows


def _code(text: str) -> Markup:
    return tag("code", text)


def _listed(texts: Iterable[Child]) -> Child:
    every = tuple(texts)
    if len(every) < 2:
        return every[0] if every else ""
    shown = frame.bullets(every[:MAX_LISTED])
    rest = every[MAX_LISTED:]
    more = tag("details", tag("summary", f"{len(rest)} more"), frame.bullets(rest)) if rest else Markup("")
    return together((shown, more))


def _table(title: str, headings: tuple[str, ...], rows: list[_Row]) -> Markup:
    if not rows:
        return tag("p", "None found.", class_="note")
    heads = (tag("th", tag("button", each, type="button", disabled=True), scope="col", aria_sort="none") for each in headings)
    cells = (tag("tr", *_cells(headings, row)) for row in rows)
    made = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *cells), class_="facts-table")
    return tag("div", made, class_="table", tabindex="0", role="region", aria_label=title)


def _cells(headings: tuple[str, ...], row: _Row) -> Iterable[Markup]:
    return (
        tag("td", tag("div", cell), data_label=name, class_="empty" if not cell else False)
        for name, cell in zip(headings, row, strict=True)
    )
