"""The four questions of A38 asked of a derivation: flow, defence, reach, impact, each with a line and a reason of its own.

Always holds: what could not be settled is partial, never pass. Does not belong here: the verdict that follows from the steps.
"""

from dataclasses import dataclass

from counterproof.analysis.backward.derivation import Derivation, OriginKind, Way
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.program import enclosing
from counterproof.model.finding import StepResult, Validation, ValidationStep
from counterproof.model.location import Location
from counterproof.model.recon import EntryKind, EntryPoint, Guard

MAX_CLIMB = 400
"""Functions looked at when asking which entry point leads to a place."""

_WAYS_IN = (EntryKind.HTTP, EntryKind.WEBSOCKET, EntryKind.RPC, EntryKind.QUEUE)


@dataclass(frozen=True, slots=True)
class Arrival:
    """How an attacker gets to a place: the entry point, or None where none was found."""

    entry: EntryPoint | None
    at: Location


def steps_of(program: EnteredProgram, derivation: Derivation) -> Validation:
    """All four steps, whatever the first ones say: a reader wants to know each."""
    way = _telling(derivation)
    return Validation(flow(derivation), defence(derivation), reach(program, derivation, way), impact(derivation))


def _telling(derivation: Derivation) -> Way | None:
    ways = (*derivation.open_ways, *derivation.stopped_ways)
    return ways[0] if ways else None


def flow(derivation: Derivation) -> ValidationStep:
    open_ways = derivation.open_ways
    if open_ways:
        way = open_ways[0]
        where = f"{way.origin.text} at {way.origin.at} reaches {derivation.call} at {derivation.at}"
        if way.broken:
            return ValidationStep(StepResult.PARTIAL, f"{where}, but the way is broken by {way.broken.value}", way.origin.at)
        return ValidationStep(StepResult.PASS, f"{where} in {len(way.hops) - 1} steps, walked from the sink", way.origin.at)
    if derivation.stopped_ways:
        way = derivation.stopped_ways[0]
        text = f"{way.origin.text} at {way.origin.at} reaches {derivation.call} at {derivation.at}, after a defence"
        return ValidationStep(StepResult.PASS, text, way.origin.at)
    return _no_attacker(derivation)


def _no_attacker(derivation: Derivation) -> ValidationStep:
    """No way starts with a sender. Literals refute the claim; what the program holds may be a sender's all the same."""
    open_ended = (OriginKind.UNKNOWN, OriginKind.INTERNAL)
    unknown = next((way for way in derivation.ways if way.origin.kind in open_ended or way.broken), None)
    if unknown is not None:
        why = unknown.broken.value if unknown.broken else "an unknown origin"
        text = f"no sender's data was found behind {derivation.call}; one way ends at {unknown.origin.text} ({why})"
        return ValidationStep(StepResult.PARTIAL, text, unknown.origin.at)
    local = next((way for way in derivation.ways if way.origin.kind is OriginKind.LOCAL), None)
    if local is not None:
        text = f"only whoever starts the program decides about {derivation.call}: {local.origin.text}"
        return ValidationStep(StepResult.PARTIAL, text, local.origin.at)
    stored = next((way for way in derivation.ways if way.origin.kind is OriginKind.STORED), None)
    if stored is not None:
        text = f"the value is {stored.origin.text}; whether an attacker put it there was not followed"
        return ValidationStep(StepResult.PARTIAL, text, stored.origin.at)
    kinds = ", ".join(sorted({way.origin.kind.value for way in derivation.ways})) or "nothing variable"
    place = derivation.ways[0].origin.at if derivation.ways else derivation.at
    text = f"every value in {derivation.call} at {derivation.at} comes from: {kinds}; none of it is a sender's"
    return ValidationStep(StepResult.FAIL, text, place)


def defence(derivation: Derivation) -> ValidationStep:
    if derivation.open_ways:
        met = derivation.open_ways[0].defences
        if met:
            text = f"{met[0].text} at {met[0].at} does not stop this kind of attack"
            return ValidationStep(StepResult.PASS, text, met[0].at)
        text = f"no check, conversion or escaping between the origin and {derivation.call}"
        return ValidationStep(StepResult.PASS, text, derivation.at)
    for way in derivation.stopped_ways:
        found = derivation.enough(way)
        if found is not None:
            text = f"{found.text} at {found.at} ({found.label}) stands on every way to {derivation.call}"
            return ValidationStep(StepResult.FAIL, text, found.at)
    return ValidationStep(StepResult.PASS, f"nothing was found that would have to stop {derivation.call}", derivation.at)


def reach(program: EnteredProgram, derivation: Derivation, way: Way | None) -> ValidationStep:
    """Can an attacker get there, and past which guard."""
    arrival = arrival_of(program, derivation, way)
    entry = arrival.entry
    if entry is None:
        text = f"no network entry point was found that leads to {derivation.function or derivation.at.path}"
        return ValidationStep(StepResult.PARTIAL, text, arrival.at)
    route = f"{entry.method} {entry.path}".strip() or entry.name
    if entry.guard is Guard.PRESENT:
        evidence = f": {entry.guard_evidence}" if entry.guard_evidence else ""
        return ValidationStep(StepResult.PASS, f"reached through {route} by a caller who is logged in{evidence}", entry.handler)
    if entry.guard is Guard.ABSENT:
        return ValidationStep(StepResult.PASS, f"reached through {route} without any login", entry.handler)
    seen = entry.guard_evidence or "its guard could not be read"
    return ValidationStep(StepResult.PARTIAL, f"reached through {route}, past an unknown guard: {seen}", entry.handler)


def arrival_of(program: EnteredProgram, derivation: Derivation, way: Way | None) -> Arrival:
    """The entry point on the way itself, or one that calls the function where the way begins."""
    places = [(hop.path, hop.line) for hop in way.hops] if way else []
    places.append((derivation.at.path, derivation.at.start))
    for path, line in places:
        found = _entry(program, path, line)
        if found is not None:
            return Arrival(found, found.handler)
    return Arrival(_climb(program, *places[0]), derivation.at)


def _entry(program: EnteredProgram, path: str, line: int) -> EntryPoint | None:
    function = enclosing(program, path, line)
    while function is not None:
        for each in program.entries(program.file(path), function):
            if each.kind in _WAYS_IN:
                return each
        function = program.codebase.outline(path).functions.get(function.within)
    return None


def _climb(program: EnteredProgram, path: str, line: int) -> EntryPoint | None:
    """Callers of callers, breadth first, until one is a handler."""
    start = enclosing(program, path, line)
    queue = [start] if start else []
    seen: set[int] = set()
    while queue and len(seen) < MAX_CLIMB:
        function = queue.pop(0)
        if id(function) in seen:
            continue
        seen.add(id(function))
        for site, _ in program.callers(function):
            found = _entry(program, site.ground.path, site.call.line)
            if found is not None:
                return found
            if site.function is not None:
                queue.append(site.function)
    return None


def impact(derivation: Derivation) -> ValidationStep:
    rule = derivation.rule
    if not derivation.certain:
        text = f"{derivation.call} at {derivation.at} is a sink only if its receiver is what its name suggests"
        return ValidationStep(StepResult.PARTIAL, text, derivation.at)
    return ValidationStep(StepResult.PASS, f"{derivation.call} at {derivation.at}: {rule.consequence}", derivation.at)
