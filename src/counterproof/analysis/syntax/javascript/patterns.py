"""Destructuring: what `const {a, b: [c], ...rest} = value` binds, as plain assignments.

Invariant: the value is evaluated once. Not handled here: parameters and loops, which only use this.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.lowering import Lowering
from counterproof.analysis.syntax.tree_walk import field, named, span

PATTERNS = frozenset({"object_pattern", "array_pattern"})


def bind(cx: Lowering, pattern: Node, value: ir.Expr, depth: int) -> tuple[ir.Statement, ...]:
    """Statements that bind everything in a pattern."""
    if depth >= ir.MAX_DEPTH:
        cx.problem(pattern, f"code nested deeper than {ir.MAX_DEPTH} levels is not followed")
        return ()
    if pattern.type not in PATTERNS:
        return (ir.Assign(*span(pattern), (cx.expression(pattern, depth + 1),), value),)
    before: tuple[ir.Statement, ...] = ()
    if not isinstance(value, ir.Name):
        name = ir.Name(*span(pattern), cx.fresh("value"))
        before = (ir.Assign(*span(pattern), (name,), value),)
        value = name
    parts = _object(cx, pattern, value, depth) if pattern.type == "object_pattern" else _array(cx, pattern, value, depth)
    return before + parts


def _object(cx: Lowering, pattern: Node, value: ir.Name, depth: int) -> tuple[ir.Statement, ...]:
    found: list[ir.Statement] = []
    for each in named(pattern):
        where = span(each)
        if each.type == "shorthand_property_identifier_pattern":
            part = ir.Attribute(*where, value, cx.text(each))
            found.append(ir.Assign(*where, (ir.Name(*where, cx.text(each)),), part))
        elif each.type == "object_assignment_pattern":
            name = cx.text(field(each, "left"))
            part = _or(cx, ir.Attribute(*where, value, name), field(each, "right"), depth)
            found.append(ir.Assign(*where, (ir.Name(*where, name),), part))
        elif each.type == "pair_pattern":
            part = _member(cx, value, field(each, "key"), depth)
            found.extend(_inner(cx, field(each, "value"), part, depth))
        elif each.type == "rest_pattern" and each.named_children:
            found.extend(bind(cx, each.named_children[0], value, depth + 1))
    return tuple(found)


def _array(cx: Lowering, pattern: Node, value: ir.Name, depth: int) -> tuple[ir.Statement, ...]:
    found: list[ir.Statement] = []
    position = 0
    for each in pattern.children:
        if each.type == ",":
            position += 1
        elif each.is_named and each.type != "comment":
            where = span(each)
            if each.type == "rest_pattern" and each.named_children:
                start = ir.Slice(*where, ir.Const(*where, position), None, None)
                found.extend(bind(cx, each.named_children[0], ir.Index(*where, value, start), depth + 1))
            else:
                found.extend(_inner(cx, each, ir.Index(*where, value, ir.Const(*where, position)), depth))
    return tuple(found)


def _inner(cx: Lowering, target: Node, part: ir.Expr, depth: int) -> tuple[ir.Statement, ...]:
    if target.type == "assignment_pattern":
        part = _or(cx, part, field(target, "right"), depth)
        target = field(target, "left")
    return bind(cx, target, part, depth + 1)


def _or(cx: Lowering, part: ir.Expr, default: Node, depth: int) -> ir.Expr:
    return ir.Boolean(part.line, part.end, "or", (part, cx.expression(default, depth + 1)))


def _member(cx: Lowering, value: ir.Name, key: Node, depth: int) -> ir.Expr:
    if key.type in ("property_identifier", "identifier"):
        return ir.Attribute(*span(key), value, cx.text(key))
    inner = key.named_children[0] if key.type == "computed_property_name" and key.named_children else key
    return ir.Index(*span(key), value, cx.expression(inner, depth + 1))
