"""Related entry points that require different rights (A68).

Invariant: only understood guards are compared; a function that many entry points share, or that writes nothing, is not treated as
their operation. Not handled here: which of them is right.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from counterproof.analysis.map.places import Called, Key, Places
from counterproof.analysis.map.writes import Writes
from counterproof.model.location import at
from counterproof.model.map import Difference, Route, Sibling, Siblings
from counterproof.model.recon import KNOWS_CALLER, NETWORK_KINDS, Asks

MAX_SHARING = 8
MIN_TOGETHER = 4
"""Routes of one class or file that must agree before the differing route is reported."""


@dataclass(frozen=True, slots=True)
class Right:
    """The rights that a route requires, in comparable form: role names and whether it authenticates the caller at all."""

    known: bool
    roles: frozenset[str]
    owner: bool
    doubtful: bool


def right_of(route: Route) -> Right:
    """The rights of a route, normalised so that two spellings of a role are equal."""
    asked = [each for each in route.guards if each.asks in KNOWS_CALLER]
    named = frozenset(
        part.strip().rpartition(".")[2].lower() for each in asked if each.asks is Asks.ROLE for part in each.right.split(",")
    )
    roles = (named - {""}) or named
    doubtful = any(each.asks in (Asks.NOT_UNDERSTOOD, Asks.NOT_ANALYSED) for each in route.guards)
    return Right(bool(asked), roles, any(each.asks is Asks.OWNER for each in asked), doubtful)


def differ(first: Right, second: Right) -> bool:
    """Return True if two routes require different rights, as far as both were understood."""
    if first.doubtful or second.doubtful:
        return bool(first.roles and second.roles and first.roles != second.roles)
    return (first.known, first.roles) != (second.known, second.roles)


@dataclass(frozen=True, slots=True)
class Compared:
    """The differences, the number of groups of related entry points, and how many of them were understood well enough."""

    found: tuple[Siblings, ...]
    groups: int
    understood: int


def siblings_of(places: Places, routes: tuple[Route, ...], writes: Writes) -> Compared:
    """All groups with a difference, groups that share a function first."""
    served = [each for each in routes if each.kind in NETWORK_KINDS]
    groups: list[list[Route]] = []
    found = [
        *_same_operation(places, served, writes, groups),
        *_same_table(places, served, writes, groups),
        *_odd_ones(served, groups),
    ]
    understood = sum(sum(not right_of(each).doubtful for each in group) > 1 for group in groups)
    return Compared(tuple(_without_repeats(found)), len(groups), understood)


def _without_repeats(found: Iterable[Siblings]) -> Iterator[Siblings]:
    seen: set[frozenset[str]] = set()
    for each in found:
        key = frozenset(way.route for way in each.ways)
        if key not in seen:
            seen.add(key)
            yield each


def _group(difference: Difference, shared: str, where: Key, ways: Iterable[Route]) -> Siblings:
    listed = tuple(Sibling(each.label, each.handler, each.asks) for each in ways)
    return Siblings(difference, shared, at(*where), listed)


def _same_operation(places: Places, routes: list[Route], writes: Writes, groups: list[list[Route]]) -> Iterator[Siblings]:
    handlers = {(each.handler.path, each.handler.start): each for each in routes}
    ways: dict[tuple[Key, tuple[str, ...]], list[Route]] = {}
    names: dict[Key, str] = {}
    for route in routes:
        for called in _calls_behind_guards(places, route):
            same = ways.setdefault((called.target, called.literals), [])
            if route not in same and (called.counts or writes.by(called.target)):
                names[called.target] = called.name
                same.append(route)
    for (target, literals), same in sorted(ways.items()):
        own = handlers.get(target) if not literals else None
        others = [each for each in same if each is not own]
        if own is None and (len(others) > MAX_SHARING or not writes.by(target)):
            continue
        groups += [[*([own] if own else []), *others]] if len(others) + bool(own) > 1 else []
        differing = _differing(own, others)
        if len(differing) > 1:
            yield _group(Difference.SAME_OPERATION, names[target], target, differing)


def _calls_behind_guards(places: Places, route: Route) -> Iterator[Called]:
    """The calls of a handler, without those that its own guards make."""
    guarding = {each.at.start for each in route.guards if each.at.path == route.handler.path}
    made = places.calls_of((route.handler.path, route.handler.start))
    return (each for each in made if each.line not in guarding)


def _differing(own: Route | None, others: list[Route]) -> list[Route]:
    """The routes whose rights differ from the operation's own route; without such a route, all of them if any two differ."""
    if own is not None:
        return [own, *(each for each in others if differ(right_of(own), right_of(each)))]
    rights = [right_of(each) for each in others]
    return others if any(differ(rights[0], each) for each in rights[1:]) else []


def _same_table(places: Places, routes: list[Route], writes: Writes, groups: list[list[Route]]) -> Iterator[Siblings]:
    by_table: dict[tuple[str, str], list[Route]] = {}
    first: dict[tuple[str, str], Key] = {}
    for route in routes:
        for write in writes.direct((route.handler.path, route.handler.start)):
            first.setdefault((write.verb, write.table), (write.path, write.line))
            if route not in by_table.setdefault((write.verb, write.table), []):
                by_table[write.verb, write.table].append(route)
    for (verb, table), same in sorted(by_table.items()):
        rights = [right_of(each) for each in same]
        groups += [same] if 1 < len(same) <= MAX_SHARING else []
        if 1 < len(same) <= MAX_SHARING and any(differ(rights[0], each) for each in rights[1:]):
            yield _group(Difference.SAME_TABLE, f"{verb} {table}", first[verb, table], same)


def _odd_ones(routes: list[Route], groups: list[list[Route]]) -> Iterator[Siblings]:
    """Classes and files in which all routes but one require a right."""
    grouped: dict[tuple[str, str], list[Route]] = {}
    for route in routes:
        owner = route.name.rpartition(".")[0]
        grouped.setdefault((route.handler.path, ""), []).append(route)
        if owner:
            grouped.setdefault((route.handler.path, owner), []).append(route)
    for (path, owner), same in sorted(grouped.items()):
        if len(same) < MIN_TOGETHER:
            continue
        groups.append(same)
        rights = [(each, right_of(each)) for each in same]
        odd = [each for each, right in rights if not right.known and not right.doubtful]
        if len(odd) == 1:
            others = [each for each, _ in rights if each is not odd[0]]
            where = (path, odd[0].handler.start)
            yield _group(Difference.ODD_ONE_OUT, owner or path, where, [odd[0], *others[: MAX_SHARING - 1]])
        else:
            yield from _odd_role(path, owner, rights)


def _odd_role(path: str, owner: str, rights: list[tuple[Route, Right]]) -> Iterator[Siblings]:
    """The single route that requires only a login where all others require the same role."""
    bare = [each for each, right in rights if right.known and not right.roles and not right.owner and not right.doubtful]
    roles = {right.roles for each, right in rights if each not in bare}
    if len(bare) == 1 and len(roles) == 1 and roles != {frozenset[str]()}:
        others = [each for each, _ in rights if each is not bare[0]]
        where = (path, bare[0].handler.start)
        yield _group(Difference.ODD_ONE_OUT, owner or path, where, [bare[0], *others[: MAX_SHARING - 1]])
