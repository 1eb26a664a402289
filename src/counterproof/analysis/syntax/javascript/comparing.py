"""Comparisons of JavaScript and TypeScript that ask something which the intermediate form has a word for.

Always holds: which side a constant stands on makes no difference. Does not belong here: what an answer means for the data.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.calls import is_of_kind, is_pattern
from counterproof.analysis.syntax.javascript.lowering import Lowering
from counterproof.analysis.syntax.nesting import span
from counterproof.analysis.syntax.tree_walk import field

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_KINDS = {"number": "int", "string": "str"}
_MISSING = (("==", -1), ("<", 0))
_FOUND = (("!=", -1), (">", -1), (">=", 0))


def compare(cx: Lowering, node: Node, operator: str, depth: int) -> ir.Expr:
    left, right = field(node, "left"), field(node, "right")
    if operator != "in" and _is_plain(left) and not _is_plain(right):
        left, right, operator = right, left, _MIRRORED.get(operator, operator)
    where = span(node)
    kind = cx.expression(right, depth + 1)
    if left.type == "unary_expression" and cx.text(left.child_by_field_name("operator")) == "typeof":
        return _kind_of(cx, left, operator, kind, depth, where)
    first = cx.expression(left, depth + 1)
    asked = _position(first, operator, kind, where) or _answer(first, operator, kind, where)
    return asked or ir.Compare(*where, (operator,), (first, kind))


def _is_plain(node: Node) -> bool:
    inner = node.child_by_field_name("argument") if node.type == "unary_expression" else node
    return inner is not None and inner.type in ("string", "number", "true", "false", "null", "undefined")


def _kind_of(cx: Lowering, left: Node, operator: str, kind: ir.Expr, depth: int, where: tuple[int, int]) -> ir.Expr:
    """`typeof x === "number"`, `typeof x === "string"`; other kinds tell nothing."""
    asked = cx.expression(field(left, "argument"), depth + 1)
    meant = _KINDS.get(kind.value) if isinstance(kind, ir.Const) and isinstance(kind.value, str) else None
    if meant is None:
        return ir.Unknown(*where, ())
    test = is_of_kind(asked, meant, where)
    return test if operator == "==" else ir.Not(*where, test)


def _position(first: ir.Expr, operator: str, other: ir.Expr, where: tuple[int, int]) -> ir.Expr | None:
    """`text.indexOf(part) === -1` asks whether the part is missing; `=== 0` whether the text starts with it."""
    if not (isinstance(first, ir.Call) and isinstance(first.callee, ir.Attribute) and first.arguments):
        return None
    bound, part, text = _number(other), first.arguments[0].value, first.callee.value
    if first.callee.name == "search" and (is_pattern(part) or isinstance(part, ir.Name)):
        matched = ir.Call(*where, ir.Attribute(*where, part, "match"), (ir.Argument(*where, text),))
        return matched if (operator, bound) in _FOUND else ir.Not(*where, matched) if (operator, bound) in _MISSING else None
    if first.callee.name != "indexOf":
        return None
    if (operator, bound) in _MISSING:
        return ir.Compare(*where, ("not in",), (part, text))
    if (operator, bound) in _FOUND:
        return ir.Compare(*where, ("in",), (part, text))
    if bound == 0 and operator in ("==", "!="):
        starts = ir.Call(*where, ir.Attribute(*where, text, "startswith"), first.arguments)
        return starts if operator == "==" else ir.Not(*where, starts)
    return None


def _number(other: ir.Expr) -> int | None:
    inner = other.operand if isinstance(other, ir.Unary) and other.operator == "-" else other
    bound = inner.value if isinstance(inner, ir.Const) and isinstance(inner.value, int) else None
    return -bound if bound is not None and inner is not other else bound


def _answer(first: ir.Expr, operator: str, other: ir.Expr, where: tuple[int, int]) -> ir.Expr | None:
    """`question(x) === false` and `pattern.exec(x) !== null` are answers to the question."""
    if operator not in ("==", "!=") or not isinstance(other, ir.Const):
        return None
    yes = operator == "=="
    if isinstance(other.value, bool) and isinstance(first, (ir.Call, ir.Compare, ir.Not)):
        return first if other.value is yes else ir.Not(*where, first)
    matched = isinstance(first, ir.Call) and isinstance(first.callee, ir.Attribute) and first.callee.name == "match"
    if other.value is None and matched:
        return ir.Not(*where, first) if yes else first
    return None
