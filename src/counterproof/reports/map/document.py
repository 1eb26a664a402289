"""The map as data, filtered by the user's options, with its JSON form.

Invariant: locations are written `file:line`; every guard has its text and its interpretation. Changes of a field that readers
would misinterpret raise `SCHEMA_VERSION`. Not handled here: layout.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Final

from counterproof import __version__
from counterproof.model.canonical import plain
from counterproof.model.map import Fact, Map, NotRead, Part, Route, Siblings
from counterproof.model.recon import tally_text
from counterproof.reports.inert import json_text
from counterproof.reports.wording import counted

SCHEMA_VERSION: Final = "1.0"


@dataclass(frozen=True, slots=True)
class GuardEntry:
    """One guard: its text, its location, and its requirement as a code and in words."""

    text: str
    at: str
    asks: str
    right: str
    partly: bool
    understood: str


@dataclass(frozen=True, slots=True)
class RouteEntry:
    """One entry point. `differs`: a related entry point has a different requirement; `part_of` lists what they share."""

    kind: str
    ways: tuple[str, ...]
    handler: str
    name: str
    framework: str
    guards: tuple[GuardEntry, ...]
    asks: tuple[str, ...]
    note: str
    calls: tuple[str, ...]
    differs: bool
    part_of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WayEntry:
    """One of several related entry points."""

    route: str
    handler: str
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RightsEntry:
    """Related entry points that require different rights."""

    difference: str
    shared: str
    at: str
    ways: tuple[WayEntry, ...]


@dataclass(frozen=True, slots=True)
class FactEntry:
    """One location that does something. Without `reached_by`, no entry point is known to lead there. `runs_in` is "server" or
    "browser"."""

    kind: str
    at: str
    text: str
    function: str
    reached_by: tuple[str, ...]
    runs_in: str


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """One setting, where it is read, and how its value is used."""

    name: str
    read_at: tuple[str, ...]
    used_as: tuple[str, ...]
    used_at: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComponentEntry:
    path: str
    files: int
    loc: int
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnreadEntry:
    """Unread files with the reason. `first_party`: they may contain code of the project."""

    path: str
    reason: str
    files: int
    loc: int
    first_party: bool
    accepted: bool


@dataclass(frozen=True, slots=True)
class MapDocument:
    """The whole map. A part that the user excluded is empty, and is not listed in `parts`. Each method and path of a handler is
    one of the `web_routes` or `other_entry_points`. Of the `groups` of related entry points, `compared` were understood."""

    schema_version: str
    counterproof: str
    name: str
    digest: str
    loc: int
    parts: tuple[str, ...]
    web_routes: int
    other_entry_points: int
    programs: int
    groups: int
    compared: int
    routes: tuple[RouteEntry, ...]
    rights: tuple[RightsEntry, ...]
    sinks: tuple[FactEntry, ...]
    settings: tuple[SettingEntry, ...]
    network: tuple[FactEntry, ...]
    files: tuple[FactEntry, ...]
    sessions: tuple[FactEntry, ...]
    components: tuple[ComponentEntry, ...]
    unread: tuple[UnreadEntry, ...]
    limitations: tuple[str, ...]


def document(made: Map, only: Collection[Part] = (), route: str = "") -> MapDocument:
    """The document of a map: all parts or the selected ones, and the routes whose path matches the glob."""
    chosen = tuple(each for each in Part if not only or each in only)
    kept = _kept(made, route)
    shared: dict[str, list[str]] = {}
    for each in made.rights:
        for way in each.marked:
            shared.setdefault(f"{way.handler} {way.route}", []).append(each.shared)
    return MapDocument(
        SCHEMA_VERSION,
        __version__,
        kept.name,
        kept.digest,
        kept.loc,
        tuple(each.value for each in chosen),
        *kept.tally,
        kept.groups,
        kept.compared,
        tuple(_route(each, shared) for each in kept.routes) if Part.ROUTES in chosen else (),
        tuple(_rights(each) for each in kept.rights) if Part.RIGHTS in chosen else (),
        _facts(kept.sinks) if Part.SINKS in chosen else (),
        tuple(SettingEntry(each.name, _places(each.read_at), each.used_as, _places(each.used_at)) for each in kept.settings)
        if Part.SETTINGS in chosen
        else (),
        _facts(kept.network) if Part.NETWORK in chosen else (),
        _facts(kept.files) if Part.FILES in chosen else (),
        _facts(kept.sessions) if Part.SESSIONS in chosen else (),
        tuple(ComponentEntry(each.path, each.files, each.loc, each.languages) for each in kept.components),
        tuple(map(_unread, kept.unread)) if Part.UNREAD in chosen else (),
        kept.limitations,
    )


def _kept(made: Map, route: str) -> Map:
    """The map restricted to the routes that match a glob and to everything that they reach."""
    if not route:
        return made
    routes = tuple(each for each in made.routes if any(fits(way.path, route) for way in each.ways))
    labels = frozenset(each.label for each in routes)

    def reached(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
        return tuple(each for each in facts if labels.intersection(each.reached_by))

    return replace(
        made,
        routes=routes,
        rights=tuple(each for each in made.rights if any(way.route in labels for way in each.ways)),
        sinks=reached(made.sinks),
        network=reached(made.network),
        files=reached(made.files),
        sessions=reached(made.sessions),
    )


def fits(path: str, glob: str) -> bool:
    """True if a path matches a glob; `*` also matches slashes, and a trailing slash is optional."""
    return fnmatchcase(path, glob) or fnmatchcase(path.rstrip("/"), glob.rstrip("/"))


def _route(each: Route, shared: dict[str, list[str]]) -> RouteEntry:
    guards = tuple(
        GuardEntry(guard.text, str(guard.at), guard.asks.value, guard.right, guard.partly, guard.understood)
        for guard in each.guards
    )
    part_of = tuple(dict.fromkeys(shared.get(f"{each.handler} {each.label}", ())))
    return RouteEntry(
        each.kind.value, tuple(map(str, each.ways)), str(each.handler), each.name, each.framework, guards, each.asks, each.note,
        each.calls, bool(part_of), part_of,
    )  # fmt: skip


def _rights(each: Siblings) -> RightsEntry:
    ways = tuple(WayEntry(way.route, str(way.handler), way.asks) for way in each.ways)
    return RightsEntry(each.difference.value, each.shared, str(each.at), ways)


def _facts(facts: tuple[Fact, ...]) -> tuple[FactEntry, ...]:
    sides = ("server", "browser")
    return tuple(
        FactEntry(each.kind, str(each.at), each.text, each.function, each.reached_by, sides[each.in_browser]) for each in facts
    )


def _places(places: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(map(str, places))


def _unread(each: NotRead) -> UnreadEntry:
    return UnreadEntry(each.path, each.reason, each.files, each.loc, each.first_party, each.accepted)


def totals(made: MapDocument) -> str:
    """The entry points in numbers: "27 web routes, 20 other entry points"."""
    return tally_text(made.web_routes, made.other_entry_points, made.programs)


def compared(made: MapDocument) -> str:
    """How many groups of related entry points could be compared, and whether any differ."""
    groups = counted(made.groups, "group")
    if not made.groups:
        return "No related entry points to compare"
    rest = made.groups - made.compared
    unread = f"; {rest} of {groups} not compared: guards not understood" if rest else ""
    found = counted(len(made.rights), "difference") if made.rights else "No differences"
    return f"{found} in {counted(made.compared, 'compared group')}{unread}"


def render_json(made: MapDocument) -> str:
    """The JSON form."""
    return json_text(plain(made)) + "\n"
