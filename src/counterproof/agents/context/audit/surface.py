"""The map of the project in a hunter's opening (A61, A68): entry points with their guards as written, differing rights,
settings, and the locations of sinks and other actions.

Invariant: only facts of the map, redacted like code; a name or guard that gives orders is withheld; locations in one file are
grouped. Not handled here: which task is shown which part.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from counterproof.agents.context.sections import Piece, Section
from counterproof.analysis.text.marks import WITHHELD
from counterproof.model.map import Fact, Map, Route, Setting, Siblings
from counterproof.model.recon import Asks, WrittenGuard
from counterproof.protocols.guard.injection import addresses_model
from counterproof.protocols.guard.isolation import Category
from counterproof.toolbox.witnessed import WitnessedTools

_TOGETHER = 20
"""Lines of one file that are included or omitted together."""
_MAX_LINE = 240
_MAX_WAYS = 4
_READING = ("GET", "HEAD", "OPTIONS", "")


def surface_sections(toolbox: WitnessedTools) -> tuple[Section, ...]:
    """The part of the map shown to every hunter."""
    known = toolbox.map
    return (
        Section(
            "Entry points by file, each with its guards as the code writes them:", Category.SCOPE,
            tuple(_by_file((each.handler.path, _route(each, known), _worth(each)) for each in known.routes)),
            90, shared=True, none="the program found none.", rest="`grep` finds routes and handlers",
        ),
        Section(
            "Ways to one operation that ask for different rights:", Category.SCOPE,
            tuple(Piece(_siblings(each)) for each in known.rights), 88, 4_000, shared=True,
        ),
        Section(
            "Settings whose value becomes a command, a path, an address or a key:", Category.SCOPE,
            tuple(Piece(_setting(each)) for each in known.settings if each.used_as), 83, 2_000, shared=True,
        ),
    )  # fmt: skip


def acting_places(toolbox: WitnessedTools, scope: Sequence[str]) -> Section:
    """Sinks, requests, file writes and sessions in these files, or in all files."""
    known = toolbox.map
    facts = (each for each in (*known.sinks, *known.network, *known.files, *known.sessions) if not scope or each.at.path in scope)
    rows = (
        (each.at.path, _fact(each), 2 * bool(each.reached_by) + (each.kind != "file-access")) for each in dict.fromkeys(facts)
    )
    return Section(
        "Places that act, by file, with the entry points that reach them:", Category.SCOPE, tuple(_by_file(rows)), 88, 10_000,
        rest="`grep` finds them",
    )  # fmt: skip


def _by_file(rows: Iterable[tuple[str, str, int]]) -> Iterator[Piece]:
    """Lines under their file's name, ranked by the best of them."""
    files: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for path, line, value in rows:
        files[path].append((line, value))
    for path, lines in files.items():
        for start in range(0, len(lines), _TOGETHER):
            part = lines[start : start + _TOGETHER]
            yield Piece("\n".join([path, *(f"  {line}" for line, _ in part)]), max(value for _, value in part))


def _route(each: Route, known: Map) -> str:
    ways = ", ".join(map(str, each.ways[:_MAX_WAYS]))
    more = f" and {len(each.ways) - _MAX_WAYS} more" if len(each.ways) > _MAX_WAYS else ""
    guards = "; ".join(map(_guard, each.guards)) or "no guard found"
    differs = " (differs from a sibling)" if each.handler in known.differing else ""
    note = f" ({each.note})" if each.note else ""
    return _inert(f":{each.handler.start} {each.kind.value} {ways}{more} {each.name}: {guards}{note}{differs}")


def _guard(each: WrittenGuard) -> str:
    asks = str(each.asks) if each.asks is Asks.NOT_UNDERSTOOD else each.understood
    return f"{each.text} [{asks}]" if each.text else asks


def _worth(each: Route) -> int:
    """Unguarded routes first, and among these the state-changing ones."""
    unsure = {Asks.NOT_UNDERSTOOD, Asks.NOT_ANALYSED}
    open_ = 4 if not each.guards or each.asks == (str(Asks.NOTHING),) else 2 * any(guard.asks in unsure for guard in each.guards)
    return open_ + any(way.method.upper() not in _READING for way in each.ways)


def _siblings(each: Siblings) -> str:
    ways = "; ".join(f"{way.route} asks for {', '.join(way.asks)}" for way in each.ways)
    return _inert(f"{each.shared} at {each.at}, {each.difference}: {ways}", 2 * _MAX_LINE)


def _setting(each: Setting) -> str:
    places = ", ".join(map(str, each.used_at[:_MAX_WAYS]))
    return _inert(f"{each.name}: {', '.join(each.used_as)} at {places}")


def _fact(each: Fact) -> str:
    reached = f" <- {', '.join(each.reached_by[:_MAX_WAYS])}" if each.reached_by else ""
    return _inert(f":{each.at.start} {each.kind}: {each.text}{reached}")


def _inert(line: str, most: int = _MAX_LINE) -> str:
    shown = " ".join(line.split())
    return WITHHELD if addresses_model(shown) else shown[:most]
