"""Parsed Python in a plan: its imports, bound names and used names.

Invariant: it is parsed and never run; text that does not parse is not Python.
"""

import ast
import textwrap
import warnings
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Imported:
    """One name that a block imports from a module; `name` is '' for the module itself."""

    module: str
    name: str
    line: int


def parsed(text: str) -> ast.Module | None:
    """The parsed Python, or None. A part of a class is parsed as one."""
    if "\0" in text:
        return None
    plain = textwrap.dedent(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(plain)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def imports_of(tree: ast.Module, first: int) -> Iterator[Imported]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for each in node.names:
                yield Imported(node.module, each.name, first + node.lineno - 1)
        elif isinstance(node, ast.Import):
            for each in node.names:
                yield Imported(each.name, "", first + node.lineno - 1)


def bound_names(tree: ast.Module) -> Iterator[str]:
    """Every bound name; scopes are not distinguished, so that no bound name is reported as unbound."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names


def is_late(tree: ast.Module) -> bool:
    """Return True if a file postpones the evaluation of its annotations."""
    return any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)


def unread_annotations(tree: ast.Module, late: bool) -> Iterator[ast.expr]:
    """Annotations that are never evaluated: of local variables, and all if the file postpones their evaluation."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (each.annotation for each in ast.walk(node) if isinstance(each, ast.AnnAssign))
            yield from (node.returns,) if late and node.returns else ()
        elif late and isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation


def is_method(node: ast.stmt) -> bool:
    """Return True if a function takes `self` or `cls`, so that its class is not in the block."""
    first = node.args.args[:1] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
    return [each.arg for each in first] in (["self"], ["cls"])


def dotted(node: ast.expr) -> str:
    """`a.b.c`, or '' for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""
