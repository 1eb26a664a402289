"""How a framework is described: how it is recognised and how its entry points are found.

A framework whose routes are decorators is described by its library file alone. Any other is one file in `frameworks/` that
defines `CONVENTION`; no other file needs a change.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from counterproof.analysis.endpoints.verdict import Verdict
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.syntax.ir import Attribute, Class, Const, Expr, Function, Name, Node
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint

MAX_PATH = 200
VERBS = ("get", "post", "put", "patch", "delete", "head", "options", "trace")


@dataclass(frozen=True, slots=True)
class Convention:
    """`packages` are distribution names, `imports` the imported top-level modules. `web` marks web frameworks."""

    name: str
    packages: tuple[str, ...]
    imports: tuple[str, ...]
    find: Callable[[Codebase], Iterable[EntryPoint]]
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Handler:
    """The code behind an entry point: a function, a class, or the line that names something outside the project."""

    outline: Outline
    node: Node
    name: str


def handler_of(found: Definition | None, outline: Outline, expr: Expr) -> Handler:
    """The definition if there is one, else the location where the handler is named."""
    if found and isinstance(found.node, Function | Class):
        return Handler(found.outline, found.node, found.node.qualified)
    return Handler(outline, expr, outline.dotted(expr) or "<expression>")


def entry(kind: EntryKind, method: str, path: str, handler: Handler, framework: str, verdict: Verdict) -> EntryPoint:
    return EntryPoint(kind, method, path, at(handler.outline.path, handler.node.line), handler.name, framework, *verdict.parts)


def joined(prefix: str, path: str) -> str:
    """Join two parts of a URL path with one slash."""
    if not prefix:
        return path or "/"
    return prefix.rstrip("/") + ("/" + path.lstrip("/") if path else "")


def route_text(codebase: Codebase, outline: Outline, expr: Expr | None, function: Function | None = None) -> str | None:
    """The path that an expression evaluates to: a literal, a constant, or the literal parts of a built string.

    None only if there is no expression: a route with a path computed at run time is still a route."""
    if expr is None:
        return None
    text = text_of(expr)
    if text is not None:
        return text
    found = codebase.meaning(outline, expr, function) if isinstance(expr, Name | Attribute) else None
    value = found.node if found else expr
    if isinstance(value, Const):
        return value.value if isinstance(value.value, str) else ""
    if isinstance(value, Function | Class):
        return ""
    parts = [part for node in walk(value) if (part := text_of(node)) is not None]
    return "".join(parts)[:MAX_PATH]


@cache
def conventions() -> tuple[Convention, ...]:
    """Every framework: first those with their own reader, by file name, then those that libraries describe."""
    package = importlib.import_module("counterproof.analysis.endpoints.frameworks")
    names = sorted(found.name for found in pkgutil.iter_modules(package.__path__))
    read = [importlib.import_module(f"{package.__name__}.{name}").CONVENTION for name in names]
    return (*read, *importlib.import_module("counterproof.analysis.endpoints.decorated").described())
