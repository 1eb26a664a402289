"""Resolving calls to functions of the project, by imports, definitions and declared types; and the calls of a function.

Invariant: a call of something outside the project has no target; an unresolved call is open, and left to the caller. Python is
resolved through the program model, JavaScript through file exports and constructor declarations.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from counterproof.analysis.facts.units import FUNCTION, Unit, unit_at, units_of
from counterproof.analysis.program.program import Program
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.review.definitions import Place, define, only, script_of
from counterproof.analysis.review.import_targets import stem
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, last_name, walk
from counterproof.model.survey import Language

MAX_PARSED = 150
"""Files read for the calls of functions."""


@dataclass(frozen=True, slots=True)
class Target:
    """One call. `unit` is its target, None if outside the project; `open`: the target is unknown. `place` is the function, if
    that is certain, and `bound` says that its first parameter is the receiver."""

    name: str
    first: int
    last: int
    unit: Unit | None = None
    open: bool = False
    call: ir.Call | None = None
    place: Place | None = None
    bound: bool = False


def targets_in(project: Project, path: str) -> tuple[Target, ...]:
    """The calls of a file in a supported language, in source order; empty for others."""

    def made() -> tuple[Target, ...]:
        language = project.files[path].language
        if language is Language.PYTHON:
            return tuple(_python(project, path))
        return tuple(_script(project, path)) if language in SCRIPTS else ()

    return project.once(f"call targets {path}", made)


def calls_of(project: Project, places: Collection[Place]) -> Iterator[tuple[str, Target]]:
    """The calls of these functions, in files that name one of them and its file or folder."""
    wanted = {(path, function.line) for path, function in places}
    calls = _words({function.name for _, function in places}, r"\s*\(|\s+as\s+\w")
    named = _words({function.name for _, function in places})
    homes = _words({word for path, _ in places for word in (stem(path), path.rpartition("/")[0].rpartition("/")[2])})
    own = {path for path, _ in places}
    found = 0
    for file in project.survey.files:
        text = project.text(file.path) if file.language in (Language.PYTHON, *SCRIPTS) else ""
        if found >= MAX_PARSED or not (calls.search(text) and named.search(text) and (file.path in own or homes.search(text))):
            continue
        found += 1
        project.checkpoint()
        for each in targets_in(project, file.path):
            if each.place is not None and (each.place[0], each.place[1].line) in wanted:
                yield file.path, each


def _words(words: Collection[str], after: str = r"(?!\w)") -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(map(re.escape, filter(str.isidentifier, words)))) or '(?!)'})(?:{after})")


class _Certain(Program):
    """Without calls that only the name of a method resolves, which would take every file."""

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._callees = {}

    def _only_method(self, name: str) -> None:
        return None


def _python(project: Project, path: str) -> Iterator[Target]:
    program = project.once("review program", lambda: _Certain(project))
    ground = program.file(path)
    for call in (node for node in walk(*ground.module.body) if isinstance(node, ir.Call)):
        name = last_name(call.callee)
        callees = program.callees(ground, call)
        if callees:
            callee = callees[0]
            home, function = callee.ground.path, callee.function
            sure = only(project, home, function.qualified) if len(callees) == 1 else None
            yield Target(
                name, call.line, call.end, unit_at(project, home, function.line), call=call, place=sure, bound=callee.bound
            )
        else:
            unknown = isinstance(call.callee, ir.Attribute) and not _imported(ground.module, call.callee)
            yield Target(name, call.line, call.end, open=unknown, call=call)


def _imported(module: ir.Module, callee: ir.Attribute) -> bool:
    holder = callee.value
    while isinstance(holder, ir.Attribute):
        holder = holder.value
    return isinstance(holder, ir.Name) and holder.id in module.imports


def _script(project: Project, path: str) -> Iterator[Target]:
    module = project.module(path)
    fields = {each.owner: _declared(module, each) for each in module.functions if each.name == "__init__" and each.owner}
    around = sorted((each for each in module.functions if each.owner), key=lambda each: each.line)
    for call in (node for node in walk(*module.body) if isinstance(node, ir.Call)):
        owner = next((each.owner for each in reversed(around) if each.line <= call.line <= each.end), "")
        yield _meant(project, module, call, owner, fields.get(owner, {}))


def _declared(module: ir.Module, constructor: ir.Function) -> dict[str, str]:
    """The classes of a class's fields, as declared in its constructor."""
    typed = ((each.name, each.annotation) for each in constructor.parameters if each.annotation is not None)
    return {name: found for name, annotation in typed if (found := dotted(annotation, module))}


def _meant(project: Project, module: ir.Module, call: ir.Call, owner: str, fields: dict[str, str]) -> Target:
    callee, name = call.callee, last_name(call.callee)
    meant = dotted(callee, module) or ""
    if meant.startswith("this.") and meant.count(".") == 2:
        meant = f"{fields.get(meant.split('.')[1], 'this')}.{name}"
    place = define(project, meant, module.path) if meant.startswith("/") else None
    place = only(project, module.path, f"{owner}.{name}") if owner and meant == f"this.{name}" else place
    if place is not None:
        return Target(name, call.line, call.end, unit_at(project, place[0], place[1].line), call=call, place=place)
    home = script_of(project, meant) or (module.path if isinstance(callee, ir.Name) and "." not in meant else "")
    if home:
        return Target(name, call.line, call.end, _unit_in(project, home, name), call=call)
    holder = callee.value if isinstance(callee, ir.Attribute) else None
    plain = isinstance(holder, ir.Attribute | ir.Name) and not meant.startswith(("@", "/"))
    return Target(name, call.line, call.end, open=plain and not _imported_script(module, meant), call=call)


def _imported_script(module: ir.Module, meant: str) -> bool:
    return any(meant == target or meant.startswith(f"{target}.") for target in module.imports.values())


def _unit_in(project: Project, path: str, name: str) -> Unit | None:
    found = [each for each in units_of(project, path) if each.short == name and each.kind == FUNCTION]
    return found[0] if len(found) == 1 else None
