"""The top-level functions and the calls of a text in Python, TypeScript or Go.

Invariant: a decorated Python function, and a function of the others with any number of arguments, may accept anything and is
skipped. A call that passes all results of another call spreads them. Nothing is run.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.plans.lowered import module_of
from counterproof.analysis.polyglot.source import Source
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import spelled, walk
from counterproof.model.survey import Language

ARGUED = (".py", ".ts", ".tsx", ".mts")
"""Extensions of languages that reject a call with wrong arguments, except Go."""
_TRANSPARENT = ("override", "cache", "lru_cache", "final", "contextmanager", "asynccontextmanager")

Parameters = tuple[ir.Parameter, ...]


def functions_in(text: str, path: str) -> dict[str, tuple[int, Parameters]]:
    """The functions that a text in the language of a path defines once and with known parameters, each with its line."""
    found: dict[str, tuple[int, Parameters] | None] = {}
    for name, line, parameters in _go_functions(text) if path.endswith(".go") else _functions(text, path):
        found[name] = (line, parameters) if parameters is not None and name not in found else None
    return {name: each for name, each in found.items() if each}


def shape(parameters: Parameters) -> list[tuple[str, str, bool]]:
    """The parts of parameters that decide which calls fit."""
    return [(each.name, each.kind, each.default is None) for each in parameters]


def _functions(text: str, path: str) -> Iterator[tuple[str, int, Parameters | None]]:
    module = module_of(text, path)
    body = module.body if module else ()
    named = {spelled(each.value): spelled(each.targets[0]) for each in body if isinstance(each, ir.Assign) and each.value}
    for each in body:
        if isinstance(each, ir.Function):
            decorators = (each.value.callee if isinstance(each.value, ir.Call) else each.value for each in each.decorators)
            plain = all(spelled(one).rpartition(".")[2] in _TRANSPARENT for one in decorators)
            parameters = each.parameters if path.endswith(".py") else _script_parameters(text, each)
            yield named.get(each.name, each.name) if each.name[0] == "<" else each.name, each.line, parameters if plain else None


def _script_parameters(text: str, function: ir.Function) -> Parameters | None:
    """The parameters with a default for each `name?`, which the intermediate form does not mark; None for any number."""
    head = "\n".join(text.split("\n")[function.line - 1 : function.line + 20]).partition("{\n")[0]
    given = function.parameters
    optional = [re.search(rf"\b{re.escape(each.name)}\?", head) is not None for each in given]
    marked = (replace(each, default=each.default or ir.Const(each.line, each.end, None)) for each in given)
    known = tuple(new if is_optional else old for old, new, is_optional in zip(given, marked, optional, strict=True))
    return None if any(each.kind == "*" for each in given) else known


def calls_in(text: str, path: str) -> Iterator[tuple[str, ir.Call]]:
    """The calls in a text with the called name, except those that a test expects to fail."""
    if path.endswith(".go"):
        yield from _go_calls(text)
        return
    module = module_of(text, path)
    nodes = list(walk(*module.body)) if module else []
    blocks = [node for node in nodes if isinstance(node, ir.With) and any("raises" in _entered(each) for each in node.items)]
    raising = {id(inner) for node in blocks for inner in walk(*node.body)}
    calls = (node for node in nodes if isinstance(node, ir.Call) and id(node) not in raising)
    yield from ((name, each) for each in calls if (name := spelled(each.callee)))


def _entered(item: ir.WithItem) -> str:
    """The function whose result a `with` block enters."""
    return spelled(item.value.callee).lower() if isinstance(item.value, ir.Call) else ""


def _go(text: str) -> Source:
    return Source("a.go", Language.GO, text)


def _go_functions(text: str) -> Iterator[tuple[str, int, Parameters | None]]:
    source = _go(text)
    for each in source.functions if not source.problem[0] else ():
        given = each.node.child_by_field_name("parameters")
        if each.node.type == "function_declaration" and given is not None:
            parts = [part for part in given.named_children if part.type != "comment"]
            names = (source.text(name) for part in parts for name in part.children_by_field_name("name") or [part])
            plain = all(part.type == "parameter_declaration" for part in parts)
            yield each.name, each.line, tuple(ir.Parameter(each.line, each.line, name) for name in names) if plain else None


def _go_calls(text: str) -> Iterator[tuple[str, ir.Call]]:
    source = _go(text)
    for node in source.calls if not source.problem[0] else ():
        line, given = node.start_point[0] + 1, node.child_by_field_name("arguments")
        parts = [each.type for each in given.named_children if each.type != "comment"] if given else []
        spread = "*" if "variadic_argument" in parts or parts == ["call_expression"] else ""
        name = source.text(node.child_by_field_name("function"))
        arguments = tuple(ir.Argument(line, line, ir.Const(line, line, None), spread=spread) for _ in parts)
        yield name, ir.Call(line, line, ir.Name(line, line, name), arguments)
