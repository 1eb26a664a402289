"""The attackers who can reach a location, from the entry points whose handlers lead there by resolved calls (A40, A68).

Invariant: an entry point that recon does not know, or from which no resolved call leads to the location, proves nothing. Not
handled here: whether data gets there, and severity.
"""

from counterproof.analysis.endpoints.entered_program import entered_program
from counterproof.analysis.facts.units import unit_at
from counterproof.analysis.map.places import Key, Places
from counterproof.analysis.polyglot.corpus import corpus_of
from counterproof.analysis.project import Project
from counterproof.analysis.proofs import reach_of
from counterproof.model.location import Location
from counterproof.model.recon import EntryPoint
from counterproof.model.severity import Reach

_EXPOSED = (Reach.ADMIN, Reach.LOW_PRIVILEGE, Reach.ANONYMOUS)


def exposure(
    project: Project, entries: tuple[EntryPoint, ...], named: Location, place: Location
) -> tuple[EntryPoint, Reach] | None:
    """The entry point whose handler is named, and the attackers who can reach the location from any entry point; None if that
    entry point does not lead there."""
    leading = [each for each in entries if _leads(project, entries, each, place)]
    stated = [each for each in leading if _is_at(project, each, named)]
    if not stated:
        return None
    most = max((reach_of(each) for each in leading), key=_EXPOSED.index)
    return max(stated, key=lambda each: _EXPOSED.index(reach_of(each))), most


def _is_at(project: Project, entry: EntryPoint, named: Location) -> bool:
    if entry.handler.path != named.path:
        return False
    unit = unit_at(project, named.path, entry.handler.start)
    return entry.handler.start == named.start or (unit is not None and unit.holds(named.start))


def _leads(project: Project, entries: tuple[EntryPoint, ...], entry: EntryPoint, place: Location) -> bool:
    if _is_at(project, entry, place):
        return True
    places = _places(project, entries)
    around = places.function_at(place.path, place.start)
    return around is not None and around[0] in _reached(project, places, (entry.handler.path, entry.handler.start))


def _places(project: Project, entries: tuple[EntryPoint, ...]) -> Places:
    return project.once("map: places", lambda: Places(project, entered_program(project, entries), corpus_of(project)))


def _reached(project: Project, places: Places, handler: Key) -> frozenset[Key]:
    return project.once(f"map: reached from {handler}", lambda: places.reached_from(handler))
