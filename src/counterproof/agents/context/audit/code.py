"""The code for a task: the relevant units in full, then their callers and callees.

These are the units around the locations that a task names, and along a stated flow if the agent may see the flow. For the
plain question they are the handlers of entry points, unguarded and state-changing ones first, then the other files that
matter.

Invariant: code has the toolbox's form, with line numbers; no line appears twice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from counterproof.agents.context.sections import Piece, Section, Shown
from counterproof.analysis.facts.units import Unit
from counterproof.model.contract import AgentTask, Ask, Role
from counterproof.model.location import Location
from counterproof.model.recon import Guard
from counterproof.model.survey import FileRole
from counterproof.protocols.guard.isolation import Category
from counterproof.protocols.guard.metering import MAX_LINES
from counterproof.toolbox.units import distinct
from counterproof.toolbox.witnessed import WitnessedTools

MAX_UNITS = 60
MAX_HEADS = 1_000
MAX_AROUND = 4
"""The most callers and callees of one unit."""


def code_sections(task: AgentTask, toolbox: WitnessedTools) -> Iterator[Section]:
    if task.ask is Ask.PLAIN:
        yield from _handlers_first(toolbox)
        return
    own = _units(toolbox, _places(task))
    yield Section("The code in question:", Category.CODE, tuple(_pieces(toolbox, _fresh(own))), 95, rest="`read` shows it")
    if task.ask is Ask.QUESTIONS:
        return
    callers = [each for unit in own for each in toolbox.callers_around(unit)[:MAX_AROUND]]
    callees = [unit for each in own for unit in toolbox.callees_around(each)[:MAX_AROUND]]
    heads = [Unit(path, "", "", 1, min(30, toolbox.lines_of(path))) for path in dict.fromkeys(unit.path for unit in own)]
    for title, units, shown, value, most, rest in (
        ("The heads of their files:", heads, own, 60, MAX_HEADS, ""),
        ("Who calls it, matched by name:", callers, (*own, *heads), 80, 0, "`callers` finds them"),
        ("Whom it calls, matched by name:", callees, (*own, *heads, *callers), 70, 0, "`symbols` finds them"),
    ):
        yield Section(title, Category.CODE, tuple(_pieces(toolbox, _fresh(units, shown))), value, most, rest=rest)


def _handlers_first(toolbox: WitnessedTools) -> Iterator[Section]:
    """Handlers, then the other files that matter, then the rest."""
    handlers = _fresh(_units(toolbox, _handlers(toolbox)))
    yield Section(
        "Handlers of entry points:", Category.CODE, tuple(_pieces(toolbox, handlers)), 75, shared=True, rest="`read` shows them"
    )
    important = list(toolbox.recon.p0_files) if toolbox.recon else []
    others = [file for file in toolbox.survey.files if file.language and not file.test and file.path not in important]
    rest = sorted(others, key=lambda file: (file.role is not FileRole.RUNTIME, -file.loc, file.path))
    for title, paths, value in (
        ("The rest of the files that matter most:", important, 50),
        ("Other code:", [file.path for file in rest], 35),
    ):
        parts = tuple(part for path in paths for part in _parts(toolbox, path, handlers))
        yield Section(title, Category.CODE, tuple(_pieces(toolbox, parts)), value, shared=True, rest="`read` shows it")


def _parts(toolbox: WitnessedTools, path: str, shown: tuple[Unit, ...]) -> Iterator[Unit]:
    """The rest of a file that is not shown yet, in parts as long as a read."""
    own = sorted((unit.first, unit.last) for unit in shown if unit.path == path)
    first = 1
    for start, end in [*own, (toolbox.lines_of(path) + 1, 0)]:
        while first < start:
            last = min(start - 1, first + MAX_LINES - 1)
            if any(line.strip() for _, line in toolbox.as_shown(path, first, last)):
                yield Unit(path, "", "", first, last)
            first = last + 1
        first = max(first, end + 1)


def _units(toolbox: WitnessedTools, places: list[Location]) -> tuple[Unit, ...]:
    known = [place for place in places if toolbox.lines_of(place.path) >= place.start]
    return distinct(toolbox.unit(place.path, place.start) for place in known[:MAX_UNITS])


def _places(task: AgentTask) -> list[Location]:
    """The locations of the task's findings, hits and open items; steps of flows if the role sees claims from the start."""
    found = [*(each.location for each in (*task.findings, *task.hits)), *(each.at for each in task.open_items if each.dimensions)]
    if task.role is not Role.VALIDATOR:
        found += [step.location for each in task.findings if each.flow for step in each.flow.steps]
    return list(dict.fromkeys(found))


def _handlers(toolbox: WitnessedTools) -> list[Location]:
    found = toolbox.recon.entry_points if toolbox.recon else ()
    rank = {Guard.ABSENT: 0, Guard.UNKNOWN: 1, Guard.PRESENT: 2}
    ordered = sorted(found, key=lambda each: (rank[each.guard], each.method.upper() in ("GET", "HEAD", ""), each.handler))
    return list(dict.fromkeys(each.handler for each in ordered))


def _fresh(units: Sequence[Unit], shown: Sequence[Unit] = ()) -> tuple[Unit, ...]:
    """The parts of these units that neither an earlier one nor `shown` holds."""
    fresh: list[Unit] = []
    for unit in units:
        held = sorted((each.first, each.last) for each in (*shown, *fresh) if each.path == unit.path)
        first = unit.first
        for start, end in [*held, (unit.last + 1, unit.last + 1)]:
            if first <= min(start - 1, unit.last):
                fresh.append(replace(unit, first=first, last=min(start - 1, unit.last)))
            first = max(first, end + 1)
    return tuple(fresh)


def _pieces(toolbox: WitnessedTools, units: tuple[Unit, ...]) -> Iterator[Piece]:
    """Each unit in full, earlier ones ranked higher."""
    for number, unit in enumerate(units):
        if piece := _lines(toolbox, unit, -number):
            yield piece


def _lines(toolbox: WitnessedTools, unit: Unit, value: int = 0) -> Piece | None:
    rows = toolbox.as_shown(unit.path, unit.first, unit.last)
    if not any(line.strip() for _, line in rows):
        return None
    head = f"{unit.path}, lines {unit.first}-{unit.last}{f', {unit.name}' if unit.name else ''}"
    text = "\n".join([head, *(f"{number} {line}" for number, line in rows if line.strip())])
    return Piece(text, value, (Shown(unit.path, rows[0][0], rows[-1][0]),))
