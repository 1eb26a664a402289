"""Python functions and classes, with the scopes that qualify their names.

Always holds: every definition, nested or not, is listed once in the module, in source order of its end. Does not belong
here: control flow inside bodies.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.nesting import span
from counterproof.analysis.syntax.python.calls import argument, parameters
from counterproof.analysis.syntax.python.lowering import Lowering, StatementHandler
from counterproof.analysis.syntax.tree_walk import field, named


def _decorated(cx: Lowering, node: Node, depth: int) -> tuple[ir.Statement, ...]:
    decorators: list[ir.Decorator] = []
    for child in named(node):
        if child.type == "decorator":
            inner = named(child)
            value = cx.expression(inner[0], depth + 1) if inner else ir.Unknown(*span(child))
            decorators.append(ir.Decorator(*span(child), value))
        elif child.type == "function_definition":
            return (function(cx, child, tuple(decorators), depth),)
        elif child.type == "class_definition":
            return (class_(cx, child, tuple(decorators), depth),)
    return cx.block(node, depth + 1) if not decorators else ()


def function(cx: Lowering, node: Node, decorators: tuple[ir.Decorator, ...], depth: int) -> ir.Function:
    name = cx.text(field(node, "name"))
    qualified = cx.qualified(name)
    owner = cx.scopes[-1][1] if cx.scopes and cx.scopes[-1][0] == "class" else ""
    within = next((scope for kind, scope in reversed(cx.scopes) if kind == "function"), "")
    taken = parameters(cx, node.child_by_field_name("parameters"), depth + 1)
    returns = cx.optional(node.child_by_field_name("return_type"), depth + 1)
    cx.scopes.append(("function", qualified))
    cx.yields.append(False)
    body = cx.block(node.child_by_field_name("body"), depth + 1)
    is_generator = cx.yields.pop()
    cx.scopes.pop()
    is_async = any(child.type == "async" for child in node.children)
    line, end = span(node)
    made = ir.Function(
        line, end, name, qualified, taken, decorators, body, is_async, is_generator, returns, owner=owner, within=within
    )
    cx.functions.append(made)
    return made


def class_(cx: Lowering, node: Node, decorators: tuple[ir.Decorator, ...], depth: int) -> ir.Class:
    name = cx.text(field(node, "name"))
    qualified = cx.qualified(name)
    passed = node.child_by_field_name("superclasses")
    arguments = tuple(argument(cx, each, depth + 1) for each in named(passed)) if passed else ()
    cx.scopes.append(("class", qualified))
    body = cx.block(node.child_by_field_name("body"), depth + 1)
    cx.scopes.pop()
    bases = tuple(each.value for each in arguments if not each.keyword and not each.spread)
    keywords = tuple(each for each in arguments if each.keyword or each.spread)
    made = ir.Class(*span(node), name, qualified, bases, keywords, decorators, body)
    cx.classes.append(made)
    return made


def _function(cx: Lowering, node: Node, depth: int) -> tuple[ir.Statement, ...]:
    return (function(cx, node, (), depth),)


def _class(cx: Lowering, node: Node, depth: int) -> tuple[ir.Statement, ...]:
    return (class_(cx, node, (), depth),)


DEFINITIONS: dict[str, StatementHandler] = {
    "decorated_definition": _decorated,
    "function_definition": _function,
    "class_definition": _class,
}
