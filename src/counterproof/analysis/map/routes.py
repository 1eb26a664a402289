"""Entry points as routes of the map: each handler once, with all paths to it and the text of every guard.

Invariant: two entry points are one route only if handler and guards are the same; a guard without a text gets the source code at
its location. Not handled here: finding entry points.
"""

from dataclasses import replace

from counterproof.analysis.map.dispatch import dispatched
from counterproof.analysis.map.places import Places
from counterproof.analysis.project import Project
from counterproof.model.location import at
from counterproof.model.map import Route, Way
from counterproof.model.recon import Asks, EntryKind, EntryPoint, WrittenGuard
from counterproof.model.survey import Language

MAX_TEXT = 160
MAX_LINES = 6
MAX_CALLS = 40
_ANALYSED = (Language.PYTHON, Language.JAVASCRIPT, Language.TYPESCRIPT)


def with_texts(project: Project, entries: tuple[EntryPoint, ...]) -> tuple[EntryPoint, ...]:
    """The entry points with the text of every guard."""
    return tuple(
        replace(each, guards=tuple(_with_text(project, guard) for guard in each.guards)) if each.guards else each
        for each in entries
    )


def _with_text(project: Project, guard: WrittenGuard) -> WrittenGuard:
    file = project.files.get(guard.at.path)
    asks = guard.asks if file is None or file.language in (*_ANALYSED, None) else Asks.NOT_ANALYSED
    return replace(guard, text=guard.text or _source_at(project, guard.at.path, guard.at.start), asks=asks)


def _source_at(project: Project, path: str, line: int) -> str:
    """The statement that starts on a line, up to its closing bracket."""
    if path not in project.files:
        return ""
    lines: list[str] = []
    depth = 0
    for number in range(line, line + MAX_LINES):
        text = project.line(path, number)
        lines.append(text)
        depth += sum(text.count(each) for each in "([{") - sum(text.count(each) for each in ")]}")
        if depth <= 0:
            break
    return " ".join(lines)[:MAX_TEXT]


def routes_of(project: Project, places: Places, entries: tuple[EntryPoint, ...]) -> tuple[Route, ...]:
    """All routes in the order of their handlers; methods called by name follow the handler that calls them."""
    grouped: dict[tuple[object, ...], list[EntryPoint]] = {}
    for each in with_texts(project, entries):
        grouped.setdefault((each.kind, each.handler, each.name, each.guards), []).append(each)
    found: list[Route] = []
    for same in grouped.values():
        route = _route(places, same)
        found.append(route)
        found += _by_name(project, places, route)
    return tuple(found)


def _route(places: Places, same: list[EntryPoint]) -> Route:
    first = same[0]
    ways = tuple(dict.fromkeys(Way(each.method, each.path) for each in same))
    note = first.guarded_by.note if first.guarded_by is not None and not first.guards else ""
    calls = _calls(places, first.handler.path, first.handler.start)
    return Route(first.kind, ways, first.handler, first.name, first.framework, first.guards, note, calls)


def _calls(places: Places, path: str, line: int) -> tuple[str, ...]:
    listed = dict.fromkeys(f"{each.target[0]}:{each.target[1]} {each.name}" for each in places.calls_of((path, line)))
    return tuple(listed)[:MAX_CALLS]


def _by_name(project: Project, places: Places, route: Route) -> list[Route]:
    """The methods that a handler calls by a name from the request."""
    if project.files[route.handler.path].language is not Language.PYTHON:
        return []
    outline = places.codebase.outline(route.handler.path)
    handler = next((each for each in outline.module.functions if each.line == route.handler.start), None)
    found: list[Route] = []
    for each in dispatched(places, outline, handler) if handler is not None else ():
        marks = (f"<{each.parameter}>", f"{{{each.parameter}}}", f":{each.parameter}")
        mark = next((mark for mark in marks if mark in route.ways[0].path), "")
        path = route.ways[0].path.replace(mark, each.method.name) if mark else f"{route.ways[0].path}#{each.method.name}"
        own = tuple(_with_text(project, guard) for guard in each.guards)
        place = at(each.outline.path, each.method.line)
        calls = _calls(places, each.outline.path, each.method.line)
        way = Way(route.ways[0].method, path)
        guards = (*route.guards, *own)
        found.append(Route(EntryKind.RPC, (way,), place, each.method.qualified, route.framework, guards, each.note, calls))
    return found
