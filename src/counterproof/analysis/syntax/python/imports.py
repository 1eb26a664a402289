"""Python imports: which name stands for which dotted name, relative imports resolved against the file's path.

Invariant: a relative import that climbs out of the tree keeps the rest of its name. Not handled here: looking modules up; that
is the project index's work.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.python.lowering import Lowering, StatementHandler
from counterproof.analysis.syntax.tree_walk import named, span


def _dotted(cx: Lowering, node: Node) -> str:
    return "".join(cx.text(node).split())


def _origin(cx: Lowering, node: Node) -> str:
    """The module of `from … import`, absolute."""
    written = _dotted(cx, node)
    rest = written.lstrip(".")
    level = len(written) - len(rest)
    if not level:
        return rest
    parts = cx.package.split(".") if cx.package else []
    kept = parts[: len(parts) - (level - 1)] if level - 1 <= len(parts) else []
    return ".".join([*kept, *([rest] if rest else [])])


def _record(cx: Lowering, names: list[tuple[str, str]]) -> None:
    table = cx.inner_imports if cx.scopes else cx.top_imports
    for alias, target in names:
        table[alias] = target


def _aliased(cx: Lowering, node: Node) -> tuple[str, str]:
    """(name, alias) of one imported thing; the alias is '' where none is given."""
    if node.type == "aliased_import":
        inner = named(node)
        return _dotted(cx, inner[0]), _dotted(cx, inner[-1])
    return _dotted(cx, node), ""


def _import(cx: Lowering, node: Node, depth: int) -> tuple[ir.Statement, ...]:
    names: list[tuple[str, str]] = []
    for child in named(node):
        name, alias = _aliased(cx, child)
        first = name.split(".", 1)[0]
        names.append((alias, name) if alias else (first, first))
    _record(cx, names)
    return (ir.Import(*span(node), tuple(names)),)


def _import_from(cx: Lowering, node: Node, depth: int) -> tuple[ir.Statement, ...]:
    origin_node, *rest = named(node) or [node]
    origin = _origin(cx, origin_node)
    names: list[tuple[str, str]] = []
    everything = ""
    for child in rest:
        if child.type == "wildcard_import":
            everything = origin
            cx.wildcards.append(origin)
            continue
        name, alias = _aliased(cx, child)
        names.append((alias or name, f"{origin}.{name}" if origin else name))
    _record(cx, names)
    return (ir.Import(*span(node), tuple(names), everything),)


def _future(cx: Lowering, node: Node, depth: int) -> tuple[ir.Statement, ...]:
    return ()


IMPORTS: dict[str, StatementHandler] = {
    "import_statement": _import,
    "import_from_statement": _import_from,
    "future_import_statement": _future,
}
