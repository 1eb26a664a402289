"""Strings built from literals and values (f-strings, `%`, `format`, concatenation and joins), split into both.

Invariant: pure reading, one expression at a time, bounded. Not handled here: the origin of the values.
"""

import re
from dataclasses import dataclass

from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.syntax import ir

HOLE = "\x00"
"""Stands for an inserted value in the text."""

MAX_PARTS = 60
_PLACES = re.compile(r"%(?:\([^)]{0,40}\))?[-#0 +]{0,3}\d{0,4}(?:\.\d{1,4})?([a-zA-Z%])|\{[^{}]{0,80}\}")

_KEYS = re.compile(r"%\((\w{1,60})\)[-#0 +]{0,3}\d{0,4}(?:\.\d{1,4})?([a-zA-Z])")
_PLACE = re.compile(r"\{(\d{1,3}|[A-Za-z_]\w{0,60})?(?:[.:!\[][^{}]{0,40})?\}")
_FIELD = re.compile(r"\{([A-Za-z_]\w{0,60}(?:\.\w{1,60}){0,4})[^{}]{0,20}\}")


@dataclass(frozen=True, slots=True)
class Interpolation:
    """`text` has a HOLE for each of `values`, in order. Values that can only be numbers are omitted from both."""

    text: str
    values: tuple[ir.Expr, ...]


def interpolated(expr: ir.Expr) -> Interpolation | None:
    """The parts of a string built here; None for anything else, including literals."""
    match expr:
        case ir.Format(parts=parts) | ir.Concat(parts=parts):
            return _parts(parts[:MAX_PARTS])
        case ir.Binary(operator="%", operands=(frame, given)):
            return _percent(frame, given)
        case ir.Call(callee=ir.Attribute(value=frame, name="format"), arguments=arguments):
            text = text_of(frame)
            values = tuple(each.value for each in arguments[:MAX_PARTS])
            if text is not None and len(arguments) == 1 and arguments[0].spread and _is_locals(values[0]):
                values = _named(text, values[0])
            elif text is not None:
                values = _ordered(text, arguments[:MAX_PARTS]) or values
            return Interpolation(_holes(text, "{"), values) if text is not None and values else None
        case _:
            return None


def _is_locals(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Name) and expr.callee.id == "locals"


def _named(text: str, at: ir.Expr) -> tuple[ir.Expr, ...]:
    """`"{user.name} {place}".format(**locals())`: the variables and fields named in the text."""
    found: list[ir.Expr] = []
    for path in _FIELD.findall(text)[:MAX_PARTS]:
        first, *fields = path.split(".")
        value: ir.Expr = ir.Name(at.line, at.end, first)
        for each in fields:
            value = ir.Attribute(at.line, at.end, value, each)
        found.append(value)
    return tuple(found)


def _ordered(text: str, arguments: tuple[ir.Argument, ...]) -> tuple[ir.Expr, ...]:
    """The values in the order of their placeholders: `{name}`, `{0}`, `{}`; empty if one of them is missing."""
    named = {each.keyword: each.value for each in arguments if each.keyword}
    listed = [each.value for each in arguments if not each.keyword and not each.spread]
    found: list[ir.Expr] = []
    for count, place in enumerate(_PLACE.findall(text)[:MAX_PARTS]):
        position = int(place) if place.isdigit() else count
        value = named.get(place) if place and not place.isdigit() else listed[position] if position < len(listed) else None
        if value is None:
            return ()
        found.append(value)
    return tuple(found)


def _parts(parts: tuple[ir.Expr, ...]) -> Interpolation | None:
    text = ""
    values: list[ir.Expr] = []
    for each in parts:
        inner = interpolated(each)
        if isinstance(each, ir.Const):
            text += each.value if isinstance(each.value, str) else _decoded(each.value)
        elif inner is not None:
            text += inner.text
            values += inner.values
        else:
            text += HOLE
            values.append(each)
    return Interpolation(text, tuple(values)) if values and text.strip(HOLE) else None


def _decoded(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else ""


def _percent(frame: ir.Expr, given: ir.Expr) -> Interpolation | None:
    text = text_of(frame)
    if text is None and isinstance(frame, ir.Call) and isinstance(frame.callee, ir.Attribute) and not frame.arguments:
        text = text_of(frame.callee.value)  # `"…".strip() % values`
    if text is None:
        return None
    named = _by_name(text, given)
    if named is not None:
        return Interpolation(_holes(text, "%"), named) if named else None
    values = given.items if isinstance(given, ir.Sequence) else (given,)
    kinds = [found.group(1) for found in _PLACES.finditer(text) if found.group(1) not in (None, "%")]
    if len(kinds) == len(values):
        values = tuple(value for kind, value in zip(kinds, values, strict=True) if kind in "sra")
    return Interpolation(_holes(text, "%"), tuple(values)) if values else None


def _by_name(text: str, given: ir.Expr) -> tuple[ir.Expr, ...] | None:
    """`"%(name)s" % {"name": value}`, `% dict(name=value)`, `% locals()`: values in the order of the text; None for others."""
    if isinstance(given, ir.Mapping):
        held = {each.value: value for each, value in given.entries if isinstance(each, ir.Const)}
    elif isinstance(given, ir.Call) and isinstance(given.callee, ir.Name) and given.callee.id == "dict":
        held = {each.keyword: each.value for each in given.arguments if each.keyword}
    elif _is_locals(given):
        held = {name: ir.Name(given.line, given.end, name) for name, _ in _KEYS.findall(text)}
    else:
        return None
    wanted = [name for name, kind in _KEYS.findall(text)[:MAX_PARTS] if kind in "sra"]
    return tuple(held[name] for name in wanted) if all(name in held for name in wanted) else ()


def _holes(text: str, opening: str) -> str:
    def hole(found: re.Match[str]) -> str:
        if found.group(0)[0] != opening or found.group(1) == "%":
            return found.group(0)
        return HOLE if found.group(1) in (None, "s", "r", "a") else "0"

    return _PLACES.sub(hole, text)
