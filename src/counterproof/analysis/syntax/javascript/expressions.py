"""Expressions of JavaScript and TypeScript, one small function per node type, gathered in `EXPRESSIONS`.

Invariant: chains of one operator come out flat, however long. Not handled here: calls, literals, definitions.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import literals
from counterproof.analysis.syntax.javascript.calls import call, is_of_kind, member, subscript
from counterproof.analysis.syntax.javascript.definitions import class_, function, hint, inline
from counterproof.analysis.syntax.javascript.literals import spread_out
from counterproof.analysis.syntax.javascript.lowering import EXPORTS, ExpressionHandler, Lowering
from counterproof.analysis.syntax.javascript.patterns import PATTERNS, bind
from counterproof.analysis.syntax.javascript.scopes import CLASSES
from counterproof.analysis.syntax.tree_walk import field, named, span
from counterproof.analysis.syntax.walk import is_pattern

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_KINDS = {"number": "int", "string": "str"}
_MISSING = (("==", -1), ("<", 0))
_FOUND = (("!=", -1), (">", -1), (">=", 0))

_COMPARISONS = {"==": "==", "===": "==", "!=": "!=", "!==": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "in": "in"}
_LOGICAL = {"&&": "and", "||": "or", "??": "or"}
_WHOLE_ASSIGNMENTS = {"||=": "or", "??=": "or", "&&=": "and"}


def _identifier(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    name = cx.this[-1] if node.type == "this" else cx.text(node)
    name = cx.selves[-1].get(name, name)
    if name == "undefined":
        return ir.Const(*span(node), None)
    return ir.Name(*span(node), EXPORTS if name == "exports" else name)


def _inner(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    """Parentheses, casts and the like: what stands inside."""
    parts = named(node)
    if not parts:
        return ir.Unknown(*span(node))
    return cx.expression(parts[-1] if node.type == "type_assertion" else parts[0], depth + 1)


def _last(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    """`(a, b)`: all are evaluated, the last is the value; `(0, module.f)(x)` is how compilers write `f(x)`."""
    parts = named(node)
    for each in parts[:-1]:
        if each.type != "number":
            cx.pending.append(ir.ExprStatement(*span(each), cx.expression(each, depth + 1)))
    return cx.expression(parts[-1], depth + 1) if parts else ir.Unknown(*span(node))


def _operands(cx: Lowering, node: Node, operator: str, depth: int) -> tuple[ir.Expr, ...]:
    """All operands of a chain of one operator, from left to right, without recursion."""
    right: list[Node] = []
    current = node
    while current.type == "binary_expression" and cx.text(current.child_by_field_name("operator")) == operator:
        right.append(field(current, "right"))
        current = field(current, "left")
    return tuple(cx.expression(each, depth + 1) for each in (current, *reversed(right)))


def _binary(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    operator = cx.text(node.child_by_field_name("operator"))
    if operator in _COMPARISONS:
        return compare(cx, node, _COMPARISONS[operator], depth)
    operands = _operands(cx, node, operator, depth)
    if operator == "+":
        return ir.Concat(*span(node), operands)
    if operator in _LOGICAL:
        return ir.Boolean(*span(node), _LOGICAL[operator], operands)
    if operator == "instanceof":
        return ir.Unknown(*span(node), ())
    return ir.Binary(*span(node), operator, operands)


def _unary(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    operator = cx.text(node.child_by_field_name("operator"))
    operand = cx.expression(field(node, "argument"), depth + 1)
    if operator == "!":
        return ir.Not(*span(node), operand)
    if operator == "+":  # a number, as `Number(x)` makes it
        return ir.Call(*span(node), ir.Name(*span(node), "int"), (ir.Argument(*span(node), operand),))
    return ir.Unary(*span(node), operator, operand)


def _update(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    return ir.Unary(*span(node), "+", cx.expression(field(node, "argument"), depth + 1))


def _ternary(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    test, then, other = (cx.expression(field(node, name), depth + 1) for name in ("condition", "consequence", "alternative"))
    return ir.Conditional(*span(node), test, then, other)


def _assignment(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    target = field(node, "left")
    value = cx.expression(field(node, "right"), depth + 1)
    if target.type in PATTERNS:
        cx.pending.extend(bind(cx, target, value, depth + 1))
        return value
    return ir.Bind(*span(node), cx.expression(target, depth + 1), value)


def _augmented(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    where = span(node)
    operator = cx.text(node.child_by_field_name("operator"))
    target, value = cx.expression(field(node, "left"), depth + 1), cx.expression(field(node, "right"), depth + 1)
    if operator in _WHOLE_ASSIGNMENTS:
        return ir.Bind(*where, target, ir.Boolean(*where, _WHOLE_ASSIGNMENTS[operator], (target, value)))
    joined = ir.Concat(*where, (target, value)) if operator == "+=" else ir.Binary(*where, operator[:-1], (target, value))
    return ir.Bind(*where, target, joined)


def _array(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    return ir.Sequence(*span(node), "list", tuple(cx.expression(each, depth + 1) for each in named(node)))


def _spread(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    return ir.Spread(*span(node), _inner(cx, node, depth))


def _object(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    entries: list[tuple[ir.Expr | None, ir.Expr]] = []
    for each in named(node):
        where = span(each)
        if each.type == "pair":
            entries.append((_key(cx, field(each, "key"), depth), cx.expression(field(each, "value"), depth + 1)))
        elif each.type == "shorthand_property_identifier":
            entries.append((ir.Const(*where, cx.text(each)), ir.Name(*where, cx.text(each))))
        elif each.type == "spread_element":
            entries.append((None, _inner(cx, each, depth)))
        elif each.type == "method_definition":
            name = cx.fresh("function")
            cx.pending.append(function(cx, each, name, depth + 1, shown=cx.text(field(each, "name"))[:80]))
            entries.append((_key(cx, field(each, "name"), depth), ir.Name(*where, name)))
    return ir.Mapping(*span(node), spread_out(entries))


def _key(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    if node.type in ("property_identifier", "private_property_identifier"):
        return ir.Const(*span(node), cx.text(node))
    return _inner(cx, node, depth) if node.type == "computed_property_name" else cx.expression(node, depth + 1)


def _class(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    name = cx.text(node.child_by_field_name("name")) or hint(cx, node)
    cx.pending.append(class_(cx, node, name, depth + 1))
    return ir.Name(*span(node), name)


def _await(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    return ir.Await(*span(node), _inner(cx, node, depth))


def _yield(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    cx.yields[-1] = True
    delegate = any(child.type == "*" for child in node.children)
    return ir.Yield(*span(node), _inner(cx, node, depth) if named(node) else None, delegate)


EXPRESSIONS: dict[str, ExpressionHandler] = {
    **dict.fromkeys(("identifier", "shorthand_property_identifier", "this", "super", "property_identifier"), _identifier),
    **dict.fromkeys(("function_expression", "generator_function", "arrow_function", "function", "function_declaration"), inline),
    **dict.fromkeys(
        ("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion",
         "jsx_expression", "instantiation_expression"),
        _inner,
    ),
    **dict.fromkeys(CLASSES, _class),
    **dict.fromkeys(("call_expression", "new_expression"), call),
    **dict.fromkeys(("null", "undefined"), literals.nothing),
    **dict.fromkeys(("type_annotation", "type_arguments", "jsx_text", "jsx_closing_element"), literals.empty),
    "true": literals.true,
    "false": literals.false,
    "string": literals.string,
    "number": literals.number,
    "template_string": literals.template,
    "regex": literals.regex,
    "jsx_attribute": literals.markup_attribute,
    "member_expression": member,
    "subscript_expression": subscript,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "update_expression": _update,
    "ternary_expression": _ternary,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _augmented,
    "array": _array,
    "spread_element": _spread,
    "object": _object,
    "sequence_expression": _last,
    "await_expression": _await,
    "yield_expression": _yield,
}  # fmt: skip


def compare(cx: Lowering, node: Node, operator: str, depth: int) -> ir.Expr:
    """Comparisons of JavaScript and TypeScript that ask something which the intermediate form has a word for.

    Invariant: which side a constant stands on makes no difference."""
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
