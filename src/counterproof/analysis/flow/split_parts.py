"""One part of a text that was cut at slashes or dots: `name.split("/")[1]`, `name.rsplit("/", 1)[-1]`, `name.rsplit(".", 1)[1]`.

Always holds: a part counts only if no slash can be left in it, and an ending only if it was held against a list before. Does not
belong here: what a path without slashes is good for.
"""

from counterproof.analysis.flow.hits import LISTED_ENDING, SEGMENT
from counterproof.analysis.flow.marks import narrowed_value
from counterproof.analysis.flow.values import Value
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.names import last_name


def cut(node: ir.Index, value: Value) -> Value:
    """The element, marked if it is a part between two slashes, or an ending that is on a list."""
    if value.taints and all(LISTED_ENDING in each.passed for each in value.taints) and is_ending(node):
        return narrowed_value(value, "fixed choice")
    return narrowed_value(value, SEGMENT) if value.taints and _is_part(node) else value


def is_ending(node: ir.Index) -> bool:
    """`name.rsplit(".", 1)[1]`, `os.path.splitext(name)[1]`."""
    call = node.value
    if not isinstance(call, ir.Call) or not call.arguments or _number(node.key) not in (1, -1):
        return False
    first, name = call.arguments[0].value, last_name(call.callee)
    return name == "splitext" or (name in ("split", "rsplit") and isinstance(first, ir.Const) and first.value == ".")


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
