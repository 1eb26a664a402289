"""Resolving calls to units of the project, by imports, definitions and declared types.

Invariant: a call of something outside the project has no target; an unresolved call is open, and left to the caller. Python is
resolved through the program model, JavaScript through file exports and constructor declarations.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.facts.units import FUNCTION, Unit, unit_at, units_of
from counterproof.analysis.program.program import Program
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.review.definitions import definitions
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import module_name as script_name
from counterproof.analysis.syntax.walk import dotted, last_name, walk
from counterproof.model.survey import Language


@dataclass(frozen=True, slots=True)
class Target:
    """One call. `unit` is its target, None if outside the project; `open`: the target is unknown."""

    name: str
    first: int
    last: int
    unit: Unit | None = None
    open: bool = False


def targets_in(project: Project, path: str) -> tuple[Target, ...]:
    """The calls of a file in a supported language, in source order; empty for others."""

    def made() -> tuple[Target, ...]:
        language = project.files[path].language
        if language is Language.PYTHON:
            return tuple(_python(project, path))
        return tuple(_script(project, path)) if language in SCRIPTS else ()

    return project.once(f"call targets {path}", made)


def _python(project: Project, path: str) -> Iterator[Target]:
    program = project.once("review program", lambda: Program(project))
    if not program.holds(path):
        return
    ground = program.file(path)
    for call in (node for node in walk(*ground.module.body) if isinstance(node, ir.Call)):
        name = last_name(call.callee)
        callees = program.callees(ground, call)
        if callees:
            place = callees[0]
            yield Target(name, call.line, call.end, unit_at(project, place.ground.path, place.function.line))
        elif isinstance(call.callee, ir.Attribute) and not _imported(ground.module, call.callee):
            yield Target(name, call.line, call.end, open=True)
        else:
            yield Target(name, call.line, call.end)


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
        yield _meant(project, module, call, fields.get(owner, {}))


def _declared(module: ir.Module, constructor: ir.Function) -> dict[str, str]:
    """The classes of a class's fields, as declared in its constructor."""
    typed = ((each.name, each.annotation) for each in constructor.parameters if each.annotation is not None)
    return {name: found for name, annotation in typed if (found := dotted(annotation, module))}


def _meant(project: Project, module: ir.Module, call: ir.Call, fields: dict[str, str]) -> Target:
    callee, name = call.callee, last_name(call.callee)
    meant = dotted(callee, module) or ""
    if meant.startswith("this.") and meant.count(".") == 2:
        meant = f"{fields.get(meant.split('.')[1], 'this')}.{name}"
    if isinstance(callee, ir.Name) and "." not in meant:
        return Target(name, call.line, call.end, _unit_in(project, module.path, name))
    if meant.startswith("/"):
        place = definitions(project).get(meant)
        file = place[0] if place else _file_of(project, meant)
        found = unit_at(project, place[0], place[1].line) if place else _unit_in(project, file, name)
        return Target(name, call.line, call.end, found)
    holder = callee.value if isinstance(callee, ir.Attribute) else None
    plain = isinstance(holder, ir.Attribute | ir.Name) and not meant.startswith("@") and not _imported_script(module, meant)
    return Target(name, call.line, call.end, open=plain)


def _imported_script(module: ir.Module, meant: str) -> bool:
    return any(meant == target or meant.startswith(f"{target}.") for target in module.imports.values())


def _file_of(project: Project, meant: str) -> str:
    """The file that an export's name starts with."""
    named = project.once("script files by name", lambda: {script_name(path): path for path in project.files})
    return named.get(meant.partition(".")[0], "")


def _unit_in(project: Project, path: str, name: str) -> Unit | None:
    found = [each for each in units_of(project, path) if each.short == name and each.kind == FUNCTION] if path else []
    return found[0] if len(found) == 1 else None
