"""The parameters of top-level functions in Python, TypeScript and Go, and why a call does not fit them.

Invariant: a decorated Python function, and a function of the others with any number of arguments, may accept anything and is
skipped. A call that spreads a list, passes all results of another call, or omits something, fits. Nothing is run.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.plans.python_trees import dotted, parsed
from counterproof.analysis.plans.script_trees import text_of, tree_of
from counterproof.analysis.polyglot.grammars import parser_for
from counterproof.analysis.syntax.parsing import Unparsable
from counterproof.analysis.syntax.parsing import parsed as parsed_by
from counterproof.model.counting import counted

PYTHON, GO = "python", "go"
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


def functions_in(text: str, language: str) -> dict[str, tuple[int, Signature]]:
    """The functions that a text defines once and with known parameters, each with its line."""
    found: dict[str, tuple[int, Signature] | None] = {}
    for name, line, signature in _python(text) if language == PYTHON else _others(text, language):
        found[name] = (line, signature) if signature and name not in found else None
    return {name: each for name, each in found.items() if each}


def _python(text: str) -> Iterator[tuple[str, int, Signature | None]]:
    tree = parsed(text)
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            plain = all(_last(each) in _TRANSPARENT for each in node.decorator_list)
            yield node.name, node.lineno, _signature(node.args) if plain else None


def _last(node: ast.expr) -> str:
    return dotted(node.func if isinstance(node, ast.Call) else node).rpartition(".")[2]


def _signature(given: ast.arguments) -> Signature:
    positional = [each.arg for each in (*given.posonlyargs, *given.args)]
    keyword = [each.arg for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is None]
    names = (*positional, *(each.arg for each in given.kwonlyargs))
    required = (*positional[: len(positional) - len(given.defaults)], *keyword)
    return Signature(names, required, None if given.vararg else len(positional), given.kwarg is not None)


def _tree(text: str, language: str) -> tuple[bytes, Node | None]:
    if language != GO:
        return tree_of(text) or (b"", None)
    source = text.encode("utf-8", "replace")
    try:
        root = parsed_by(parser_for(GO), source)
    except Unparsable:
        return b"", None
    return source, None if root.has_error else root


def _others(text: str, language: str) -> Iterator[tuple[str, int, Signature | None]]:
    source, root = _tree(text, language)
    for each in root.named_children if root else ():
        node = each.child_by_field_name("declaration") or each
        for one in node.named_children if node.type == "lexical_declaration" else [node]:
            function = one.child_by_field_name("value") if one.type == "variable_declarator" else one
            name, given = one.child_by_field_name("name"), function.child_by_field_name("parameters") if function else None
            if name is not None and given is not None and one.type != "method_declaration":
                parts = [each for each in given.named_children if each.type != "comment"]
                yield text_of(source, name), one.start_point[0] + 1, (_go if language == GO else _script)(source, parts)


def _script(source: bytes, parts: list[Node]) -> Signature | None:
    if any(part.named_children and part.named_children[0].type == "rest_pattern" for part in parts):
        return None
    names = tuple(re.split(r"[?:=]", text_of(source, part))[0].strip() for part in parts)
    needed = [part.type == "required_parameter" and part.child_by_field_name("value") is None for part in parts]
    least = max((index + 1 for index, each in enumerate(needed) if each), default=0)
    return Signature(names, names[:least], len(names))


def _go(source: bytes, parts: list[Node]) -> Signature | None:
    names = tuple(text_of(source, name) for part in parts for name in part.children_by_field_name("name") or [part])
    return Signature(names, names, len(names)) if all(part.type == "parameter_declaration" for part in parts) else None


def calls_in(text: str, language: str) -> Iterator[Called]:
    """The calls in a text, except those that a test expects to fail."""
    if language == PYTHON:
        yield from _python_calls(parsed(text))
        return
    source, root = _tree(text, language)
    pending = [root] if root else []
    while pending:
        node = pending.pop()
        pending.extend(reversed(node.named_children))
        called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if node.type == "call_expression" and called is not None and given is not None:
            parts = [each.type for each in given.named_children if each.type != "comment"]
            spread = {"spread_element", "variadic_argument"} & {*parts} or (language == GO and parts == ["call_expression"])
            yield Called(text_of(source, called), node.start_point[0] + 1, len(parts), open=bool(spread))


def _python_calls(tree: ast.Module | None) -> Iterator[Called]:
    nodes = list(ast.walk(tree)) if tree else []
    blocks = [node for node in nodes if isinstance(node, ast.With) and "raises" in ast.dump(node.items[0]).lower()]
    raising = {id(inner) for node in blocks for each in node.body for inner in ast.walk(each)}
    for node in nodes:
        if isinstance(node, ast.Call) and (name := dotted(node.func)) and id(node) not in raising:
            values = (*node.args, *(word.value for word in node.keywords))
            omits = any(isinstance(each, ast.Constant) and each.value is Ellipsis for each in values)
            keywords = tuple(word.arg for word in node.keywords if word.arg)
            spread = len(keywords) < len(node.keywords) or any(isinstance(each, ast.Starred) for each in node.args)
            yield Called(name, node.lineno, len(node.args), () if omits else keywords, omits or spread)


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
