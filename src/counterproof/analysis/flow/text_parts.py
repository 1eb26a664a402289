"""Strings split into parts: format strings (`"a {} b".format(x)`, `"a %s b" % x`, `"".join(["a ", x])`), and one part of a string
split at slashes or dots (`name.split("/")[1]`, `name.rsplit("/", 1)[-1]`, `name.rsplit(".", 1)[1]`).

Invariant: the parts are in the order of the finished string; None if the order is unknown, as with widths from arguments; a split
part counts only if it cannot contain a slash, and an extension only if it was checked against a list. Not handled here: the
meaning of the combined parts.
"""

import re

from counterproof.analysis.flow.hits import LISTED_ENDING, SEGMENT, Arguments
from counterproof.analysis.flow.marks import narrowed_value
from counterproof.analysis.flow.values import MAX_ITEMS, Value, literal
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name

_PERCENT = re.compile(r"%(?:\((\w{1,80})\))?[-+ #0]{0,5}\d{0,5}(?:\.\d{1,5})?([a-zA-Z%])")
_BRACES = re.compile(r"\{\{|\}\}|\{(\w{0,80})(?:![rsa])?(?::[^{}]{0,40})?\}")
MAX_TEMPLATE = 20_000


def _filled(template: str, holes: re.Pattern[str], value_of: "_Values") -> list[Value] | None:
    if any(sign in piece for piece in _between(template, holes) for sign in ("%" if holes is _PERCENT else "{}")):
        return None  # `{0[name]}`, `%*d`: a placeholder that accesses parts of its argument
    parts: list[Value] = []
    text, end = "", 0
    for found in holes.finditer(template):
        text += template[end : found.start()]
        end = found.end()
        if found[0] in ("%%", "{{", "}}"):
            text += found[0][0]
            continue
        value = value_of.next(found[1])
        if value is None or len(parts) > MAX_ITEMS:
            return None
        parts += [literal(text), value] if text else [value]
        text = ""
    text += template[end:]
    return [*parts, literal(text)] if text else parts


def _between(template: str, holes: re.Pattern[str]) -> list[str]:
    ends = [0, *(at for found in holes.finditer(template) for at in found.span()), len(template)]
    return [template[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True)]


class _Values:
    """The values of the placeholders, by number and name."""

    def __init__(self, positional: list[Value], named: dict[str, Value]) -> None:
        self._positional, self._named, self._used = positional, named, 0

    def next(self, name: str | None) -> Value | None:
        if name and not name.isdigit():
            return self._named.get(name)
        place = int(name) if name else self._used
        self._used += 0 if name else 1
        return self._positional[place] if place < len(self._positional) else None


def percent_parts(template: Value, given: Value) -> list[Value] | None:
    """`template % given`."""
    if not isinstance(template.const, str) or len(template.const) > MAX_TEMPLATE:
        return None
    positional = list(given.items) if given.items is not None else [given]
    named = {key: value for key, value in (given.entries or {}).items() if isinstance(key, str)}
    return _filled(template.const, _PERCENT, _Values(positional, named))


def format_parts(template: Value, arguments: Arguments) -> list[Value] | None:
    """`template.format(…)`."""
    if not isinstance(template.const, str) or arguments.spread is not None or len(template.const) > MAX_TEMPLATE:
        return None
    return _filled(template.const, _BRACES, _Values(arguments.positional, arguments.keywords))


def join_parts(separator: Value, arguments: Arguments) -> list[Value] | None:
    """`separator.join([…])`."""
    given = arguments.at(0)
    if not isinstance(separator.const, str) or given is None or given.items is None or given.rest is not None:
        return None
    between = [literal(separator.const)] if separator.const else []
    parts: list[Value] = []
    for number, each in enumerate(given.items):
        parts += [*between, each] if number else [each]
    return parts


def cut(node: ir.Index, value: Value) -> Value:
    """The element, marked if it is a part between two slashes, or an extension on a list."""
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
