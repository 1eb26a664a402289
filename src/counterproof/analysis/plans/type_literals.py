"""Objects and elements that a block of TypeScript writes out whole, with the types that they are for.

Always: one that spreads another value, or computes a key, is not written out whole and is left alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from counterproof.analysis.plans.type_meanings import Members, Typed
from counterproof.analysis.plans.type_trees import Type
from counterproof.analysis.plans.type_values import Values

MAX_DEEP = 6
_FUNCTIONS = ("arrow_function", "function_expression", "function_declaration", "method_definition")
_ADDING = ("push", "unshift")
_ALWAYS = frozenset(["key", "ref", "children"])
"""Props that an element may be given whatever its component declares."""


@dataclass(frozen=True)
class Given:
    """What is written out: the names that it gives, and the type that it must fit."""

    node: Node
    names: dict[str, Node]
    members: Members


def literals_in(values: Values) -> Iterator[Given]:
    """Object literals where a type is declared for them."""
    for node in values.source.nodes("object"):
        typed = _expected(values, node, 0)
        members = values.meanings.members(typed) if typed else None
        names = _names(values, node) if members and not members.is_class else None
        if members and names is not None:
            yield Given(node, names, members)


def _names(values: Values, node: Node) -> dict[str, Node] | None:
    """The keys of an object literal; None where it is not written out whole."""
    found: dict[str, Node] = {}
    for each in node.named_children:
        key = each.child_by_field_name("key") or each.child_by_field_name("name") or each
        if each.type == "comment":
            if any(mark in values.source.of(each) for mark in ("...", "…")):
                return None
            continue
        if each.type not in ("pair", "shorthand_property_identifier", "method_definition") or key.type not in (
            *("property_identifier", "string", "shorthand_property_identifier"),
        ):
            return None
        found[values.source.of(key).strip("'\"")] = key
    return found


def _expected(values: Values, node: Node, deep: int) -> Typed | None:
    """The type that is declared for a value where it stands."""
    around = node.parent
    if around is None or deep > MAX_DEEP:
        return None
    if around.type in ("variable_declarator", "required_parameter", "public_field_definition"):
        return values.written(around.child_by_field_name("type"))
    if around.type == "satisfies_expression":
        return values.written(around.named_children[-1])
    if around.type == "assignment_expression" and around.child_by_field_name("right") == node:
        return values.of(around.child_by_field_name("left"))
    if around.type == "parenthesized_expression":
        return _expected(values, around, deep + 1)
    if around.type == "pair" and around.parent is not None:
        owner = _expected(values, around.parent, deep + 1)
        return values.meanings.member(owner, values.source.of(around.child_by_field_name("key")).strip("'\"")) if owner else None
    if around.type == "array":
        many = _expected(values, around, deep + 1)
        return replace(many, type=replace(many.type, many=False)) if many and many.type.many else None
    if around.type == "arguments":
        return _argument(values, node, around)
    return _result(values, node) if around.type in ("return_statement", "arrow_function") else None


def _argument(values: Values, node: Node, around: Node) -> Typed | None:
    """The type of what a function takes there, or of what an array holds that the value is added to."""
    call = around.parent
    callee = call.child_by_field_name("function") if call is not None else None
    if callee is None:
        return None
    if callee.type == "member_expression" and values.source.of(callee.child_by_field_name("property")) in _ADDING:
        many = values.of(callee.child_by_field_name("object"))
        return replace(many, type=replace(many.type, many=False)) if many and many.type.many else None
    function = values.function(callee)
    if function is None or any(each.type == "spread_element" for each in around.named_children):
        return None
    at = [each for each in around.named_children if each.type != "comment"].index(node)
    type_ = function.takes[at] if at < len(function.takes) else None
    return values.meanings.written(type_, function, values.home, f"{function.name}(…)")


def _result(values: Values, node: Node) -> Typed | None:
    """The type that the function around a value is declared to return."""
    around = node.parent
    while around is not None and around.type not in _FUNCTIONS:
        around = around.parent
    if around is None or (
        around.type == "arrow_function" and node.parent == around and around.child_by_field_name("body") != node
    ):
        return None
    typed = values.written(around.child_by_field_name("return_type"))
    generator = values.source.of(around).startswith(("function*", "async function*"))
    return replace(typed, type=replace(typed.type, later=False)) if typed and not generator else None


def classes_in(values: Values) -> Iterator[Given]:
    """Classes that are written out whole, with the types that they say to implement. They may have more."""
    for node in values.source.nodes("implements_clause"):
        heritage = node.parent
        made = heritage.parent if heritage is not None else None
        name = values.source.of(made.child_by_field_name("name")) if made is not None else ""
        own = values.meanings.members(Typed(Type(name), values.source, values.place, values.home, name)) if name else None
        for each in node.named_children if own else ():
            typed = values.written(each)
            members = values.meanings.members(typed) if typed else None
            if own and members:
                given = dict.fromkeys([each for each in own.members if each in members.members], node)
                yield Given(node, given, members)


def texts_in(values: Values) -> Iterator[tuple[Node, Typed]]:
    """Texts that are written out, with the types that are declared for them, or of what they are compared with."""
    for node in values.source.nodes("string"):
        around = node.parent
        typed = _compared(values, node, around) if around is not None else None
        typed = typed or _expected(values, node, 0)
        if typed:
            yield node, typed


def _compared(values: Values, node: Node, around: Node) -> Typed | None:
    """The type of the other side of a comparison, or of what a case is one of."""
    if around.type == "binary_expression" and around.children[1].type in ("===", "!==", "==", "!="):
        left, right = around.child_by_field_name("left"), around.child_by_field_name("right")
        return values.of(left if right == node else right)
    if around.type == "switch_case" and around.child_by_field_name("value") == node and around.parent is not None:
        switch = around.parent.parent
        return values.of(switch.child_by_field_name("value")) if switch is not None else None
    return None


def elements_in(values: Values) -> Iterator[Given]:
    """Elements of the project's own components."""
    for node in values.source.nodes("jsx_opening_element", "jsx_self_closing_element"):
        name = node.child_by_field_name("name")
        function = values.function(name) if values.source.of(name)[:1].isupper() else None
        typed = (
            values.meanings.written(function.takes[0], function, values.home, f"{function.name} props")
            if function and len(function.takes) == 1
            else None
        )
        members = values.meanings.members(typed) if typed else None
        names = _props(values, node) if members else None
        if members is None or names is None:
            continue
        members = replace(members, required=members.required - _ALWAYS)
        yield Given(node, names, members)


def _props(values: Values, node: Node) -> dict[str, Node] | None:
    """The props of an element; None where it spreads any."""
    found: dict[str, Node] = {}
    for each in node.named_children:
        if each.type == "jsx_attribute":
            name = values.source.of(each.named_children[0])
            if name not in _ALWAYS and "-" not in name and ":" not in name:
                found[name] = each
        elif each.type == "jsx_expression":
            return None
    return found
