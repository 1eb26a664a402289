"""Traversing a lowered file: every node below a node, in source order, and resolved names: `from flask import request as r;
r.args.get` is `flask.request.args.get`.

Invariant: each node is visited once, parents before children, without recursion; names are resolved only from the file's imports
and definitions, never guessed. Not handled here: choosing relevant nodes, and local variables that shadow an import; the flow
engine follows those.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, get_args, get_type_hints

from counterproof.analysis.syntax import ir


@cache
def parts_of(kind: type[ir.Node]) -> tuple[tuple[str, bool], ...]:
    """The fields of a node type that can contain nodes, and whether they contain several; all others are skipped."""
    hints = get_type_hints(kind)
    return tuple((each.name, _is_many(hints[each.name])) for each in fields(kind) if _can_hold_nodes(hints[each.name]))


def _can_hold_nodes(hint: Any) -> bool:
    if isinstance(hint, type) and issubclass(hint, ir.Node):
        return True
    return any(_can_hold_nodes(each) for each in get_args(hint))


def _is_many(hint: Any) -> bool:
    return getattr(hint, "__origin__", None) is tuple


_Inside = Callable[[Any], list[ir.Node]]
_OPERANDS: _Inside = lambda node: [*node.operands]  # noqa: E731
_PARTS: _Inside = lambda node: [*node.parts]  # noqa: E731

INSIDE: dict[type[ir.Node], _Inside] = {
    ir.Argument: lambda node: [node.value],
    ir.Attribute: lambda node: [node.value],
    ir.Binary: _OPERANDS,
    ir.Boolean: _OPERANDS,
    ir.Branch: lambda node: [node.test, *node.body],
    ir.Call: lambda node: [node.callee, *node.arguments],
    ir.Compare: _OPERANDS,
    ir.Concat: _PARTS,
    ir.ExprStatement: lambda node: [node.value],
    ir.Format: _PARTS,
    ir.If: lambda node: [*node.branches, *node.otherwise],
    ir.Index: lambda node: [node.value, node.key],
    ir.Mapping: lambda node: [part for entry in node.entries for part in entry if part is not None],
    ir.Sequence: lambda node: [*node.items],
}
"""The children of the most common kinds of node, written out for speed; and mappings, whose field types do not show their
nodes.
"""


def children(node: ir.Node) -> list[ir.Node]:
    """The nodes directly inside this one, in source order."""
    kind = type(node)
    inside = INSIDE.get(kind)
    if inside is not None:
        return inside(node)
    found: list[ir.Node] = []
    for name, many in parts_of(kind):
        value: Any = getattr(node, name)
        if many:
            found += value
        elif value is not None:
            found.append(value)
    return found


LEAVES = frozenset({ir.Name, ir.Const})
"""Kinds without children, nearly half of all nodes; testing for them saves time."""

_ONE_INSIDE: dict[type[ir.Node], Callable[[Any], ir.Node | None]] = {
    kind: attrgetter(parts_of(kind)[0][0])
    for kind in (ir.Attribute, ir.Argument, ir.ExprStatement, ir.Return, ir.Not, ir.Await, ir.Raise)
}
"""Kinds with at most one child, and how to read it. With the leaves they are three of four nodes."""


def walk(*roots: ir.Node) -> Iterator[ir.Node]:
    """The given nodes and everything below them, including nested functions and classes."""
    pending = list(reversed(roots))
    while pending:
        current = pending.pop()
        yield current
        kind = type(current)
        if kind in LEAVES:
            continue
        inside_of = _ONE_INSIDE.get(kind)
        if inside_of is None:
            inside = children(current)
            inside.reverse()
            pending += inside
        elif (only := inside_of(current)) is not None:
            pending.append(only)


def calls(module: ir.Module) -> Iterator[ir.Call]:
    """Every call of a file."""
    return (node for node in walk(*module.body) if isinstance(node, ir.Call))


def functions_around(module: ir.Module, line: int) -> list[ir.Function]:
    """The functions that enclose a line, innermost first."""
    around = (each for each in module.functions if each.line <= line <= each.end)
    return sorted(around, key=lambda each: (-each.line, each.end))


def module_name(path: str) -> tuple[str, str]:
    """Dotted name of a file, and of the package from which its relative imports start."""
    parts = path.removesuffix(".pyi").removesuffix(".pyw").removesuffix(".py").split("/")
    if parts[-1] == "__init__":
        return ".".join(parts[:-1]), ".".join(parts[:-1])
    return ".".join(parts), ".".join(parts[:-1])


def dotted(expr: ir.Expr, module: ir.Module) -> str | None:
    """The dotted name of an expression of names and attributes, with imports resolved; None for anything else.

    A function or class of the file itself gets the module's name as prefix. Other names are unchanged, so builtins are returned
    as written (`eval`), and so are variables (`app.run`)."""
    first, *rest = spelled(expr).split(".")
    return ".".join((resolved_name(first, module), *rest)) if first else None


def spelled(expr: ir.Expr) -> str:
    """An expression of names and attributes as written, before imports are resolved; '' for anything else."""
    names: list[str] = []
    while isinstance(expr, ir.Attribute):
        names.append(expr.name)
        expr = expr.value
    return ".".join((expr.id, *reversed(names))) if isinstance(expr, ir.Name) else ""


def resolved_name(name: str, module: ir.Module) -> str:
    """One name, resolved by the file's imports and definitions."""
    if name in module.imports:
        return module.imports[name]
    return f"{module.name}.{name}" if name in _own_names(module) else name


@lru_cache(maxsize=16)
def _own_names(module: ir.Module) -> frozenset[str]:
    """The names that the file defines; cached for the last few files, because files are processed one after the other."""
    return frozenset(each.qualified for each in (*module.functions, *module.classes))


def last_name(expr: ir.Node | None) -> str:
    """The name itself, or the last part of a dotted one; '' for anything else."""
    if isinstance(expr, ir.Name):
        return expr.id
    return expr.name if isinstance(expr, ir.Attribute) else ""


def is_pattern(expr: ir.Expr) -> bool:
    """A regular expression literal."""
    return (
        isinstance(expr, ir.Call)
        and isinstance(expr.callee, ir.Attribute)
        and isinstance(expr.callee.value, ir.Name)
        and expr.callee.value.id == "<re>"
    )
