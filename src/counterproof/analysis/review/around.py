"""What stands around a change, as code: the units that it touches, who calls them, whom they call, their types and their tests.

Always: by names and grammar, in every language that has one here; where imports say what a call means (Python), those come first.
A name that many places define is too common to say whom it means, and is left to the reader's own search. Bounded, in the order
of what helps most. Nothing here is under review; whether a finding may stand there is the protocol's.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from counterproof.analysis.facts.named import around, definitions, uses
from counterproof.analysis.facts.syntax_index import index_of
from counterproof.analysis.facts.units import FUNCTION, TYPE, Unit, unit_at
from counterproof.analysis.project import Project
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.nearby import ground
from counterproof.model.fact import Operation

MAX_CALLERS = 40
MAX_CALLEES = 40
MAX_TYPES = 20
MAX_TESTS = 20
COMMON = 4
"""Places that define one name, from which on it says nothing."""
MIN_NAME = 3

CONVENTIONS = re.compile(r"(?:^|/)(?:AGENTS|CLAUDE|GEMINI|CONTRIBUTING|STYLE|CONVENTIONS|STYLEGUIDE)(?:\.\w{1,5})?\Z")
"""Documents in which a project says how its code is written."""
_TYPE_NAME = re.compile(r"\b[A-Z][A-Za-z0-9_]{2,}\b")
_UNNAMED = frozenset(("__init__", "constructor", "__new__", "__post_init__"))
"""Functions that are called by the name of their class."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A unit, or a few lines outside every unit, with why it is here: `lines` are those that matter in it."""

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
    """The names by which others call these units."""
    names = (each.name.split(".")[-2] if each.short in _UNNAMED and "." in each.name else each.short for each in units)
    return tuple(dict.fromkeys(name for name in names if len(name) >= MIN_NAME and not name.startswith("__")))


def callers(view: View) -> tuple[Excerpt, ...]:
    """Units that call a changed one, those that imports lead to first, then by how seldom the name is called."""
    names = frozenset(names_of(each for each in changed_units(view) if not view.project.files[each.path].test))
    sure = {(each.at.path, each.at.start) for each in view.scope.neighbours if each.relation == "caller"}
    found: dict[Unit, list[tuple[int, str]]] = {}
    for path, line, name in uses(ground(view), names, tests=False):
        if not view.touches(path, line, line):
            found.setdefault(around(view.project, path, line), []).append((line, name))
    spread = Counter(name for calls in found.values() for name in {name for _, name in calls})
    ranked = sorted(
        found.items(),
        key=lambda item: (
            not any((item[0].path, line) in sure for line, _ in item[1]),
            min(spread[name] for _, name in item[1]),
            item[0].path,
            item[0].first,
        ),
    )
    return tuple(_excerpt(unit, calls, "calls") for unit, calls in ranked[:MAX_CALLERS])


def callees(view: View) -> tuple[Excerpt, ...]:
    """Functions that changed lines call, and then those that the rest of the changed units calls."""
    direct: dict[str, None] = {}
    beside: dict[str, None] = {}
    for unit in changed_units(view):
        for line in range(unit.first, unit.last + 1):
            named = [name.rpartition(".")[2] for name in _called(view.project, unit.path, line)]
            (direct if view.touches(unit.path, line, line) else beside).update(dict.fromkeys(named))
    wanted = [name for name in (*direct, *beside) if len(name) >= MIN_NAME]
    return tuple(Excerpt(unit, f"`{unit.short}` is called by the change") for unit in _defined(view, wanted, FUNCTION))[
        :MAX_CALLEES
    ]


def types(view: View) -> tuple[Excerpt, ...]:
    """Types that the changed units name."""
    words: dict[str, None] = {}
    for unit in changed_units(view):
        text = "\n".join(view.project.text(unit.path).split("\n")[unit.first - 1 : unit.last])
        words.update(dict.fromkeys(_TYPE_NAME.findall(text)))
    return tuple(Excerpt(unit, f"`{unit.short}` is named in the change") for unit in _defined(view, list(words), TYPE))[
        :MAX_TYPES
    ]


def tests(view: View) -> tuple[Excerpt, ...]:
    """Test units that name a changed unit, those that name most of them first."""
    names = frozenset(names_of(each for each in changed_units(view) if not view.project.files[each.path].test))
    found: dict[Unit, list[tuple[int, str]]] = {}
    for path, line, name in uses(view.project, names, tests=True):
        if path not in view.files:
            found.setdefault(around(view.project, path, line), []).append((line, name))
    ranked = sorted(found.items(), key=lambda item: (-len({name for _, name in item[1]}), item[0].path, item[0].first))
    return tuple(_excerpt(unit, calls, "tests") for unit, calls in ranked[:MAX_TESTS])


def conventions(project: Project, paths: Iterable[str]) -> tuple[str, ...]:
    """The project's own rules for its code: those at the root and in the folders above the files, nearest first."""
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


def _defined(view: View, names: list[str], kind: str) -> Iterator[Unit]:
    """Units of these names outside the change, in the order of the names; of two places the one nearer to the change."""
    table = definitions(ground(view), frozenset(names), tuple(view.files))
    for name in names:
        places = [each for each in table.get(name, ()) if each.kind == kind and not _in_change(view, each)]
        if 0 < len(places) < COMMON:
            yield places[0]


def _in_change(view: View, unit: Unit) -> bool:
    return view.touches(unit.path, unit.first, unit.last)
