"""Python calls, lambdas and comprehensions, and the parameters that lambdas share with functions.

Invariant: arguments and parameters keep the order of the source. Not handled here: what a call means.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.python.lowering import ExpressionHandler, Lowering
from counterproof.analysis.syntax.tree_walk import field, named, span

_SPREADS = {"list_splat": "*", "dictionary_splat": "**", "list_splat_pattern": "*", "dictionary_splat_pattern": "**"}


def argument(cx: Lowering, node: Node, depth: int) -> ir.Argument:
    line, end = span(node)
    if node.type == "keyword_argument":
        return ir.Argument(line, end, cx.expression(field(node, "value"), depth + 1), cx.text(field(node, "name")))
    spread = _SPREADS.get(node.type, "")
    inner = named(node) if spread else []
    if inner:
        return ir.Argument(line, end, cx.expression(inner[0], depth + 1), "", spread)
    return ir.Argument(line, end, cx.expression(node, depth + 1))


def _call(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    callee = cx.expression(field(node, "function"), depth + 1)
    passed = field(node, "arguments")
    nodes = named(passed) if passed.type == "argument_list" else [passed]
    return ir.Call(*span(node), callee, tuple(argument(cx, each, depth) for each in nodes))


def parameters(cx: Lowering, node: Node | None, depth: int) -> tuple[ir.Parameter, ...]:
    if node is None:
        return ()
    found: list[ir.Parameter] = []
    kind = "positional"
    for child in named(node):
        if child.type == "keyword_separator":
            kind = "keyword"
        elif child.type != "positional_separator":
            parameter = _parameter(cx, child, kind, depth)
            found.append(parameter)
            if parameter.kind == "*":
                kind = "keyword"
    return tuple(found)


def _parameter(cx: Lowering, node: Node, kind: str, depth: int) -> ir.Parameter:
    line, end = span(node)
    default = cx.optional(node.child_by_field_name("value"), depth + 1)
    annotation = cx.optional(node.child_by_field_name("type"), depth + 1)
    inner = node.child_by_field_name("name") or node
    if node.type == "typed_parameter":
        inner = named(node)[0]
    kind = _SPREADS.get(inner.type, kind)
    if inner.type in _SPREADS and named(inner):
        inner = named(inner)[0]
    return ir.Parameter(line, end, cx.text(inner), kind, default, annotation)


def _lambda(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    taken = parameters(cx, node.child_by_field_name("parameters"), depth + 1)
    return ir.Lambda(*span(node), taken, cx.expression(field(node, "body"), depth + 1))


def _comprehension(kind: str) -> ExpressionHandler:
    def handler(cx: Lowering, node: Node, depth: int) -> ir.Expr:
        body = field(node, "body")
        key = None
        if body.type == "pair":
            key = cx.expression(field(body, "key"), depth + 1)
            element = cx.expression(field(body, "value"), depth + 1)
        else:
            element = cx.expression(body, depth + 1)
        return ir.Comprehension(*span(node), kind, key, element, _generators(cx, node, depth))

    return handler


def _generators(cx: Lowering, node: Node, depth: int) -> tuple[ir.Generator, ...]:
    found: list[tuple[Node, ir.Expr, ir.Expr, list[ir.Expr]]] = []
    for child in named(node):
        if child.type == "for_in_clause":
            target = cx.expression(field(child, "left"), depth + 1)
            found.append((child, target, cx.expression(field(child, "right"), depth + 1), []))
        elif child.type == "if_clause" and found:
            found[-1][3].extend(cx.expression(each, depth + 1) for each in named(child))
    return tuple(ir.Generator(*span(each), target, source, tuple(tests)) for each, target, source, tests in found)


CALLS: dict[str, ExpressionHandler] = {
    "call": _call,
    "lambda": _lambda,
    "list_comprehension": _comprehension("list"),
    "set_comprehension": _comprehension("set"),
    "dictionary_comprehension": _comprehension("mapping"),
    "generator_expression": _comprehension("generator"),
}
