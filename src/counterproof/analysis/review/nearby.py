"""The part of a large tree around a change: data flow through the rest would take minutes without relevant results.

Invariant: includes the files under review, their importers, and what those import, in a few steps; settings and manifests are
kept. Data enters the change through the functions under review and those that name something they define; callees are followed
from there. A tree of ordinary size is used completely, and so is one of which a large part is under review. Using only a part is
a limitation, reported with its size.
"""

import re
from collections.abc import Iterator
from itertools import islice

from counterproof.analysis.project import SCRIPTS, Followed, Project
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.import_targets import Imports, stem
from counterproof.analysis.review.unified import older_project
from counterproof.analysis.syntax import ir
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
"""Functions that use a word, up to which it refers to the changed definition of that name in files without an import of it."""
STEPS = 2
"""Imports between a file and one under review or an importer of it, and calls between a function outside the change and one
inside."""

CODE = (Language.PYTHON, *SCRIPTS)
_SET = re.compile(r"(?:^(?:export\s+)?(?:(?:const|let|var)\s+)?|\.)([A-Za-z_$][\w$]*)\s*(?::[^=\n]{1,80})?=(?![=>])")
"""A name of a module, or a field, that a line sets."""


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
    near = list(dict.fromkeys((*reviewed, *importers)))
    entrances = [path for path in dict.fromkeys((*near, *_imported(reviewed, imports))) if not project.files[path].test]
    for _ in range(STEPS):
        near = list(islice(dict.fromkeys((*near, *_imported(near, imports))), MAX_FILES))
    around = "the change" if all(view.files[path].changed for path in reviewed) else "what is under review"
    view.limitations.append(f"data flow was followed in {len(near):,} of {len(code):,} source files: those around {around}")
    kept = tuple(file for file in project.survey.files if not file.language or file.path in near or file.path in view.files)
    smaller = project.part(kept)
    smaller.unread = project.unread  # unreadable files of the part are reported with the whole
    smaller.followed = _followed(view, entrances, {*reviewed, *importers})
    return smaller


def _imported(paths: list[str], imports: Imports) -> Iterator[str]:
    return (target for path in paths for target in imports.of(path))


def older_ground(view: View) -> Project:
    """The same part of the tree in its older version: followed functions were in other places."""
    newer = ground(view)
    older = older_project(newer, view.before)
    if newer.followed is not None:
        now = {*newer.followed.reviewed, *newer.followed.leading}
        names = {(path, each.qualified) for path, _ in now for place, each in _functions(newer, path) if place in now}
        code = [path for path in view.before if path in older.files and older.files[path].language in CODE]
        then = {place for path in code for place, each in _functions(older, path) if (path, each.qualified) in names}
        gone = {place for path in set(code) - set(newer.files) for place, _ in _functions(older, path)}
        older.followed = Followed(frozenset(then | gone), frozenset(place for place in now if place[0] not in view.before))
    return older


def _importers(view: View, reviewed: list[str], code: list[str], imports: Imports) -> list[str]:
    """The files that import one under review; those that name what it changes come first."""
    wanted, named = set(reviewed), _changed_names(view)
    candidates = sorted(_candidates(view.project, reviewed, code), key=lambda path: not named.search(view.project.text(path)))
    return list(islice((path for path in candidates if wanted & set(imports.of(path))), MAX_IMPORTERS))


def _candidates(project: Project, changed: list[str], code: list[str]) -> list[str]:
    """Files with an import whose last word names a file under review. Where it leads is not resolved yet."""
    either = "|".join(map(re.escape, sorted({stem(path) for path in changed})))
    pattern = re.compile(rf"^(?=[^\n]{{0,300}}\b(?:import|from|require)\b)[^\n]{{0,300}}\b(?:{either})\b", re.MULTILINE)
    found: list[str] = []
    for path in code:
        project.checkpoint()
        if not project.files[path].test and pattern.search(project.text(path)):
            found.append(path)
        if len(found) >= MAX_CANDIDATES:
            break
    return found


def _followed(view: View, paths: list[str], close: set[str]) -> Followed:
    """The functions under review, and those that name something that they define, or the next function on the way. A common word
    counts only in the files under review and their importers."""
    lines = {path: view.project.text(path).split("\n") for path in paths}
    others = {place: each for path in paths for place, each in _functions(view.project, path)}
    reviewed = frozenset(place for place, each in others.items() if view.touches(place[0], each.line, each.end))
    found, named = set(reviewed), _changed_names(view)
    for _ in range(STEPS):
        using: dict[str, list[tuple[str, int]]] = {}
        for (path, line), each in others.items():
            text = "\n".join(lines[path][each.line : each.end]) or lines[path][each.line - 1]
            for name in set(named.findall(text)) if (path, line) not in found else ():
                using.setdefault(name, []).append((path, line))
        reached = {place for places in using.values() for place in places if len(places) <= MAX_NAMING or place[0] in close}
        named = _any_of({_called_by(others[place]) for place in reached})
        found |= reached
    return Followed(reviewed, frozenset(found - reviewed))


def _changed_names(view: View) -> re.Pattern[str]:
    """The names that other code could use: changed functions and their classes, and names that changed lines set."""
    names = {_called_by(each) for _, each in view.functions(tests=False, scripts=True)}
    for path, file in view.files.items():
        text = view.project.text(path).split("\n") if view.project.files[path].language in CODE else []
        names |= {name for low, high in file.changed for line in text[low - 1 : high] for name in _SET.findall(line)}
    return _any_of(names)


def _any_of(names: set[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(each for each in names if each.isidentifier())) or '(?!)'})\b")


def _functions(project: Project, path: str) -> Iterator[tuple[tuple[str, int], ir.Function]]:
    """The functions of a file by their place."""
    return (((path, each.line), each) for each in project.module(path).functions)


def _called_by(function: ir.Function) -> str:
    """The name in a call: the class's for a method that is never called by its own name."""
    constructs = function.name.startswith("__") or function.name == "constructor"
    return (function.owner if constructs else function.name).rpartition(".")[2]
