"""One part of a text that was cut at slashes: `name.split("/")[1]`, `name.rsplit("/", 1)[-1]`.

Always holds: a part counts only if no slash can be left in it. Does not belong here: what a path without slashes is good for.
"""

from counterproof.analysis.flow.hits import SEGMENT
from counterproof.analysis.flow.marks import narrowed_value
from counterproof.analysis.flow.values import Value
from counterproof.analysis.syntax import ir


def cut(node: ir.Index, value: Value) -> Value:
    """The element, marked if it is a part between two slashes."""
    return narrowed_value(value, SEGMENT) if value.taints and _is_part(node) else value


def _is_part(node: ir.Index) -> bool:
    call = node.value
    if not isinstance(call, ir.Call) or not isinstance(call.callee, ir.Attribute) or not call.arguments:
        return False
    first = call.arguments[0].value
    if not isinstance(first, ir.Const) or first.value != "/" or call.callee.name not in ("split", "rsplit"):
        return False
    if len(call.arguments) == 1:
        return True
    key = _number(node.key)
    return key == (0 if call.callee.name == "split" else -1)


def _number(key: ir.Node) -> object:
    if isinstance(key, ir.Unary) and isinstance(key.operand, ir.Const) and isinstance(key.operand.value, int):
        return -key.operand.value
    return key.value if isinstance(key, ir.Const) else None
