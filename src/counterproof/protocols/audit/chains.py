"""Attack chains (A34, A57): checks for every pair of severe findings from different hunts whether one yields a thing that the
other uses. Matching kinds are not enough: the thing has a name and a location, and both findings show it.

A thing links two findings in either of two ways. The facts of both proofs name it: the first yields it (a stored secret, or
something that its sink returns or writes), and the second reads or uses it. Or a complete flow to the second's sink (the
finder's own, or one that a diver or a chain checker followed further) passes through the location where the first yields it.

Invariant: more findings and more flows only add links; a chain has its own severity and never changes that of a finding (A40).
Findings of one agent in different dimensions count as different hunts, because it examines each dimension separately.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from math import comb

from counterproof.model.chain import Chain, Link, Thing, ThingKind
from counterproof.model.dimension import Dimension
from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import Finding
from counterproof.model.flow import Flow
from counterproof.model.location import Location
from counterproof.model.proof import Part, Shape
from counterproof.model.severity import Severity
from counterproof.protocols.audit.severity import CHAIN_POINTS, calibrate, level

MAX_LINKS = 3
_BLOCK = 16

NOUNS: dict[ThingKind, tuple[int, ...]] = {
    ThingKind.CREDENTIAL: (256, 259, 307, 312, 321, 328, 522, 798, 916),
    ThingKind.FILE: (22, 23, 36, 73, 434, 552, 611),
    ThingKind.ROW: (89, 564, 639, 862, 863, 943),
    ThingKind.SESSION: (79, 287, 330, 338, 345, 347, 352, 384, 613),
    ThingKind.HOST: (918, 601),
}
"""The noun for a thing, by the weakness that yields it. Nouns create no links."""

NAMING = (Operation.ASSIGN, Operation.READ, Operation.DEFINE, Operation.LITERAL, Operation.PARAMETER, Operation.COMPARE)
"""Operations that name data. The name of a called function is not a thing that an attacker can carry away."""


@dataclass(frozen=True, slots=True)
class Chained:
    """The chains found, all their links, and how many pairs were checked."""

    chains: tuple[Chain, ...]
    pairs_checked: int
    links: tuple[Link, ...] = ()


def grave(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings that are Critical or High by the finder's own rating, before calibration."""
    return tuple(each for each in findings if each.severity.rank >= Severity.HIGH.rank)


def separate(one: Finding, other: Finding) -> bool:
    """True if the two findings do not come from one hunt."""
    if one.id == other.id:
        return False
    return one.dimension is not other.dimension or len({*one.found_by, *other.found_by}) > 1


def yields(finding: Finding) -> tuple[Thing, ...]:
    """The things that exploiting the finding gives the attacker, as named by the proof's facts."""
    proof = finding.proof
    if proof is None or proof.refuted:
        return ()
    part = Part.VALUE if proof.shape is Shape.STORED_VALUE else Part.SINK
    kind = next((kind for kind, numbers in NOUNS.items() if finding.cwe in numbers), ThingKind.VALUE)
    facts = [link.fact for link in proof.links if link.part is part and link.fact.symbol]
    return tuple(Thing(kind, fact.symbol, fact.at, fact.operation is Operation.LITERAL) for fact in facts)


def uses(finding: Finding) -> tuple[Fact, ...]:
    """The things that the attack requires: everything named in the proof except the value that the finding itself is about."""
    proof = finding.proof
    if proof is None or proof.refuted:
        return ()
    return tuple(link.fact for link in proof.links if link.part is not Part.VALUE and link.fact.operation in NAMING)


def link(first: Finding, then: Finding, flows: tuple[Flow, ...] = ()) -> Link | None:
    """The link between two findings if they come from different hunts and the second uses what the first yields."""
    if not separate(first, then):
        return None
    for thing in yields(first):
        used = next(_used(thing, _use_places(first), then, flows), None)
        if used:
            return Link(first.id, then.id, thing, used)
    return None


def _use_places(finding: Finding) -> frozenset[Location]:
    """The locations where the first finding's own proof uses the thing."""
    links = finding.proof.links if finding.proof else ()
    return frozenset(link.fact.at for link in links if link.part is Part.USE)


def _used(thing: Thing, known: frozenset[Location], then: Finding, flows: tuple[Flow, ...]) -> Iterator[Location]:
    """The locations where the finding uses the thing, except the thing's own line."""
    for fact in uses(then):
        if fact.at != thing.at and (fact.at in known or same_name(thing, fact)):
            yield fact.at
    own = (then.flow,) if then.flow and then.flow.complete else ()
    for flow in (*own, *(each for each in flows if _leads_to(each, then))):
        places = [step.location for step in flow.steps]
        if any(_covers(place, thing.at) for place in places[:-1]) and not _covers(then.location, thing.at):
            yield flow.sink.location


def same_name(thing: Thing, fact: Fact) -> bool:
    """Literals and constants with the same name are the same thing everywhere. Any other name may mean something else in
    another function."""
    if thing.literal or fact.operation is Operation.LITERAL:
        return thing.literal and fact.operation is Operation.LITERAL and thing.name == fact.symbol and len(thing.name) > 2
    name, other = thing.name.rpartition(".")[2], fact.symbol.rpartition(".")[2]
    return name == other and name.isupper() and len(name) > 2


def _leads_to(flow: Flow, finding: Finding) -> bool:
    return flow.complete and _covers(finding.location, flow.sink.location)


def _covers(place: Location, other: Location) -> bool:
    return place.path == other.path and place.start <= other.start <= place.end


def links(findings: tuple[Finding, ...], flows: tuple[Flow, ...] = ()) -> tuple[Link, ...]:
    """All links between severe findings, in order."""
    serious = grave(findings)
    needs = _Needs(serious, flows)
    found = (link(first, serious[number], needs.flows[number]) for first in serious for number in needs.candidates(first))
    return tuple(each for each in found if each)


class _Needs:
    """An index of what each finding uses, by name and location, so that only possible users of a thing are compared with it:
    comparing all pairs would take minutes in a tree with a thousand findings."""

    def __init__(self, serious: tuple[Finding, ...], flows: tuple[Flow, ...]) -> None:
        ending: dict[str, list[Flow]] = {}
        for flow in flows:
            ending.setdefault(flow.sink.location.path, []).append(flow)
        self.flows = [tuple(each for each in ending.get(then.location.path, ()) if _leads_to(each, then)) for then in serious]
        self._known: dict[Hashable, set[int]] = {}
        for number, then in enumerate(serious):
            for key in self._keys(then, self.flows[number]):
                self._known.setdefault(key, set()).add(number)

    def candidates(self, first: Finding) -> list[int]:
        """The indexes of the findings that may use what this finding yields, in order."""
        found: set[int] = set()
        for thing in yields(first):
            keys = (_name(thing.name, thing.literal), *_use_places(first), *_lines(thing.at))
            found.update(*(self._known.get(key, ()) for key in keys))
        return sorted(found)

    @staticmethod
    def _keys(then: Finding, flows: tuple[Flow, ...]) -> Iterator[Hashable]:
        for fact in uses(then):
            yield fact.at
            yield _name(fact.symbol, fact.operation is Operation.LITERAL)
        for flow in (*((then.flow,) if then.flow else ()), *flows):
            for step in flow.steps[:-1]:
                yield from _lines(step.location)


def _name(name: str, literal: bool) -> Hashable:
    return ("=", name) if literal else (".", name.rpartition(".")[2])


def _lines(place: Location) -> Iterator[Hashable]:
    """The line blocks that a location overlaps; if one location covers the other's start, the two share a block."""
    return ((place.path, block) for block in range(place.start // _BLOCK, place.end // _BLOCK + 1))


def carried_over(found: tuple[Link, ...], merged: tuple[tuple[str, str], ...], findings: tuple[Finding, ...]) -> Iterator[Link]:
    """Translate links between submitted findings to the findings into which they were merged: a merged finding keeps one proof
    and one flow, but no link is lost (A57). `merged` are (dropped, kept) pairs in merge order."""
    into: dict[str, str] = {}
    for gone, kept in reversed(merged):
        into[gone] = into.get(kept, kept)
    present = {finding.id for finding in findings}
    for each in found:
        first, then = into.get(each.first, each.first), into.get(each.then, each.then)
        if first != then and {first, then} <= present:
            yield Link(first, then, each.thing, each.used_at)


def chained(
    findings: tuple[Finding, ...],
    flows: tuple[Flow, ...] = (),
    before: tuple[Finding, ...] = (),
    merged: tuple[tuple[str, str], ...] = (),
) -> Chained:
    """Build a chain for every severe finding that another one enables, strongest enabler first, extended backwards while
    enablers need one themselves. `before` are the findings before merging."""
    points = {finding.id: calibrate(finding).total for finding in findings}
    known = {(each.first, each.then): each for each in carried_over(links(before, flows), merged, findings)}
    known |= {(each.first, each.then): each for each in links(findings, flows)}
    every = tuple(known[ends] for ends in sorted(known))
    givers: dict[str, Link] = {}
    for each in every:
        best = givers.get(each.then)
        if best is None or (points[each.first], best.first) > (points[best.first], each.first):
            givers[each.then] = each
    chains = [_chain(each, givers, points) for each in sorted(givers)]
    used_inside = {link_.then for chain in chains for link_ in chain.links[:-1]}
    kept = tuple(chain for chain in chains if chain.members[-1] not in used_inside)
    return Chained(kept, _pairs(grave(findings)), every)


def _pairs(serious: tuple[Finding, ...]) -> int:
    """The number of separate pairs: all except pairs in one dimension that involve at most one agent."""
    alone: dict[tuple[Dimension, str], int] = {}
    for each in serious:
        if len(set(each.found_by)) < 2:
            key = (each.dimension, next(iter(each.found_by), ""))
            alone[key] = alone.get(key, 0) + 1
    of_nobody = {dimension: count for (dimension, agent), count in alone.items() if not agent}
    joint = sum(comb(count, 2) for count in alone.values())
    joint += sum(count * of_nobody.get(dimension, 0) for (dimension, agent), count in alone.items() if agent)
    return comb(len(serious), 2) - joint


def _chain(end: str, givers: dict[str, Link], points: dict[str, int]) -> Chain:
    """Follow links from `end` back to a finding that needs no other, visiting each finding once."""
    path: list[Link] = []
    seen = {end}
    here = end
    while here in givers and len(path) < MAX_LINKS and givers[here].first not in seen:
        path.insert(0, givers[here])
        here = givers[here].first
        seen.add(here)
    total = max(points[member] for member in seen) + CHAIN_POINTS
    return Chain(tuple(path), level(total), total)
