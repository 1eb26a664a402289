"""Python expressions to the intermediate form, one small function per node type, gathered in `EXPRESSIONS`.

Invariant: chains of one operator come out flat, however long they are in the source. Not handled here: statements.
"""

from itertools import pairwise

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.python.calls import CALLS
from counterproof.analysis.syntax.python.lowering import ExpressionHandler, Lowering
from counterproof.analysis.syntax.python.strings import STRINGS
from counterproof.analysis.syntax.tree_walk import field, named, span


def _name(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    line = node.start_point[0] + 1
    return ir.Name(line, line, cx.text(node))


def _attribute(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    line, end = span(node)
    value = cx.expression(field(node, "object"), depth + 1)
    return ir.Attribute(line, end, value, cx.text(field(node, "attribute")))


def _subscript(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    line, end = span(node)
    value, *keys = named(node) or [node]
    lowered = tuple(cx.expression(key, depth + 1) for key in keys)
    key = lowered[0] if len(lowered) == 1 else ir.Sequence(line, end, "tuple", lowered)
    return ir.Index(line, end, cx.expression(value, depth + 1) if value is not node else ir.Unknown(line, end), key)


def _slice(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    bounds: list[ir.Expr | None] = [None]
    for child in node.children:
        if child.type == ":":
            bounds.append(None)
        elif child.is_named:
            bounds[-1] = cx.expression(child, depth + 1)
    bounds += [None, None]
    return ir.Slice(*span(node), bounds[0], bounds[1], bounds[2])


def _spine(node: Node, kind: str) -> tuple[list[Node], list[str]]:
    """Operands and operators of a chain that leans to the left, without recursion."""
    operands: list[Node] = []
    operators: list[str] = []
    current = node
    while current.type == kind and current.child_by_field_name("left"):
        operands.append(field(current, "right"))
        operators.append(field(current, "operator").type)
        current = field(current, "left")
        while current.type == "parenthesized_expression" and len(named(current)) == 1:
            current = named(current)[0]
    operands.append(current)
    return operands[::-1], operators[::-1]


def _binary(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    nodes, operators = _spine(node, "binary_operator")
    line, end = span(node)
    runs = sum(1 for left, right in pairwise(operators) if left != right)
    if depth + runs + 1 >= ir.MAX_DEPTH:
        cx.problem(node, f"an expression of {len(nodes)} mixed operands is followed as a whole only")
        return ir.Unknown(line, end, tuple(cx.expression(each, depth + 1) for each in nodes))
    parts = [cx.expression(nodes[0], depth + runs + 1)]
    current = operators[0]
    for operator, operand in zip(operators, nodes[1:], strict=True):
        if operator != current:
            parts = [_joined(line, end, current, tuple(parts))]
            current = operator
        parts.append(cx.expression(operand, depth + runs + 1))
    return _joined(line, end, current, tuple(parts))


def _joined(line: int, end: int, operator: str, parts: tuple[ir.Expr, ...]) -> ir.Expr:
    return ir.Concat(line, end, parts) if operator == "+" else ir.Binary(line, end, operator, parts)


def _boolean(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    operator = field(node, "operator").type
    operands: list[Node] = []
    current = node
    while current.type == "boolean_operator" and field(current, "operator").type == operator and current.child_count > 2:
        operands.append(field(current, "right"))
        current = field(current, "left")
    operands.append(current)
    return ir.Boolean(*span(node), operator, tuple(cx.expression(each, depth + 1) for each in reversed(operands)))


def _compare(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    operands: list[ir.Expr] = []
    operators: list[str] = []
    for child in node.children:
        if child.type == "comment":
            continue
        if child.is_named and child.type not in ("is not", "not in"):
            operands.append(cx.expression(child, depth + 1))
        else:
            operators.append("!=" if child.type == "<>" else child.type)
    if len(operands) != len(operators) + 1:
        return ir.Unknown(*span(node), tuple(operands))
    return ir.Compare(*span(node), tuple(operators), tuple(operands))


def _not(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    return ir.Not(*span(node), cx.expression(field(node, "argument"), depth + 1))


def _unary(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    operand = cx.expression(field(node, "argument"), depth + 1)
    operator = field(node, "operator").type
    line, end = span(node)
    if operator == "-" and isinstance(operand, ir.Const) and isinstance(operand.value, (int, float)):
        return ir.Const(line, end, -operand.value)
    return ir.Unary(line, end, operator, operand)


def _parenthesized(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    current = node
    while current.type == "parenthesized_expression":
        inner = named(current)
        if len(inner) != 1:
            return cx.unknown(current, depth)
        current = inner[0]
    return cx.expression(current, depth)


def _sequence(kind: str) -> ExpressionHandler:
    def handler(cx: Lowering, node: Node, depth: int) -> ir.Expr:
        return ir.Sequence(*span(node), kind, tuple(cx.expression(child, depth + 1) for child in named(node)))

    return handler


def _mapping(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    entries: list[tuple[ir.Expr | None, ir.Expr]] = []
    for child in named(node):
        if child.type == "pair":
            entries.append((cx.expression(field(child, "key"), depth + 1), cx.expression(field(child, "value"), depth + 1)))
        else:
            lowered = cx.expression(child, depth + 1)
            entries.append((None, lowered.value if isinstance(lowered, ir.Spread) else lowered))
    return ir.Mapping(*span(node), tuple(entries))


def _spread(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    inner = named(node)
    return ir.Spread(*span(node), cx.expression(inner[0], depth + 1)) if inner else ir.Unknown(*span(node))


def _conditional(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    parts = [cx.expression(child, depth + 1) for child in named(node)]
    if len(parts) != 3:
        return ir.Unknown(*span(node), tuple(parts))
    return ir.Conditional(*span(node), parts[1], parts[0], parts[2])


def _await(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    inner = named(node)
    return ir.Await(*span(node), cx.expression(inner[0], depth + 1)) if inner else ir.Unknown(*span(node))


def _yield(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    cx.yields[-1] = True
    inner = named(node)
    value = cx.expression(inner[0], depth + 1) if inner else None
    return ir.Yield(*span(node), value, any(child.type == "from" for child in node.children))


def _bind(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    return ir.Bind(*span(node), cx.expression(field(node, "name"), depth + 1), cx.expression(field(node, "value"), depth + 1))


def _single(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    """Wrappers that add nothing, such as the `type` around an annotation."""
    inner = named(node)
    return cx.expression(inner[0], depth + 1) if len(inner) == 1 else cx.unknown(node, depth)


def _generic(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    """`Annotated[str, Query()]` in an annotation."""
    line, end = span(node)
    base, *rest = named(node) or [node]
    keys = tuple(cx.expression(child, depth + 2) for part in rest for child in named(part))
    key = keys[0] if len(keys) == 1 else ir.Sequence(line, end, "tuple", keys)
    return ir.Index(line, end, cx.expression(base, depth + 1) if base is not node else ir.Unknown(line, end), key)


EXPRESSIONS: dict[str, ExpressionHandler] = {
    "identifier": _name,
    "keyword_identifier": _name,
    "attribute": _attribute,
    "subscript": _subscript,
    "slice": _slice,
    "binary_operator": _binary,
    "boolean_operator": _boolean,
    "comparison_operator": _compare,
    "not_operator": _not,
    "unary_operator": _unary,
    "parenthesized_expression": _parenthesized,
    "list": _sequence("list"),
    "list_pattern": _sequence("list"),
    "tuple": _sequence("tuple"),
    "tuple_pattern": _sequence("tuple"),
    "expression_list": _sequence("tuple"),
    "pattern_list": _sequence("tuple"),
    "set": _sequence("set"),
    "dictionary": _mapping,
    "list_splat": _spread,
    "list_splat_pattern": _spread,
    "dictionary_splat": _spread,
    "dictionary_splat_pattern": _spread,
    "parenthesized_list_splat": _single,
    "conditional_expression": _conditional,
    "await": _await,
    "yield": _yield,
    "named_expression": _bind,
    "type": _single,
    "as_pattern_target": _single,
    "generic_type": _generic,
    **STRINGS,
    **CALLS,
}
