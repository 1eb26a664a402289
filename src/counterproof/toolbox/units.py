"""Functions as units of reading, in every language with a grammar: the unit around a line, its callers, its callees.

Invariant: names are matched by their last part, so results are hints and no proof; results are bounded. Tests are left out.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from counterproof.analysis.facts.named import definitions, uses
from counterproof.analysis.facts.syntax_index import index_of
from counterproof.analysis.facts.trees import enclosing_function, first_line, last_line, smallest_on, tree_of
from counterproof.analysis.facts.units import FUNCTION, Unit, units_of
from counterproof.analysis.project import Project
from counterproof.model.fact import Operation

MIN_NAME = 3
"""Shorter names identify no definition."""
MAX_SITES = 100
_LONGEST = 400
"""The most lines of a unit; of a longer one only the lines around the location are shown."""
_AROUND = 60


def unit_at(project: Project, path: str, line: int) -> Unit:
    """The innermost named function around a line, otherwise the outermost unnamed one, otherwise the lines around it."""
    named = [each for each in units_of(project, path) if each.kind == FUNCTION and each.holds(line)]
    unit = named[-1] if named else _unnamed(project, path, line)
    if unit is None:
        return Unit(path, "", "", max(1, line - 20), min(project.files[path].lines, line + 20))
    if unit.last - unit.first > _LONGEST:
        return replace(unit, first=max(unit.first, line - _AROUND), last=min(unit.last, line + _AROUND))
    return unit


def _unnamed(project: Project, path: str, line: int) -> Unit | None:
    tree = tree_of(project, path)
    node = enclosing_function(smallest_on(tree, line)) if tree else None
    while node is not None and node.parent is not None and (outer := enclosing_function(node.parent)) is not None:
        node = outer
    return Unit(path, "", FUNCTION, first_line(node), last_line(node)) if node is not None else None


def callers_of(project: Project, unit: Unit) -> tuple[Unit, ...]:
    """The units around the lines outside this one that call its name or pass it on."""
    if len(unit.short) < MIN_NAME:
        return ()
    found: dict[Unit, None] = {}
    for path, line, _ in islice(uses(project, {unit.short}, tests=False), MAX_SITES):
        if not (path == unit.path and unit.holds(line)):
            found[unit_at(project, path, line)] = None
    return tuple(found)


def callees_of(project: Project, unit: Unit) -> tuple[Unit, ...]:
    """The nearest definition of each name that the unit calls, in the order of the calls."""
    index = index_of(project, unit.path)
    called = (
        name.rpartition(".")[2]
        for line in range(unit.first, unit.last + 1)
        for operation, name in sorted(index.get(line, ()))
        if operation is Operation.CALL
    )
    names = list(dict.fromkeys(name for name in called if len(name) >= MIN_NAME and name != unit.short))[:MAX_SITES]
    table = definitions(project, names, (unit.path,))
    return tuple(each for name in names for each in table.get(name, ())[:1] if each != unit)


def distinct(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Each unit once, without units inside another."""
    kept: list[Unit] = []
    for each in units:
        if not any(other.path == each.path and other.first <= each.first and each.last <= other.last for other in kept):
            kept.append(each)
    return tuple(kept)
