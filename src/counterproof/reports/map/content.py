"""The map as a document of blocks: one table for each part, which a reader can sort and search."""

from collections.abc import Iterable, Iterator
from typing import Final

from counterproof.model.map import Part
from counterproof.reports.map.document import FactEntry, MapDocument, RouteEntry, UnreadEntry, compared, totals
from counterproof.reports.sections.blocks import Document, Inline, Section, Table, code, listed, own, sentence, text

_Rows = Iterable[tuple[Inline, ...]]
_FACTS: Final = ("Kind", "Place", "Code", "Function", "Runs in", "Reached from")


def content(made: MapDocument) -> Document:
    """The whole document."""
    differ = sum(each.differs for each in made.routes)
    return Document(
        kind="map: facts, no findings",
        about="Map of ",
        target=made.name,
        facts=(f"{made.loc:,} lines of code", f"{differ} with different rights than a sibling"),
        result=totals(made)[:1].upper() + totals(made)[1:],
        tone="fair",
        said=(f"{compared(made)}.",),
        counts=(),
        notices=made.limitations,
        sections=tuple(sections(made)),
        version=made.counterproof,
    )


def sections(made: MapDocument, folded: bool = False) -> Iterator[Section]:
    """A section for each part; as a part of another document each is `folded`, and those without rows are omitted."""
    for key, title, headings, given in _parts(made):
        rows = tuple(given)
        if (key in made.parts or key == "components") and (rows or not folded):
            table = Table(headings, rows, sortable=True) if rows else sentence("None found.")
            yield Section(f"map-{key}", title, (table,), folded=folded)


def _parts(made: MapDocument) -> Iterable[tuple[str, str, tuple[str, ...], _Rows]]:
    """Key, title, columns and rows of each table."""
    guards = ("Path", "Handler", "Guards as written", "Understood", "Differs")
    yield Part.ROUTES.value, "Entry points", guards, map(_route, made.routes)
    yield (
        Part.RIGHTS.value, "Different rights", ("Shared", "Place", "How they differ", "Entry points"),
        (
            (text(each.shared), code(each.at), own(each.difference),
             _listed(f"{way.route} asks for {', '.join(way.asks)}" for way in each.ways))
            for each in made.rights
        ),
    )  # fmt: skip
    yield Part.SINKS.value, "Sinks", _FACTS, map(_fact, made.sinks)
    yield (
        Part.SETTINGS.value, "Settings", ("Setting", "Ends in", "Read at", "Used at"),
        ((text(each.name), _listed(each.used_as), _listed(each.read_at), _listed(each.used_at)) for each in made.settings),
    )  # fmt: skip
    yield Part.NETWORK.value, "Requests and headers", _FACTS, map(_fact, made.network)
    yield Part.FILES.value, "File writes", _FACTS, map(_fact, made.files)
    yield Part.SESSIONS.value, "Sessions, cookies, templates", _FACTS, map(_fact, made.sessions)
    yield (
        "components", "Sizes", ("Folder", "Lines of code", "Files", "Languages"),
        ((text(each.path), own(str(each.loc)), own(str(each.files)), _listed(each.languages)) for each in made.components),
    )  # fmt: skip
    columns = ("Path", "Why", "Files", "Lines of code", "May hold code")
    yield Part.UNREAD.value, "Not read, and why", columns, map(_unread, made.unread)


def _unread(each: UnreadEntry) -> tuple[Inline, ...]:
    may = "accepted" if each.accepted else "yes" if each.first_party else "no"
    return (code(each.path), text(each.reason), own(str(each.files)), own(str(each.loc)), own(may))


def _route(each: RouteEntry) -> tuple[Inline, ...]:
    guards = listed(tuple((*code(guard.text), *own(" "), *text(guard.at)) for guard in each.guards))
    return (
        _listed(each.ways),
        (*code(each.handler), *own(" "), *text(each.name)),
        guards if each.guards else text(each.note or "none"),
        _listed((*each.asks, *((each.note,) if each.note and each.guards else ()))),
        _listed(each.part_of) if each.differs else own(""),
    )


def _fact(each: FactEntry) -> tuple[Inline, ...]:
    reached = _listed(each.reached_by) if each.reached_by else own("not found")
    return (own(each.kind), code(each.at), code(each.text), text(each.function), own(each.runs_in), reached)


def _listed(texts: Iterable[str]) -> Inline:
    return listed(tuple(map(text, texts)), "")
