"""The part of a large tree that surrounds a change: data flow through everything else would cost minutes and concern nobody.

Always: what is under review, who imports it, and what those import; settings and manifests stay. Data comes into the change
through functions that name what changed, or one another on the way to it: they and those under review are followed for
themselves, all others where they are called. A tree of ordinary size is taken whole, and so is one of which a large part is under
review. That a part was taken is a limitation, told with its size.
"""

import re
from collections.abc import Iterator
from itertools import islice

from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.definitions import python_names
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.survey import Language

LARGE = 1_200
LARGE_LINES = 100_000
"""Source files, or lines of theirs, from which on only the surroundings are followed."""
MAX_FILES = 600
MAX_REVIEWED = 200
"""Files under review up to which their surroundings are still a part of the tree."""
MAX_IMPORTERS = 40
"""Those that name something which changed come first."""
MAX_CANDIDATES = 400
MAX_STEPS = 2
"""Calls between a function outside of the change and one of its own."""

_SPECIFIED = re.compile(r"""\b(?:from|import|require\s*\(|import\s*\()\s*["']([^"'\n]{1,300})["']""")

CODE = (Language.PYTHON, *SCRIPTS)


def ground(view: View) -> Project:
    """The project that data flow is followed in."""
    return view.project.once("review ground", lambda: _ground(view))


def _ground(view: View) -> Project:
    project = view.project
    code = [file.path for file in project.survey.files if file.language in CODE]
    reviewed = [path for path in view.files if project.files[path].language in CODE]
    lines = sum(project.files[path].lines for path in code)
    if (len(code) <= LARGE and lines <= LARGE_LINES) or len(reviewed) > MAX_REVIEWED:
        return project
    near, joined = _surroundings(view, reviewed, code)
    around = "the change" if all(view.files[path].changed for path in reviewed) else "what is under review"
    view.limitations.append(f"data flow was followed in {len(near):,} of {len(code):,} source files: those around {around}")
    kept = tuple(file for file in project.survey.files if not file.language or file.path in near or file.path in view.files)
    smaller = project.part(kept)
    smaller.unread = project.unread  # what of the part cannot be read is told with the whole
    smaller.followed = frozenset(_leading(view, smaller, [path for path in joined if not project.files[path].test]))
    return smaller


def _surroundings(view: View, changed: list[str], code: list[str]) -> tuple[frozenset[str], list[str]]:
    """The files around a change: what it uses and what that uses, those that import it, and what they import. Then those that
    share an import with it, which data passes through."""
    imports = _Imports(view.project)
    reviewed = frozenset(changed)
    using = (path for path in _ranked(view, _candidates(view.project, changed, code)) if imports.may_lead(path, reviewed))
    importers = tuple(islice(using, MAX_IMPORTERS))
    used = [target for path in changed for target in imports.of(path)]
    within = (target for path in dict.fromkeys((*used, *importers)) for target in imports.of(path))
    joined = dict.fromkeys((*changed, *importers, *used))
    near = frozenset(islice(dict.fromkeys((*joined, *within)), MAX_FILES))
    return near, [path for path in joined if path in near]


def _leading(view: View, part: Project, near: list[str]) -> set[tuple[str, int]]:
    """The functions under review, and all that can lead data to them by name: each names what changed, or the next on the way."""
    others = {place: each for path in near for place, each in _functions(part, path)}
    found = {place for place, (each, _) in others.items() if view.touches(place[0], each.line, each.end)}
    live = _changed_names(view)
    for _ in range(MAX_STEPS):
        named = re.compile(rf"\b(?:{'|'.join(sorted(live)) or '(?!)'})\b")
        reached = {place for place, (_, text) in others.items() if place not in found and named.search(text)}
        live = {name for place in reached if (name := _called_by(others[place][0])).isidentifier()}
        found |= reached
    return found


def _functions(project: Project, path: str) -> Iterator[tuple[tuple[str, int], tuple[ir.Function, str]]]:
    """The functions of a file by their place, each with the text of its body."""
    lines = project.text(path).split("\n")
    for each in project.module(path).functions:
        yield (path, each.line), (each, "\n".join(lines[each.line : each.end]) or lines[each.line - 1])


def _called_by(function: ir.Function) -> str:
    """The name that a call uses: of a method that is never called by its own, its class."""
    unnamed = function.name.startswith("__") or function.name == "constructor"
    return (function.owner if unnamed else function.name).rpartition(".")[2]


def _changed_names(view: View) -> set[str]:
    """What others could name of the change: its functions, the fields that they set, and what else it defines."""
    touched = list(view.functions(tests=False, scripts=True))
    fields = (name for module, each in touched for name in _fields(view, module.path, each))
    defined = (name for module in view.code() for name in _defined(view, module))
    return {name for name in (*(_called_by(each) for _, each in touched), *fields, *defined) if name.isidentifier()}


def _fields(view: View, path: str, function: ir.Function) -> Iterator[str]:
    for node in walk(*function.body):
        if isinstance(node, ir.Assign) and view.touches(path, node.line, node.end):
            yield from (target.name for target in node.targets if isinstance(target, ir.Attribute))


def _defined(view: View, module: ir.Module) -> Iterator[str]:
    """Names that a changed statement outside of functions gives a value to, and classes with such a statement."""
    for each in module.classes:
        if any(
            view.touches(module.path, part.line, part.end) for part in each.body if not isinstance(part, ir.Function | ir.Class)
        ):
            yield each.name
    for each in module.body:
        if isinstance(each, ir.Assign) and view.touches(module.path, each.line, each.end):
            yield from (target.id for target in each.targets if isinstance(target, ir.Name))


def _candidates(project: Project, changed: list[str], code: list[str]) -> list[str]:
    """Files with an import that names a file under review by its last word. Which file it leads to is not known yet."""
    stems = sorted({_stem(path) for path in changed})
    either = "|".join(map(re.escape, stems))
    pattern = re.compile(rf"^(?=[^\n]{{0,300}}\b(?:import|from|require)\b)[^\n]{{0,300}}\b(?:{either})\b", re.MULTILINE)
    found: list[str] = []
    for path in code:
        project.checkpoint()
        text = "" if project.files[path].test else project.text(path)
        if any(stem in text for stem in stems) and pattern.search(text):
            found.append(path)
        if len(found) >= MAX_CANDIDATES:
            break
    return found


def _ranked(view: View, candidates: list[str]) -> list[str]:
    """First those that name a function which changed, or its class: only they can call it by themselves."""
    touched = [each for _, each in view.functions(tests=False, scripts=True)]
    names = sorted({name for each in touched for name in (each.name, each.owner or "") if name.isidentifier()})
    named = re.compile(rf"\b(?:{'|'.join(names)})\b") if names else None
    return sorted(candidates, key=lambda path: not (named and named.search(view.project.text(path))))


def _stem(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] if stem in ("__init__", "index") else stem


class _Imports:
    """Where the imports of a file lead, by the file's own names."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._names = {
            name: file.path for file in project.of_language(Language.PYTHON) for name in python_names(project, file.path)
        }

    def of(self, path: str) -> list[str]:
        self._project.checkpoint()
        if self._project.files[path].language is not Language.PYTHON:
            return [each for each in self._specified(path).values() if each]
        module = self._project.module(path)
        names = [*module.imports.values(), *module.wildcards]
        reached = (self._names.get(name) or self._names.get(name.rpartition(".")[0]) for name in names)
        return [each for each in reached if each]

    def may_lead(self, path: str, wanted: frozenset[str]) -> bool:
        """Whether an import of a file leads to one of those, or names one of them and leads nowhere that is known."""
        if wanted & set(self.of(path)):
            return True
        stems = {_stem(each) for each in wanted}
        return any(stems & set(re.split(r"[./:]", name)) for name in self._unresolved(path))

    def _unresolved(self, path: str) -> list[str]:
        if self._project.files[path].language is not Language.PYTHON:
            return [name for name, file in self._specified(path).items() if not file]
        module = self._project.module(path)
        names = (*module.imports.values(), *module.wildcards)
        return [name for name in names if name not in self._names and name.rpartition(".")[0] not in self._names]

    def _specified(self, path: str) -> dict[str, str | None]:
        """The modules that a script names in its imports, and the files that they are: read from its text, unparsed."""
        resolver = self._project.scripts()
        return {name: resolver.file(path, name) for name in _SPECIFIED.findall(self._project.text(path))}
