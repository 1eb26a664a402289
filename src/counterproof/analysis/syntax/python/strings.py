"""Python's literals as expressions: plain and interpolated strings, joined pieces, numbers, constants.

Invariant: neighbouring literal pieces come out as one `Const`; a string with values put in is a `Format`. Not handled here:
`+` and `%`, which are operators.
"""

import re

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.python.lowering import ExpressionHandler, Lowering
from counterproof.analysis.syntax.tree_walk import named, span
from counterproof.model.text import encodable

MAX_NUMBER = 400
"""Characters of a number that is still read; a longer one is no setting anyone compares with."""

_ESCAPE = re.compile(
    r"\\(\r\n|\r|\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^{}\n]{1,100}\}|.)", re.DOTALL
)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def _parts(cx: Lowering, node: Node, depth: int) -> tuple[list[str | ir.Expr], bool]:
    """The pieces of one string token, and whether it is a bytes literal."""
    prefix = ""
    parts: list[str | ir.Expr] = []
    for child in node.named_children:
        kind = child.type
        if kind == "string_start":
            prefix = prefix_of(cx.text(child))
        elif kind == "string_content":
            parts.append(piece(cx.text(child), prefix))
        elif kind == "interpolation":
            parts.append(_interpolated(cx, child, depth))
    return parts, "b" in prefix


def _interpolated(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    inner = node.child_by_field_name("expression")
    if inner is None:
        return cx.unknown(node, depth)
    value = cx.expression(inner, depth + 1)
    line, end = span(node)
    for child in named(node):
        if child.type == "type_conversion" and cx.text(child) in ("!r", "!a"):
            value = ir.Call(line, end, ir.Name(line, end, "repr"), (ir.Argument(line, end, value),))
        elif child.type == "format_specifier" and named(child):
            value = ir.Format(line, end, (value, *(cx.unknown(each, depth + 1) for each in named(child))))
    return value


def _assembled(node: Node, parts: list[str | ir.Expr], in_bytes: bool) -> ir.Expr:
    line, end = span(node)
    merged: list[str | ir.Expr] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    if not merged:
        return ir.Const(line, end, b"" if in_bytes else "")
    if len(merged) == 1 and isinstance(merged[0], str):
        return ir.Const(line, end, as_bytes(merged[0]) if in_bytes else merged[0])
    return ir.Format(line, end, tuple(ir.Const(line, end, part) if isinstance(part, str) else part for part in merged))


def _string(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    parts, in_bytes = _parts(cx, node, depth)
    return _assembled(node, parts, in_bytes)


def _concatenated(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    every: list[str | ir.Expr] = []
    all_bytes = True
    for child in named(node):
        parts, in_bytes = _parts(cx, child, depth)
        every += parts
        all_bytes = all_bytes and in_bytes
    return _assembled(node, every, all_bytes)


def _number(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    value = number(cx.text(node))
    return ir.Unknown(*span(node)) if value is None else ir.Const(*span(node), value)


def _constant(value: bool | None) -> ExpressionHandler:
    def handler(cx: Lowering, node: Node, depth: int) -> ir.Expr:
        return ir.Const(*span(node), value)

    return handler


STRINGS: dict[str, ExpressionHandler] = {
    "string": _string,
    "concatenated_string": _concatenated,
    "integer": _number,
    "float": _number,
    "true": _constant(True),
    "false": _constant(False),
    "none": _constant(None),
}


def _unescaped(match: re.Match[str]) -> str:
    body = match.group(1)
    lead = body[0]
    if body in _SIMPLE:
        return _SIMPLE[body]
    if lead in "\r\n":
        return ""
    if lead in "01234567":
        return chr(int(body, 8))
    if lead in "xuU" and len(body) > 1:
        code = int(body[1:], 16)
        return chr(code) if code < 0x110000 else "�"
    return match.group(0)


def prefix_of(opening: str) -> str:
    """The letters before the quotes, in lower case.

    Invariant: no literal is evaluated by running code, and none can make us spend more than its own length."""
    return opening.rstrip("'\"").lower()


def piece(text: str, prefix: str) -> str:
    """One stretch of literal text inside quotes with this prefix."""
    if "f" in prefix or "t" in prefix:
        text = text.replace("{{", "{").replace("}}", "}")
    return encodable(_ESCAPE.sub(_unescaped, text)) if "\\" in text and "r" not in prefix else text


def as_bytes(text: str) -> bytes:
    return text.encode("latin-1", "replace")


def number(text: str) -> int | float | None:
    """The value of a number; None for imaginary, malformed and very long ones."""
    if len(text) > MAX_NUMBER:
        return None
    plain = text.replace("_", "").rstrip("lL")
    try:
        if plain.isdigit():
            return int(plain)
        if plain[:2].lower() in ("0x", "0o", "0b"):
            return int(plain, 0)
        return float(plain)
    except ValueError:
        return None
