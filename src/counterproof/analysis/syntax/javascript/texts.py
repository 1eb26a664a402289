"""Texts and collections of JavaScript that are put together by a method or a constructor, as the plain thing that comes out.

Always holds: only where the receiver is written out, so that a method of that name of something else is never meant. Does not
belong here: calls that a rule or a model must know.
"""

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

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
