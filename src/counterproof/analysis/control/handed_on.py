"""Functions of a project whose result a handler answers with as it is: `return looked_up(name)`.

Always holds: one step from the handler, directly, through one variable or inside a known answer. Does not belong here: what the
functions do.
"""

from collections.abc import Iterator

from counterproof.analysis.control.answers import shown
from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.program.codebase import Codebase, codebase_of
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import called
from counterproof.analysis.project import Project
from counterproof.analysis.reuse import named, valued
from counterproof.analysis.syntax.ir import Await, Call, Expr, Function
from counterproof.model.recon import EntryKind, EntryPoint


def is_handed_on(project: Project, path: str, function: Function) -> bool:
    """Whether a handler answers with the result of this function of a file."""
    project.notes.value(named("handed on", path))
    return (function.line, function.qualified) in _by_file(project).get(path, frozenset[tuple[int, str]]())


@valued("handed on")
def _value(project: Project, path: str) -> object:
    return sorted(_by_file(project).get(path, ()))


def _by_file(project: Project) -> dict[str, frozenset[tuple[int, str]]]:
    """Lines and names of the functions."""

    def sorted_out() -> dict[str, frozenset[tuple[int, str]]]:
        found: dict[str, set[tuple[int, str]]] = {}
        with project.notes.apart():
            for path, function in _found(codebase_of(project), entry_points(project)):
                found.setdefault(path, set()).add((function.line, function.qualified))
        return {path: frozenset(there) for path, there in found.items()}

    return project.once("functions that handlers hand on", sorted_out)


def _found(codebase: Codebase, entries: tuple[EntryPoint, ...]) -> Iterator[tuple[str, Function]]:
    for each in entries:
        outline = codebase.outline(each.handler.path) if each.handler.path in codebase.paths else None
        function = outline.functions.get(each.name) if outline is not None and each.kind is EntryKind.HTTP else None
        if outline is not None and function is not None:
            yield from _answering(codebase, outline, function)


def _answering(codebase: Codebase, outline: Outline, function: Function) -> Iterator[tuple[str, Function]]:
    for node in shown(outline, function):
        call = _call(node)
        if call is not None and called(call):
            found = codebase.meaning(outline, call.callee, function)
            if found is not None and isinstance(found.node, Function):
                yield found.path, found.node


def _call(node: Expr) -> Call | None:
    inner = node.value if isinstance(node, Await) else node
    return inner if isinstance(inner, Call) else None
