"""The code around a change: the units that it touches, their callers, their callees, and their tests.

Invariant: a call is resolved by imports, definitions or declared types, else by its name if the project defines that once; an
ambiguous name is left to the reader's own search. Bounded, most helpful first. Nothing here is under review; the protocol decides
whether a finding may be located there.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from counterproof.analysis.facts.named import around, definitions, uses
from counterproof.analysis.facts.syntax_index import index_of
from counterproof.analysis.facts.units import FUNCTION, Unit, unit_at
from counterproof.analysis.program.everyday import EVERYDAY
from counterproof.analysis.project import Project
from counterproof.analysis.review.call_targets import Target, targets_in
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.nearby import CODE, ground
from counterproof.model.fact import Operation

MAX_CALLERS = 40
MAX_CALLEES = 40
MAX_TESTS = 20
MIN_NAME = 3

CONVENTIONS = re.compile(r"(?:^|/)(?:AGENTS|CLAUDE|GEMINI|CONTRIBUTING|STYLE|CONVENTIONS|STYLEGUIDE)(?:\.\w{1,5})?\Z")
"""Documents with a project's coding conventions."""
_UNNAMED = frozenset(("__init__", "constructor", "__new__", "__post_init__"))
"""Functions that are called by the name of their class."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A unit, or a few lines outside every unit, with the reason for including it; `lines` are the relevant ones."""

    unit: Unit
    why: str
    lines: tuple[int, ...] = ()


def changed_units(view: View) -> tuple[Unit, ...]:
    """The innermost units with a changed line."""
    found: dict[Unit, None] = {}
    for path, file in view.files.items():
        for start, end in file.changed:
            for line in range(start, end + 1):
                unit = unit_at(view.project, path, line)
                if unit:
                    found[unit] = None
    return tuple(found)


def names_of(units: Iterable[Unit]) -> tuple[str, ...]:
    """The names by which other code calls these units."""
    names = (each.name.split(".")[-2] if each.short in _UNNAMED and "." in each.name else each.short for each in units)
    return tuple(dict.fromkeys(name for name in names if len(name) >= MIN_NAME and not name.startswith("__")))


def callers(view: View) -> tuple[Excerpt, ...]:
    """Units that call a changed one; first those whose callee has the fewest callers."""
    changed = _changed(view)
    found: dict[Unit, list[tuple[int, str]]] = {}
    for path, line, name in uses(ground(view), frozenset(names_of(changed)), tests=False):
        if not view.touches(path, line, line) and _may_call(view, path, line, name, changed):
            found.setdefault(around(view.project, path, line), []).append((line, name))
    spread = Counter(name for calls in found.values() for name in {name for _, name in calls})
    ranked = sorted(found.items(), key=lambda item: (min(spread[name] for _, name in item[1]), item[0].path, item[0].first))
    return tuple(_excerpt(unit, calls, "calls") for unit, calls in ranked[:MAX_CALLERS])


def _changed(view: View) -> tuple[Unit, ...]:
    return tuple(each for each in changed_units(view) if not view.project.files[each.path].test)


def _may_call(view: View, path: str, line: int, name: str, changed: tuple[Unit, ...]) -> bool:
    """Return True if a use of a name refers to a changed unit: by call resolution, or because the name is unique in the
    project."""
    calls = [each for each in targets_in(view.project, path) if each.name == name and each.first <= line <= each.last]
    meant = [each for each in calls if not each.open]
    if meant:
        return any(each.unit in changed or _makes(each, changed) for each in meant)
    only = _only(view, name)
    return only is not None and (only.kind == FUNCTION or bool(calls))  # naming a type is not a call


def _makes(call: Target, changed: tuple[Unit, ...]) -> bool:
    """Return True if a call creates an object of a class with a changed method."""
    return any(each.path == call.unit.path and each.name.startswith(f"{call.name}.") for each in changed) if call.unit else False


def callees(view: View) -> tuple[Excerpt, ...]:
    """Functions called on changed lines, then those called in the rest of the changed units."""
    direct: dict[Unit, None] = {}
    beside: dict[Unit, None] = {}
    for call, path in _calls(view):
        found = _only(view, call.name) if call.open else call.unit
        if found is not None and found.kind == FUNCTION and not _in_change(view, found):
            (direct if view.touches(path, call.first, call.last) else beside)[found] = None
    wanted = dict.fromkeys((*direct, *beside))
    return tuple(Excerpt(unit, f"`{unit.short}` is called by the change") for unit in wanted)[:MAX_CALLEES]


def _calls(view: View) -> list[tuple[Target, str]]:
    """The calls of changed units with their files; in a language without call resolution only their names."""

    def made() -> list[tuple[Target, str]]:
        found: dict[tuple[Target, str], None] = {}
        for unit in changed_units(view):
            calls = list(targets_in(view.project, unit.path))
            if view.project.files[unit.path].language not in CODE:
                lines = range(unit.first, unit.last + 1)
                named = ((line, name) for line in lines for name in _called(view.project, unit.path, line))
                calls = [Target(name.rpartition(".")[2], line, line, open=True) for line, name in named]
            found |= {(each, unit.path): None for each in calls if unit.holds(each.first)}
        return list(found)

    return view.project.once("review calls", made)


def _only(view: View, name: str) -> Unit | None:
    """The only unit of a name; None if there are several, or if the name is too common."""

    def made() -> dict[str, list[Unit]]:
        names = {*names_of(_changed(view)), *(each.name for each, _ in _calls(view) if each.open)}
        wanted = frozenset(each for each in names - EVERYDAY if len(each) >= MIN_NAME)
        return definitions(ground(view), wanted, tuple(view.files))

    found = view.project.once("review names", made).get(name, [])
    return found[0] if len(found) == 1 else None


def tests(view: View) -> tuple[Excerpt, ...]:
    """Test units that name a changed unit, those that name the most first."""
    names = frozenset(names_of(each for each in changed_units(view) if not view.project.files[each.path].test))
    found: dict[Unit, list[tuple[int, str]]] = {}
    for path, line, name in uses(view.project, names, tests=True):
        if path not in view.files:
            found.setdefault(around(view.project, path, line), []).append((line, name))
    ranked = sorted(found.items(), key=lambda item: (-len({name for _, name in item[1]}), item[0].path, item[0].first))
    return tuple(_excerpt(unit, calls, "tests") for unit, calls in ranked[:MAX_TESTS])


def conventions(project: Project, paths: Iterable[str]) -> tuple[str, ...]:
    """The project's coding conventions: at the root and in the folders above the files, nearest first."""
    folders = {"", *(folder for path in paths for folder in _above(path))}
    found = [path for path in project.files if CONVENTIONS.search(path) and path.rpartition("/")[0] in folders]
    return tuple(sorted(found, key=lambda path: (-path.count("/"), path)))


def _above(path: str) -> Iterator[str]:
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _excerpt(unit: Unit, calls: list[tuple[int, str]], verb: str) -> Excerpt:
    names = ", ".join(f"`{name}`" for name in dict.fromkeys(name for _, name in calls))
    return Excerpt(unit, f"{verb} {names}", tuple(dict.fromkeys(line for line, _ in calls)))


def _called(project: Project, path: str, line: int) -> list[str]:
    return sorted(name for operation, name in index_of(project, path).get(line, ()) if operation is Operation.CALL and name)


def _in_change(view: View, unit: Unit) -> bool:
    return view.touches(unit.path, unit.first, unit.last)
