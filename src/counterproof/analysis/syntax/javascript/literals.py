"""Literals of JavaScript and TypeScript: texts with their escapes, numbers, template texts, regular expressions, JSX, and what
a method or a constructor puts together from written-out texts, as the plain thing that comes out.

Invariant: a number too long to matter is `Unknown`; a method is read only where its receiver is written out, so that a method
of that name of something else is never meant. Not handled here: objects and arrays, and calls that a rule or a model must
know.
"""

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.lowering import Lowering
from counterproof.analysis.syntax.tree_walk import field, named, span
from counterproof.analysis.syntax.walk import walk
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


_TEXTS = (ir.Format, ir.Concat)


def put_together(callee: ir.Attribute, arguments: tuple[ir.Argument, ...], where: tuple[int, int]) -> ir.Expr | None:
    """`"a".concat(b, c)` and `["a", b].join("-")` are `"a" + b + c` and `"a" + "-" + b`."""
    if any(each.spread for each in arguments):
        return None
    owner = callee.value
    if isinstance(owner, ir.Name) and owner.id == "Object" and arguments:
        return _object(callee.name, tuple(each.value for each in arguments), where)
    if callee.name == "concat" and arguments and _is_text(owner):
        empty = isinstance(owner, ir.Const) and not owner.value
        return ir.Concat(*where, (*(() if empty else (owner,)), *(each.value for each in arguments)))
    if callee.name == "join" and isinstance(owner, ir.Sequence) and owner.items and len(arguments) == 1:
        between = arguments[0].value
        if not isinstance(between, ir.Const) or any(isinstance(each, ir.Spread) for each in owner.items):
            return None
        parts: list[ir.Expr] = [owner.items[0]]
        for each in owner.items[1:]:
            parts += [each] if between.value == "" else [between, each]
        return ir.Format(*where, tuple(parts))
    return None


def _object(name: str, given: tuple[ir.Expr, ...], where: tuple[int, int]) -> ir.Expr | None:
    """`Object.freeze(x)` is `x`; `Object.assign({}, a, b)` is `{...a, ...b}`."""
    if name in ("freeze", "seal") and len(given) == 1:
        return given[0]
    if name == "assign" and isinstance(given[0], ir.Mapping):
        return ir.Mapping(*where, spread_out([(None, each) for each in given]))
    return None


def spread_out(entries: list[tuple[ir.Expr | None, ir.Expr]]) -> tuple[tuple[ir.Expr | None, ir.Expr], ...]:
    """The entries of an object, with those of objects that are written out inside it in their place: `{...{a: 1}, b}`."""
    found: list[tuple[ir.Expr | None, ir.Expr]] = []
    for key, value in entries:
        found += value.entries if key is None and isinstance(value, ir.Mapping) else [(key, value)]
    return tuple(found)


def _is_text(expr: ir.Expr) -> bool:
    return isinstance(expr, _TEXTS) or (isinstance(expr, ir.Const) and isinstance(expr.value, str))


def made(name: str, arguments: tuple[ir.Argument, ...], where: tuple[int, int]) -> ir.Expr | None:
    """`new Set(list)` holds what the list holds; `new Map()` is an object; `new RegExp("a+")` is the pattern as written."""
    first = arguments[0].value if arguments and not arguments[0].spread else None
    if name == "Set":
        return first if isinstance(first, (ir.Sequence, ir.Name)) else ir.Sequence(*where, "set", ()) if first is None else None
    if name in ("Map", "WeakMap"):
        return _mapping(first, where)
    if name == "RegExp" and isinstance(first, ir.Const) and isinstance(first.value, str):
        compiled = ir.Attribute(*where, ir.Name(*where, "<re>"), "compile")
        return ir.Call(*where, compiled, (ir.Argument(*where, first),))
    return None


def _mapping(first: ir.Expr | None, where: tuple[int, int]) -> ir.Expr | None:
    """`new Map([["a", 1]])`; None where the pairs are not written out."""
    if first is None:
        return ir.Mapping(*where, ())
    pairs = first.items if isinstance(first, ir.Sequence) else ()
    entries = tuple((each.items[0], each.items[1]) for each in pairs if isinstance(each, ir.Sequence) and len(each.items) == 2)
    return ir.Mapping(*where, entries) if pairs and len(entries) == len(pairs) else None


def looked_for(made: ir.Statement, name: str) -> ir.Expr | None:
    """In `list.some((each) => each === x)` that is `x`."""
    if not isinstance(made, ir.Function) or made.name != name or len(made.parameters) != 1:
        return None
    last = made.body[-1] if len(made.body) == 2 else None  # the first statement lists the variables
    asked = last.value if isinstance(last, ir.Return) else None
    if not isinstance(asked, ir.Compare) or asked.operators != ("==",):
        return None
    own = made.parameters[0].name
    others = [each for each in asked.operands if not (isinstance(each, ir.Name) and each.id == own)]
    mentioned = any(isinstance(node, ir.Name) and node.id == own for each in others for node in walk(each))
    return others[0] if len(others) == 1 and not mentioned else None


def is_everywhere(pattern: ir.Expr) -> bool:
    """Whether a pattern as written, `/[^a-z]/g`, is looked for again and again."""
    if not isinstance(pattern, ir.Call) or not isinstance(pattern.callee, ir.Attribute) or len(pattern.arguments) != 2:
        return False
    owner, flags = pattern.callee.value, pattern.arguments[1].value
    written = isinstance(owner, ir.Name) and owner.id == "<re>"
    return written and isinstance(flags, ir.Const) and isinstance(flags.value, str) and "g" in flags.value
