"""Literals of JavaScript and TypeScript: texts with their escapes, numbers, template texts, regular expressions, JSX.

Always holds: a number too long to matter is `Unknown`. Does not belong here: objects and arrays.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.lowering import Lowering
from counterproof.analysis.syntax.nesting import span
from counterproof.analysis.syntax.tree_walk import field, named
from counterproof.model.text import encodable

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_MAX_DIGITS = 40
UNSAFE_MARKUP = "dangerouslySetInnerHTML"
LINK = "<href>"
"""What the attribute of JSX that holds the address of a link is called as."""
ATTRIBUTES = {UNSAFE_MARKUP: UNSAFE_MARKUP, LINK: "href"}
"""Attributes of JSX that are calls of their own, by what they are called as."""
_CALLED = {written: called for called, written in ATTRIBUTES.items()}


def string(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    return ir.Const(*span(node), text_of(cx, node))


def text_of(cx: Lowering, node: Node) -> str:
    """The text that a string literal stands for."""
    parts = [_unescaped(cx.text(child)) if child.type == "escape_sequence" else cx.text(child) for child in node.named_children]
    return encodable("".join(parts))


def _unescaped(escape: str) -> str:
    body = escape[1:]
    if body in _ESCAPES:
        return _ESCAPES[body]
    digits = body[1:].strip("{}") if body[:1] in ("x", "u") else ""
    try:
        return chr(int(digits, 16)) if digits else body
    except (ValueError, OverflowError):
        return body


def number(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    written = cx.text(node).replace("_", "").removesuffix("n")
    if len(written) > _MAX_DIGITS:
        return ir.Unknown(*span(node))
    for read in (lambda: int(written, 0), lambda: float(written)):
        try:
            return ir.Const(*span(node), read())
        except (ValueError, OverflowError):
            continue
    return ir.Unknown(*span(node))


def template(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    parts: list[ir.Expr] = []
    for child in node.named_children:
        if child.type == "template_substitution":
            parts.extend(cx.expression(inner, depth + 1) for inner in named(child)[:1])
        elif child.type == "escape_sequence":
            parts.append(ir.Const(*span(child), encodable(_unescaped(cx.text(child)))))
        else:
            parts.append(ir.Const(*span(child), cx.text(child)))
    if len(parts) == 1 and len(node.named_children) == 1 and node.named_children[0].type == "template_substitution":
        where = span(node)  # `${x}` is nothing but `String(x)`
        return ir.Call(*where, ir.Name(*where, "str"), (ir.Argument(*where, parts[0]),))
    return ir.Format(*span(node), tuple(parts))


def regex(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    """A pattern made from its text, as every language can make one."""
    where = span(node)
    pattern = ir.Const(*where, cx.text(field(node, "pattern")))
    flags = ir.Const(*where, cx.text(node.child_by_field_name("flags")))
    given = (ir.Argument(*where, pattern), *((ir.Argument(*where, flags),) if flags.value else ()))
    return ir.Call(*where, ir.Attribute(*where, ir.Name(*where, "<re>"), "compile"), given)


def markup_attribute(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    """`name={value}` in JSX; attributes that turn escaping off, or that lead somewhere, are calls of their own, so that rules can
    name them."""
    parts = named(node)
    values = tuple(cx.expression(each, depth + 1) for each in parts[1:])
    called = _CALLED.get(cx.text(parts[0])) if parts else None
    if called is not None:
        where = span(node)
        return ir.Call(*where, ir.Name(*where, called), tuple(ir.Argument(*where, each) for each in values))
    return ir.Unknown(*span(node), values)


def nothing(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    return ir.Const(*span(node), None)


def true(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    return ir.Const(*span(node), True)


def false(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    return ir.Const(*span(node), False)


def empty(cx: Lowering, node: Node, depth: int) -> ir.Expr:
    """Types and the like, which hold no values."""
    return ir.Unknown(*span(node))
