"""Functions of a project whose result a handler answers with as it is: `return looked_up(name)`.

Always holds: one step from the handler, directly, through one variable or inside a known answer. Does not belong here: what the
functions do.
"""

from collections.abc import Iterator

from counterproof.analysis.control.answers import called, shown
from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.syntax.ir import Await, Call, Expr, Function
from counterproof.model.recon import EntryKind, EntryPoint


def handed_on(codebase: Codebase, entries: tuple[EntryPoint, ...]) -> frozenset[int]:
    """The functions, by identity."""
    return codebase.remembered(("handed on",), lambda: frozenset(_found(codebase, entries)))


def _found(codebase: Codebase, entries: tuple[EntryPoint, ...]) -> Iterator[int]:
    for each in entries:
        outline = codebase.outline(each.handler.path) if each.handler.path in codebase.paths else None
        function = outline.functions.get(each.name) if outline is not None and each.kind is EntryKind.HTTP else None
        if outline is not None and function is not None:
            yield from _answering(codebase, outline, function)


def _answering(codebase: Codebase, outline: Outline, function: Function) -> Iterator[int]:
    for node in shown(outline, function):
        call = _call(node)
        if call is not None and called(call):
            found = codebase.meaning(outline, call.callee, function)
            if found is not None and isinstance(found.node, Function):
                yield id(found.node)


def _call(node: Expr) -> Call | None:
    inner = node.value if isinstance(node, Await) else node
    return inner if isinstance(inner, Call) else None
