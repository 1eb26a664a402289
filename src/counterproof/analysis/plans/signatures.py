"""The parameters of Python functions, and why a call does not fit one.

Invariant: only top-level functions; a decorated one may accept anything and is skipped. Nothing is run.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.model.counting import counted

_TRANSPARENT = ("override", "cache", "lru_cache", "final", "contextmanager", "asynccontextmanager")


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function. `most` is None for any number of positional arguments."""

    name: str
    place: str
    names: tuple[str, ...]
    required: tuple[str, ...]
    most: int | None
    any_keyword: bool


def functions_in(tree: ast.Module, path: str, first: int) -> Iterator[Signature]:
    """The signatures of a module's functions."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and all(
            _last(each) in _TRANSPARENT for each in node.decorator_list
        ):
            yield _signature(node, f"{path}:{first + node.lineno - 1}")


def _last(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef, place: str) -> Signature:
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    needed = positional[: len(positional) - len(given.defaults)]
    keyword = [each.arg for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is None]
    names = tuple(each.arg for each in (*positional, *given.kwonlyargs))
    most = None if given.vararg else len(positional)
    return Signature(node.name, place, names, (*(each.arg for each in needed), *keyword), most, given.kwarg is not None)


def misfit(call: ast.Call, signature: Signature) -> str:
    """Why a call does not fit a function; '' if it does, or omits something."""
    values = (*call.args, *(word.value for word in call.keywords))
    if any(isinstance(each, ast.Constant) and each.value is Ellipsis for each in values):
        return ""
    given = [word.arg for word in call.keywords if word.arg]
    spread = len(given) < len(call.keywords) or any(isinstance(each, ast.Starred) for each in call.args)
    taken = ", ".join(signature.names) or "none"
    unknown = [word for word in given if word not in signature.names]
    if unknown and not signature.any_keyword:
        return f"takes no argument `{unknown[0]}`; it takes {taken}"
    if signature.most is not None and not spread and len(call.args) > signature.most:
        return f"takes at most {counted(signature.most, 'positional argument')}, not {len(call.args)}; it takes {taken}"
    left = [each for each in signature.required if each not in given and each not in signature.names[: len(call.args)]]
    return f"also needs `{left[0]}`; it takes {taken}" if left and not spread else ""
