"""The kind of a value, as far as the code shows: a literal, a constant of the project, or a value from the environment."""

from dataclasses import dataclass

from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import argument, calls_in, text_of
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_TURNING = ("encode", "fromhex", "b64decode", "unhexlify")
"""Methods that convert a string to bytes; their second argument, such as `utf-8`, is not the value."""
_ON = ("1", "true", "yes", "on", "y")
_OFF = ("0", "false", "no", "off", "n", "")
_LOOKUPS = names("setting", "lookup", None)


@dataclass(frozen=True, slots=True)
class Switch:
    """A value that turns something on or off. `certain` is False if the environment may override it."""

    on: bool | None
    certain: bool


UNDECIDED = Switch(None, False)


def constant(codebase: Codebase, outline: Outline, expr: ir.Expr | None, function: ir.Function | None = None) -> ir.Expr | None:
    """The expression itself, or the literal behind a name."""
    if isinstance(expr, ir.Const) or expr is None:
        return expr
    found = codebase.meaning(outline, expr, function)
    return found.node if found and isinstance(found.node, ir.Const) else expr


def literal(codebase: Codebase, outline: Outline, expr: ir.Expr | None, function: ir.Function | None = None) -> object:
    """The value of a literal or a named constant; None otherwise."""
    value = constant(codebase, outline, expr, function)
    return value.value if isinstance(value, ir.Const) else None


def is_fixed(codebase: Codebase, outline: Outline, expr: ir.Expr, function: ir.Function | None = None) -> bool:
    """Return True if bytes or a string are the same in every run: a literal, repeated (`b"x" * 16`), or converted from a
    literal."""
    found = codebase.meaning(outline, expr, function)
    node = found.node if found else expr
    if isinstance(node, ir.Call) and isinstance(node.callee, ir.Attribute) and node.callee.name in _TURNING:
        parts = (node.callee.value, *(each.value for each in node.arguments))
        return any(isinstance(each, ir.Const) and isinstance(each.value, str | bytes) and len(each.value) > 5 for each in parts)
    if isinstance(node, ir.Call) and outline.dotted(node.callee) in ("bytes", "bytearray"):
        return all(isinstance(each.value, ir.Const) for each in node.arguments)
    if isinstance(node, ir.Binary):
        return all(isinstance(each, ir.Const) for each in node.operands)
    return isinstance(node, ir.Const) and isinstance(node.value, str | bytes)


def switch(codebase: Codebase, outline: Outline, expr: ir.Expr | None, function: ir.Function | None = None) -> Switch:
    """Whether a value turns something on."""
    if expr is None:
        return UNDECIDED
    if isinstance(expr, ir.Not):
        inner = switch(codebase, outline, expr.operand, function)
        return Switch(None if inner.on is None else not inner.on, inner.certain)
    if isinstance(expr, ir.Const):
        return _of_literal(expr.value)
    if isinstance(expr, ir.Name):
        found = codebase.meaning(outline, expr, function)
        if found and isinstance(found.node, ir.Const):
            return _of_literal(found.node.value)
        if found and isinstance(found.node, ir.Call | ir.Compare):
            return _from_environment(found.outline, found.node)
    return _from_environment(outline, expr)


def _of_literal(value: object) -> Switch:
    if isinstance(value, bool):
        return Switch(value, True)
    if isinstance(value, int):
        return Switch(value != 0, True)
    text = value.lower() if isinstance(value, str) else None
    return Switch(True, True) if text in _ON else Switch(False, True) if text in _OFF else UNDECIDED


def _from_environment(outline: Outline, expr: ir.Expr) -> Switch:
    """A lookup with a default: the default applies to an unconfigured deployment."""
    if isinstance(expr, ir.Boolean | ir.Conditional):
        return UNDECIDED
    for call in calls_in(expr):
        if outline.dotted(call.callee) in _LOOKUPS:
            default = argument(call, 1, "default")
            if isinstance(default, ir.Const):
                found = _compared(expr, default.value) if isinstance(expr, ir.Compare) else _of_literal(default.value)
                return Switch(found.on, False)
    return UNDECIDED


def _compared(compare: ir.Compare, default: object) -> Switch:
    """`getenv("DEBUG", "True").lower() in ("true", "1")`: the comparison applied to the default."""
    texts = {text.lower() for node in walk(*compare.operands[1:]) if (text := text_of(node)) is not None}
    if not isinstance(default, str) or len(compare.operators) != 1 or not texts:
        return UNDECIDED
    same = default.lower() in texts
    return Switch(same, True) if compare.operators[0] in ("==", "in") else Switch(not same, True)
