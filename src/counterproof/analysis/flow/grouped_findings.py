"""Places that are one weakness with one remedy, told as one finding that lists them all (A39).

Always holds: no place is lost, each stands in `also` of the finding that speaks for it. Places are put together where one piece
of data reaches several sinks of a kind in one function, for what the callers of a package pass and, where it is the same call
each time, for what came a way that could not be followed to its end: whoever checks that way checks it once. For callers, they
are put together too where several functions reach one sink through a function that does nothing but pass data on. What a request
brings on a way that was followed stays apart, place by place, until it is one name or address that goes through a file of
another layer and does its harm in many places there: it is checked once, where it comes in. Does not belong here: whether a place
is a weakness.
"""

from counterproof.analysis.flow.outcome import Outcome
from counterproof.analysis.flow.values import CALLER, Source, Taint
from counterproof.model.location import Location, at

Shown = tuple[Outcome, Taint]

_CHECKED_AT_THE_DOOR = frozenset({"path", "request"})
"""Kinds of weakness that one check of the value mends for every place. A statement or a page is mended where it is made."""

MANY = 4
"""So many places of one value in one file of another layer are told as one."""


def grouped(shown: list[Shown]) -> list[tuple[Shown, tuple[Location, ...]]]:
    """Each group by its first place in the file, with its other places."""
    layers: dict[tuple[object, ...], set[tuple[object, ...]]] = {}
    for each in shown:
        layers.setdefault(_layer(each), set()).add((each[0].hit.path, each[0].hit.line))
    groups: dict[tuple[object, ...], list[Shown]] = {}
    for each in shown:
        layer = _layer(each)
        groups.setdefault(layer if layer and len(layers[layer]) >= MANY else _root(each), []).append(each)
    return [_spoken(group) for group in groups.values()]


def _layer(each: Shown) -> tuple[object, ...]:
    """One value of a request in one file that it was passed on to; () where it does its harm in the file that took it in."""
    hit, source = each[0].hit, each[1].origin
    assert isinstance(source, Source)
    if source.channel == CALLER or hit.path == source.path or hit.rule.info.kind not in _CHECKED_AT_THE_DOOR:
        return ()
    return ("layer", hit.rule.info.id, hit.path, source.path, source.line, source.parameter, bool(each[1].broken))


def _root(each: Shown) -> tuple[object, ...]:
    """What the places of one weakness share."""
    hit, source = each[0].hit, each[1].origin
    assert isinstance(source, Source)
    if source.channel != CALLER and not each[1].broken:
        return (hit.rule.info.id, hit.path, hit.line)
    if source.channel != CALLER:
        return (hit.rule.info.id, hit.path, _named(hit.function), source.path, source.line, hit.call)
    if (hit.path, hit.line) != (hit.sink_path, hit.sink_line):
        return (hit.rule.info.id, hit.sink_path, hit.sink_line, "handed on")
    return (hit.rule.info.id, hit.path, _named(hit.function), source.path, source.line)


def _named(function: str) -> str:
    """The function that somebody gave a name, without the nameless ones inside it."""
    parts = function.split(".")
    while len(parts) > 1 and parts[-1].startswith("function at"):
        parts.pop()
    return ".".join(parts)


def _spoken(group: list[Shown]) -> tuple[Shown, tuple[Location, ...]]:
    first = min(group, key=lambda each: (not each[0].certain, each[0].hit.path, each[0].hit.line))
    own = (first[0].hit.path, first[0].hit.line)
    others = sorted({(outcome.hit.path, outcome.hit.line) for outcome, _ in group} - {own})
    return first, tuple(at(path, line) for path, line in others)
