"""Python's `match` as a `Switch`: literal alternatives are kept, every other pattern is open and binds its names.

Always holds: a name that a pattern may bind is listed. Does not belong here: deciding which arm is taken.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.nesting import span
from counterproof.analysis.syntax.python.lowering import Lowering
from counterproof.analysis.syntax.tree_walk import field, named

_LITERALS = ("string", "concatenated_string", "integer", "float", "true", "false", "none", "unary_operator")
_NEVER_BOUND = ("class_pattern", "keyword_pattern")


class _Pattern:
    """What one pattern says, collected from the parts of it that are known."""

    def __init__(self) -> None:
        self.values: list[ir.Expr] = []
        self.binds: list[ir.Name] = []
        self.open = False


def match(cx: Lowering, node: Node, depth: int) -> ir.Switch:
    subjects = [child for child in named(node) if child.type != "block" and child.type != "case_clause"]
    lowered = tuple(cx.expression(each, depth + 1) for each in subjects)
    line, end = span(node)
    subject = lowered[0] if len(lowered) == 1 else ir.Sequence(line, end, "tuple", lowered)
    body = node.child_by_field_name("body") or node
    cases = tuple(_case(cx, child, depth + 1) for child in body.named_children if child.type == "case_clause")
    return ir.Switch(line, end, subject, cases)


def _case(cx: Lowering, node: Node, depth: int) -> ir.Case:
    pattern = _Pattern()
    written = [child for child in named(node) if child.type == "case_pattern"]
    if len(written) == 1:
        _read(cx, written[0], pattern, depth)
    else:
        pattern.open = True
        for each in written:
            _names(cx, each, pattern)
    guard_node = node.child_by_field_name("guard")
    inner = named(guard_node) if guard_node else []
    guard = cx.expression(inner[0], depth + 1) if inner else None
    body = cx.block(field(node, "consequence") if node.child_by_field_name("consequence") else None, depth + 1)
    return ir.Case(*span(node), tuple(pattern.values), tuple(pattern.binds), pattern.open, guard, body)


def _read(cx: Lowering, node: Node, pattern: _Pattern, depth: int) -> None:
    """Follow wrappers and alternatives; the loop is bounded by the size of the pattern."""
    pending = [node]
    while pending:
        current = pending.pop()
        kind = current.type
        inner = named(current)
        if kind in _LITERALS:
            pattern.values.append(cx.expression(current, depth + 1))
        elif kind == "dotted_name" and len(inner) > 1:
            pattern.values.append(_dotted(cx, current))
        elif kind in ("dotted_name", "identifier"):
            pattern.binds.append(ir.Name(*span(current), cx.text(current)))
        elif kind in ("case_pattern", "union_pattern", "as_pattern"):
            pending.extend(reversed(inner))
        else:
            pattern.open = True
            _names(cx, current, pattern)


def _dotted(cx: Lowering, node: Node) -> ir.Expr:
    line, end = span(node)
    first, *rest = [cx.text(each) for each in named(node)]
    value: ir.Expr = ir.Name(line, end, first)
    for name in rest[: ir.MAX_DEPTH // 4]:
        value = ir.Attribute(line, end, value, name)
    return value


def _names(cx: Lowering, node: Node, pattern: _Pattern) -> None:
    pending = [node]
    while pending:
        current = pending.pop()
        inner = named(current)
        if current.type == "dotted_name" and len(inner) == 1:
            pattern.binds.append(ir.Name(*span(current), cx.text(current)))
        elif current.type == "splat_pattern":
            pattern.binds.extend(ir.Name(*span(each), cx.text(each)) for each in inner)
        else:
            skip = 1 if current.type in _NEVER_BOUND else 0
            pending.extend(reversed(inner[skip:]))
