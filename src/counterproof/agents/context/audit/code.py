"""The code of a task: the units in question whole, then those that call them and those that they call.

For a validator, a diver, a chain checker and a verifier the units are those around the places that they are asked about, also
along a stated flow where the flow is theirs to see; for a hunter they are the handlers of the entry points in its languages, open
and changing ones first.

Always holds: code is shown as the toolbox would show it, numbered, without authors' words in a first pass; a unit stands once.
"""

from collections.abc import Iterator

from counterproof.agents.context.sections import Piece, Section, Shown
from counterproof.model.contract import AgentTask, Role
from counterproof.model.location import Location
from counterproof.model.recon import Guard
from counterproof.protocols.guard.isolation import Category
from counterproof.toolbox.units import Unit, distinct
from counterproof.toolbox.witnessed import WitnessedTools

MAX_UNITS = 60
MAX_AROUND = 12
"""Callers and callees of one unit."""


def code_sections(task: AgentTask, toolbox: WitnessedTools) -> Iterator[Section]:
    places = _handlers(task, toolbox) if task.role is Role.HUNTER else _places(task)
    known = [place for place in places if toolbox.lines_of(place.path) >= place.start]
    own = distinct(toolbox.unit(place.path, place.start) for place in known[:MAX_UNITS])
    title = "Handlers of entry points in your languages:" if task.role is Role.HUNTER else "The code in question:"
    yield Section(title, Category.CODE, tuple(_pieces(toolbox, own)), 95, rest="`read` shows them")
    if task.role is Role.HUNTER:
        return
    files = dict.fromkeys(unit.path for unit in own)
    yield Section("The heads of their files:", Category.CODE, tuple(_heads(toolbox, tuple(files))), 60, 2_000)
    callers = [site.within for unit in own for site in toolbox.callers_around(unit)[:MAX_AROUND]]
    callees = [unit for each in own for unit in toolbox.callees_around(each)[:MAX_AROUND]]
    yield Section(
        "Who calls it, matched by name:", Category.CODE, tuple(_pieces(toolbox, _fresh(callers, own))), 80,
        rest="`callers` finds them",
    )  # fmt: skip
    yield Section(
        "Whom it calls, matched by name:", Category.CODE, tuple(_pieces(toolbox, _fresh(callees, (*own, *callers)))), 70,
        rest="`symbols` finds them",
    )  # fmt: skip


def _places(task: AgentTask) -> list[Location]:
    """Where the task's findings and hits are; the steps of their flows where the role sees claims from the beginning."""
    found = [*(each.location for each in task.findings), *(each.location for each in task.hits)]
    if task.role is not Role.VALIDATOR:
        found += [step.location for each in task.findings if each.flow for step in each.flow.steps]
    return list(dict.fromkeys(found))


def _handlers(task: AgentTask, toolbox: WitnessedTools) -> list[Location]:
    wanted = set(task.languages)
    entries = [
        each
        for each in (toolbox.recon.entry_points if toolbox.recon else ())
        if not wanted or toolbox.language_of(each.handler.path) in wanted
    ]
    rank = {Guard.ABSENT: 0, Guard.UNKNOWN: 1, Guard.PRESENT: 2}
    ordered = sorted(entries, key=lambda each: (rank[each.guard], each.method.upper() in ("GET", "HEAD", ""), each.handler))
    return list(dict.fromkeys(each.handler for each in ordered))


def _fresh(units: list[Unit], shown: tuple[Unit, ...]) -> tuple[Unit, ...]:
    return distinct((*shown, *units))[len(distinct(shown)) :]


def _pieces(toolbox: WitnessedTools, units: tuple[Unit, ...]) -> Iterator[Piece]:
    """Each unit whole, the earlier the more valuable."""
    for number, unit in enumerate(units):
        if piece := _lines(toolbox, unit, -number):
            yield piece


def _heads(toolbox: WitnessedTools, paths: tuple[str, ...]) -> Iterator[Piece]:
    """The first lines of files, where imports and settings stand."""
    for path in paths:
        if piece := _lines(toolbox, Unit(path, "", 1, min(30, toolbox.lines_of(path)))):
            yield piece


def _lines(toolbox: WitnessedTools, unit: Unit, value: int = 0) -> Piece | None:
    rows = toolbox.as_shown(unit.path, unit.first, unit.last)
    if not rows:
        return None
    head = f"{unit.path}, lines {unit.first}-{unit.last}{f', {unit.name}' if unit.name else ''}"
    text = "\n".join([head, *(f"{number:>6}  {line}" for number, line in rows)])
    return Piece(text, value, (Shown(unit.path, rows[0][0], rows[-1][0]),))
