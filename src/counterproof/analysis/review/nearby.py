"""The part of a large tree around a change: data flow through the rest would take minutes without relevant results.

Invariant: includes the files under review, their importers, and what those import; settings and manifests are kept. Data enters
the change through functions that name changed code, or each other on the way to it: they and those under review are followed
completely, callees of those under review to any depth, other callees only a few levels. A tree of ordinary size is used
completely, and so is one of which a large part is under review. Using only a part is a limitation, reported with its size.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from counterproof.analysis.project import SCRIPTS, Followed, Project
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.import_targets import Imports, stem
from counterproof.analysis.review.unified import older_project
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.survey import Language

LARGE = 1_200
LARGE_LINES = 100_000
"""Source files, or lines, from which on only the surroundings are followed."""
MAX_FILES = 600
MAX_REVIEWED = 200
"""Files under review up to which only their surroundings are used."""
MAX_IMPORTERS = 40
"""Limit on importing files; those that name changed code come first."""
MAX_CANDIDATES = 400
MAX_NAMING = 15
"""Functions that use a word, up to which it refers to the changed definition of that name."""
MAX_STEPS = 2
"""Calls between a function outside the change and one inside."""

CODE = (Language.PYTHON, *SCRIPTS)


def ground(view: View) -> Project:
    """The project for data flow."""
    return view.project.once("review ground", lambda: _ground(view))


def _ground(view: View) -> Project:
    project = view.project
    code = [file.path for file in project.survey.files if file.language in CODE]
    reviewed = [path for path in view.files if project.files[path].language in CODE]
    lines = sum(project.files[path].lines for path in code)
    if (len(code) <= LARGE and lines <= LARGE_LINES) or len(reviewed) > MAX_REVIEWED:
        return project
    imports = Imports(project)
    importers = _importers(view, reviewed, code, imports)
    joined = dict.fromkeys((*reviewed, *importers, *(target for path in reviewed for target in imports.of(path))))
    followed = _leading(view, [path for path in joined if not project.files[path].test], imports)
    near = _around(reviewed, importers, imports)
    around = "the change" if all(view.files[path].changed for path in reviewed) else "what is under review"
    view.limitations.append(f"data flow was followed in {len(near):,} of {len(code):,} source files: those around {around}")
    kept = tuple(file for file in project.survey.files if not file.language or file.path in near or file.path in view.files)
    smaller = project.part(kept)
    smaller.unread = project.unread  # unreadable files of the part are reported with the whole
    smaller.followed = followed
    return smaller


def older_ground(view: View) -> Project:
    """The same part of the tree in its older version: changed functions were in other places, or different."""
    newer = ground(view)
    older = older_project(newer, view.before)
    if newer.followed is not None:
        now = {*newer.followed.reviewed, *newer.followed.leading}
        code = [path for path in view.before if (newer.files.get(path) or older.files[path]).language in CODE]
        texts = {path: newer.text(path) for path in code if path in newer.files}
        names = {(path, each.qualified) for path in texts for place, (each, _) in _functions(newer, path) if place in now}
        then = (
            place
            for path in code
            if path in older.files
            for place, (each, text) in _functions(older, path)
            if (path, each.qualified) in names or text not in texts.get(path, "")
        )
        older.followed = Followed(frozenset(then), frozenset(place for place in now if place[0] not in view.before))
    return older


def _importers(view: View, reviewed: list[str], code: list[str], imports: Imports) -> list[str]:
    wanted = frozenset(reviewed)
    using = (path for path in _ranked(view, _candidates(view.project, reviewed, code)) if imports.may_lead(path, wanted))
    return list(islice(using, MAX_IMPORTERS))


def _around(reviewed: list[str], importers: list[str], imports: Imports) -> frozenset[str]:
    """The files under review and their importers, with the files that they import; for those under review also what these
    import."""
    first = dict.fromkeys(target for path in reviewed for target in imports.of(path))
    second = (target for path in (*first, *importers) for target in imports.of(path))
    return frozenset(islice(dict.fromkeys((*reviewed, *importers, *first, *second)), MAX_FILES))


def _leading(view: View, near: list[str], imports: Imports) -> Followed:
    """The functions under review, and all that can lead data to them by name: each names changed code, or the next function on
    the way."""
    others = {place: each for path in near for place, each in _functions(view.project, path)}
    reviewed = frozenset(place for place, (each, _) in others.items() if view.touches(place[0], each.line, each.end))
    found = set(reviewed)
    live = _changed_names(view)
    for _ in range(MAX_STEPS):
        texts = {place: text for place, (_, text) in others.items() if place not in found}
        reached = _naming(live, texts, imports)
        live = _by_name((name, place[0]) for place in reached if (name := _called_by(others[place][0])).isidentifier())
        found |= reached
    return Followed(reviewed, frozenset(found - reviewed))


def _naming(live: dict[str, set[str]], texts: dict[tuple[str, int], str], imports: Imports) -> set[tuple[str, int]]:
    """The functions that use one of these names. A common word counts only if the defining file is imported."""
    either = re.compile(rf"\b(?:{'|'.join(sorted(live)) or '(?!)'})\b")
    uses: dict[str, list[tuple[str, int]]] = {}
    for place, text in texts.items():
        for name in dict.fromkeys(either.findall(text)):
            uses.setdefault(name, []).append(place)
    return {
        place
        for name, places in uses.items()
        for place in places
        if len(places) <= MAX_NAMING or place[0] in live[name] or not live[name].isdisjoint(imports.reached(place[0]))
    }


def _by_name(named: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Files by the names that they define."""
    found: dict[str, set[str]] = {}
    for name, path in named:
        found.setdefault(name, set()).add(path)
    return found


def _functions(project: Project, path: str) -> Iterator[tuple[tuple[str, int], tuple[ir.Function, str]]]:
    """The functions of a file by their place, each with the text of its body."""
    lines = project.text(path).split("\n")
    for each in project.module(path).functions:
        yield (path, each.line), (each, "\n".join(lines[each.line : each.end]) or lines[each.line - 1])


def _called_by(function: ir.Function) -> str:
    """The name in a call: the class's for a method that is never called by its own name."""
    return (function.owner if _is_constructor(function) else function.name).rpartition(".")[2]


def _is_constructor(function: ir.Function) -> bool:
    return function.name.startswith("__") or function.name == "constructor"


def _changed_names(view: View) -> dict[str, set[str]]:
    """The changed names that other code could use: functions, fields that they set, and other definitions; with their files."""
    touched = list(view.functions(tests=False, scripts=True))
    called = ((_called_by(each), module.path) for module, each in touched)
    fields = ((name, module.path) for module, each in touched for name in _fields(view, module.path, each))
    defined = ((name, module.path) for module in _code(view) for name in _defined(view, module))
    return _by_name((name, path) for name, path in (*called, *fields, *defined) if name.isidentifier())


def _code(view: View) -> Iterator[ir.Module]:
    """The code files under review, without tests."""
    files = (file for path in view.files if (file := view.project.files.get(path)) is not None)
    return (view.project.module(file.path) for file in files if file.language in CODE and not file.test)


def _fields(view: View, path: str, function: ir.Function) -> Iterator[str]:
    for node in walk(*function.body):
        if isinstance(node, ir.Assign) and view.touches(path, node.line, node.end):
            yield from (target.name for target in node.targets if isinstance(target, ir.Attribute))


def _defined(view: View, module: ir.Module) -> Iterator[str]:
    """Names assigned by changed statements outside functions, and classes with such a statement."""
    for each in module.classes:
        if any(
            view.touches(module.path, part.line, part.end) for part in each.body if not isinstance(part, ir.Function | ir.Class)
        ):
            yield each.name
    for each in module.body:
        if isinstance(each, ir.Assign) and view.touches(module.path, each.line, each.end):
            yield from (target.id for target in each.targets if isinstance(target, ir.Name))


def _candidates(project: Project, changed: list[str], code: list[str]) -> list[str]:
    """Files with an import whose last word names a file under review. Where it leads is not resolved yet."""
    stems = sorted({stem(path) for path in changed})
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
    """First the files that name a changed function, or its class: only they can call it directly."""
    touched = [each for _, each in view.functions(tests=False, scripts=True)]
    names = sorted({name for each in touched for name in (each.name, each.owner or "") if name.isidentifier()})
    named = re.compile(rf"\b(?:{'|'.join(names)})\b") if names else None
    return sorted(candidates, key=lambda path: not (named and named.search(view.project.text(path))))
