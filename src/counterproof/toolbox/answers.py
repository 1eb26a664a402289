"""Turns a hunter's answers about its open items into ledger records (A16, A19, A63).

Invariant: an answer counts only for an item of the task, with a line of code that this agent was shown; the verdict is what
the agent claims, that it was shown the line is a fact.
"""

from collections.abc import Callable, Iterable

from counterproof.analysis.facts.units import Unit
from counterproof.analysis.inventory.permissions import noun_of
from counterproof.model.dimension import Dimension, Track
from counterproof.model.ledger import Comparison, Item, Ledger, Trace
from counterproof.model.location import Location
from counterproof.model.openitem import Answered, ItemKind, OpenItem
from counterproof.model.recon import NETWORK_KINDS, Recon

_READING = ("GET", "HEAD", "OPTIONS")


def records(items: tuple[OpenItem, ...], answers: tuple[Answered, ...], recon: Recon | None) -> Ledger:
    """The records that the answers produce."""
    given = {each.name: each for each in answers}
    ledger = Ledger()
    guarded: dict[Location, str] = {}
    for item in items:
        answer = given.get(item.name)
        if answer is None:
            continue
        ledger += _records_of(item, answer)
        if item.kind is ItemKind.ENTRY:
            guarded[item.at] = answer.verdict
    return ledger + Ledger(comparisons=_compared(guarded, recon))


def stated(places: Iterable[tuple[str, int]], recon: Recon | None, unit: Callable[[str, int], Unit]) -> Ledger:
    """Entry points on a finding's path: an agent that states how an attacker passes has examined their guards (A63)."""
    entries = {each.handler for each in recon.entry_points} if recon else set[Location]()
    files = {place.path for place in entries}
    units = {unit(path, line) for path, line in dict.fromkeys(places) if path in files}
    met = sorted(e for e in entries if any(u.path == e.path and u.first <= e.start <= u.last for u in units))
    control = [each for each in Dimension if each.track is Track.CONTROL]
    traces = tuple(
        Trace(each, "endpoint", place, True, origin="a finding that leads through it") for place in met for each in control
    )
    return Ledger(traces=traces, entries=tuple(met), endpoints=tuple(met))


def _records_of(item: OpenItem, answer: Answered) -> Ledger:
    if item.kind is ItemKind.ENTRY:
        control = (each for each in item.dimensions if each.track is Track.CONTROL)
        traces = tuple(Trace(each, "endpoint", item.at, True, origin=f"{answer.verdict} by {answer.at}") for each in control)
        return Ledger(traces=traces, entries=(item.at,), endpoints=(item.at,))
    config = (each for each in item.dimensions if each.track is Track.CONFIG)
    return Ledger(items=tuple(Item(each, item.kind.value, item.at, True, answer.verdict) for each in config))


def _compared(guarded: dict[Location, str], recon: Recon | None) -> tuple[Comparison, ...]:
    """Resources with answers for all operations, and whether the modifying ones were judged alike (A19)."""
    found: list[Comparison] = []
    entries = [each for each in recon.entry_points if each.kind in NETWORK_KINDS] if recon else []
    for noun in recon.resources if recon else ():
        group = [each for each in entries if noun_of(each.path) == noun]
        if group and all(each.handler in guarded for each in group):
            verdicts = {guarded[each.handler] for each in group if each.method.upper() not in _READING}
            methods = tuple(sorted({each.method for each in group}))
            found.append(Comparison(noun, methods, len(verdicts) <= 1, min(each.handler for each in group)))
    return tuple(found)
