"""Functions as units of reading, in every language that a grammar reads: which one holds a line, who calls it, whom it calls.

Invariant: a name is matched by its last part, so what is found is where to look and no proof; the answer is bounded, in order
of place. Text is searched first, so that only files that hold the name are parsed. Tests are left out.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from counterproof.analysis.facts.syntax_index import index_of
from counterproof.analysis.facts.trees import enclosing_function, first_line, last_line, smallest_on, tree_of
from counterproof.analysis.facts.units import FUNCTION, Unit, units_of
from counterproof.analysis.project import Project
from counterproof.model.fact import Operation
from counterproof.model.survey import SourceFile

MAX_FILES = 60
"""Files that hold a name and are parsed for it."""
MAX_SITES = 100
_LONGEST = 400
"""Lines of a unit; of a longer one only the lines around the place are shown."""
_AROUND = 60
_COMMON = frozenset(("get", "post", "set", "run", "main", "init", "new", "close", "open", "len", "str", "print", "map", "join"))
"""Names that say nothing about which definition is meant."""


@dataclass(frozen=True, slots=True)
class Site:
    """A line that calls a unit, and the unit that it stands in."""

    path: str
    line: int
    within: Unit


def unit_at(project: Project, path: str, line: int) -> Unit:
    """The innermost function around a line that has a name, else the outermost without one, else the lines around it."""
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


def callers_of(project: Project, unit: Unit) -> tuple[Site, ...]:
    """Lines outside the unit that call something of its name."""
    if not _telling(unit.short):
        return ()
    found: list[Site] = []
    for file in _holding(project, unit.short, unit.path):
        for line in _lines_with(project, file.path, Operation.CALL, unit.short):
            if not (file.path == unit.path and unit.first <= line <= unit.last):
                found.append(Site(file.path, line, unit_at(project, file.path, line)))
            if len(found) >= MAX_SITES:
                return tuple(found)
    return tuple(found)


def callees_of(project: Project, unit: Unit) -> tuple[Unit, ...]:
    """Definitions in the project whose name the unit calls, those of its own file first."""
    index = index_of(project, unit.path)
    called = (
        name.rpartition(".")[2]
        for line in range(unit.first, unit.last + 1)
        for operation, name in sorted(index.get(line, ()))
        if operation is Operation.CALL
    )
    found: dict[Unit, None] = {}
    for name in dict.fromkeys(name for name in called if _telling(name) and name != unit.short):
        for file in _holding(project, name, unit.path)[:8]:
            for line in _lines_with(project, file.path, Operation.DEFINE, name)[:1]:
                found[unit_at(project, file.path, line)] = None
        if len(found) >= MAX_SITES:
            break
    return tuple(each for each in found if each != unit)


def _telling(name: str) -> bool:
    return len(name) > 2 and name.lower() not in _COMMON


def _holding(project: Project, name: str, own: str) -> list[SourceFile]:
    """Files of code that hold a name, the unit's own first, then those nearest to it."""
    language = project.files[own].language
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    files = [file for file in project.survey.files if file.language is language and not file.test]
    ranked = sorted(files, key=lambda file: (file.path != own, -_shared(file.path, own), file.path))
    return [file for file in ranked if word.search(project.text(file.path))][:MAX_FILES]


def _shared(path: str, own: str) -> int:
    """How many folders two files have in common."""
    pairs = zip(path.split("/")[:-1], own.split("/")[:-1], strict=False)
    return sum(one == other for one, other in pairs)


def _lines_with(project: Project, path: str, operation: Operation, name: str) -> list[int]:
    """First lines of the nodes that do this with a name; a call over many lines counts once."""
    lines = sorted(line for line, said in index_of(project, path).items() if any(_is(each, operation, name) for each in said))
    return [line for line in lines if line - 1 not in lines]


def _is(entry: tuple[Operation, str], operation: Operation, name: str) -> bool:
    return entry[0] is operation and entry[1].rpartition(".")[2] == name


def distinct(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Units once, without those that lie inside another."""
    kept: list[Unit] = []
    for each in units:
        if not any(other.path == each.path and other.first <= each.first and each.last <= other.last for other in kept):
            kept.append(each)
    return tuple(kept)
