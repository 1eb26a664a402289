"""The parameters of top-level functions in Python, TypeScript and Go, and why a call does not fit them.

Invariant: a decorated Python function, and a function of the others with any number of arguments, may accept anything and is
skipped. A call that spreads a list, passes all results of another call, or omits something, fits. Nothing is run.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.lowered import module_of
from counterproof.analysis.polyglot.source import Source
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import spelled, walk
from counterproof.model.counting import counted
from counterproof.model.survey import Language

ARGUED = (".py", ".ts", ".tsx", ".mts")
"""Extensions of languages that reject a call with wrong arguments, except Go."""
_TRANSPARENT = ("override", "cache", "lru_cache", "final", "contextmanager", "asynccontextmanager")


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function. `most` is None for any number of positional arguments."""

    names: tuple[str, ...]
    required: tuple[str, ...]
    most: int | None
    any_keyword: bool = False


@dataclass(frozen=True, slots=True)
class Called:
    """One call: the function as written, its line in the text, and its arguments."""

    name: str
    line: int
    count: int
    keywords: tuple[str, ...] = ()
    open: bool = False


def functions_in(text: str, path: str) -> dict[str, tuple[int, Signature]]:
    """The functions that a text in the language of a path defines once and with known parameters, each with its line."""
    found: dict[str, tuple[int, Signature] | None] = {}
    for name, line, signature in _go_functions(text) if path.endswith(".go") else _functions(text, path):
        found[name] = (line, signature) if signature and name not in found else None
    return {name: each for name, each in found.items() if each}


def _functions(text: str, path: str) -> Iterator[tuple[str, int, Signature | None]]:
    module = module_of(text, path)
    body = module.body if module else ()
    named = {spelled(each.value): spelled(each.targets[0]) for each in body if isinstance(each, ir.Assign) and each.value}
    for each in body:
        if isinstance(each, ir.Function):
            decorators = (each.value.callee if isinstance(each.value, ir.Call) else each.value for each in each.decorators)
            plain = all(spelled(one).rpartition(".")[2] in _TRANSPARENT for one in decorators)
            signature = _signature(text, each, path.endswith(".py")) if plain else None
            yield named.get(each.name, each.name) if each.name.startswith("<") else each.name, each.line, signature


def _signature(text: str, function: ir.Function, python: bool) -> Signature | None:
    spread = any(each.kind == "*" and each.name for each in function.parameters)
    if spread and not python:
        return None
    head = "" if python else "\n".join(text.split("\n")[function.line - 1 : function.line + 20]).partition("{\n")[0]
    given = [each for each in function.parameters if each.kind in ("positional", "keyword")]
    needed = [each.name for each in given if each.default is None and not re.search(rf"\b{re.escape(each.name)}\?", head)]
    most = None if spread else sum(each.kind == "positional" for each in given)
    any_keyword = any(each.kind == "**" for each in function.parameters)
    return Signature(tuple(each.name for each in given), tuple(needed), most, any_keyword)


def calls_in(text: str, path: str) -> Iterator[Called]:
    """The calls in a text, except those that a test expects to fail."""
    if path.endswith(".go"):
        yield from _go_calls(text)
        return
    module = module_of(text, path)
    nodes = list(walk(*module.body)) if module else []
    blocks = [node for node in nodes if isinstance(node, ir.With) and any("raises" in _name(each) for each in node.items)]
    raising = {id(inner) for node in blocks for inner in walk(*node.body)}
    for node in nodes:
        if isinstance(node, ir.Call) and (name := spelled(node.callee)) and id(node) not in raising:
            keywords = tuple(each.keyword for each in node.arguments if each.keyword)
            count = sum(not (each.keyword or each.spread) for each in node.arguments)
            yield Called(name, node.line, count, keywords, any(each.spread or _omits(each) for each in node.arguments))


def _name(item: ir.WithItem) -> str:
    """The function whose result a `with` block enters."""
    return spelled(item.value.callee).lower() if isinstance(item.value, ir.Call) else ""


def _omits(given: ir.Argument) -> bool:
    return isinstance(given.value, ir.Unknown) and not given.value.children


def _go(text: str) -> Source:
    return Source("a.go", Language.GO, text)


def _go_functions(text: str) -> Iterator[tuple[str, int, Signature | None]]:
    source = _go(text)
    for each in source.functions if not source.problem[0] else ():
        given = each.node.child_by_field_name("parameters")
        if each.node.type == "function_declaration" and given is not None:
            parts = [part for part in given.named_children if part.type != "comment"]
            names = tuple(source.text(name) for part in parts for name in part.children_by_field_name("name") or [part])
            plain = all(part.type == "parameter_declaration" for part in parts)
            yield each.name, each.line, Signature(names, names, len(names)) if plain else None


def _go_calls(text: str) -> Iterator[Called]:
    source = _go(text)
    for node in source.calls if not source.problem[0] else ():
        given = node.child_by_field_name("arguments")
        parts = [each.type for each in given.named_children if each.type != "comment"] if given else []
        every = "variadic_argument" in parts or parts == ["call_expression"]
        yield Called(source.text(node.child_by_field_name("function")), node.start_point[0] + 1, len(parts), open=every)


def misfit(call: Called, signature: Signature) -> str:
    """Why a call does not fit a function; '' if it does."""
    taken = ", ".join(signature.names) or "none"
    unknown = [word for word in call.keywords if word not in signature.names]
    if unknown and not signature.any_keyword:
        return f"takes no argument `{unknown[0]}`; it takes {taken}"
    if call.open:
        return ""
    if signature.most == 0 and signature.names and call.count:
        return f"takes keyword arguments only: {taken}"
    if signature.most is not None and call.count > signature.most:
        return f"takes at most {counted(signature.most, 'positional argument')}, not {call.count}; it takes {taken}"
    left = [each for each in signature.required if each not in call.keywords and each not in signature.names[: call.count]]
    return f"also needs `{left[0]}`; it takes {taken}" if left else ""
