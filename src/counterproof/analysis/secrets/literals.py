"""What an expression is called, and which literals it can come from. Reads single expressions; follows no variables."""

from collections.abc import Iterator

from counterproof.analysis.libraries import names
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.secrets.candidate import Place
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted

_LOOKUPS = names("setting", "lookup", None)


def is_text(expr: ir.Expr | None) -> bool:
    return isinstance(expr, ir.Const) and isinstance(expr.value, str)


def name_of(expr: ir.Expr) -> str:
    """What an assignment or comparison calls its subject."""
    if isinstance(expr, ir.Name):
        return expr.id
    if isinstance(expr, ir.Attribute):
        return expr.name
    return (text_of(expr.key) or "") if isinstance(expr, ir.Index) else ""


def looked_up_key(expr: ir.Expr) -> str:
    """The key of `form.get("password")`."""
    if isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Attribute) and expr.arguments:
        return text_of(expr.arguments[0].value) or ""
    return ""


def without_conversion(expr: ir.Expr) -> ir.Expr:
    """`"text".encode()` and `bytes("text", "utf-8")` are their text."""
    if isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Attribute) and expr.callee.name in ("encode", "decode"):
        return expr.callee.value
    made = isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Name) and expr.callee.id in ("bytes", "bytearray")
    if isinstance(expr, ir.Call) and made and expr.arguments and is_text(expr.arguments[0].value):
        return expr.arguments[0].value
    return expr


def literals_of(value: ir.Expr, place: Place, module: ir.Module) -> Iterator[tuple[ir.Const, Place]]:
    """The literals that a value can come from: itself, a branch, or the fallback of a look-up."""
    value = without_conversion(value)
    if isinstance(value, ir.Const):
        yield value, place
    elif isinstance(value, ir.Concat) and all(is_text(each) for each in value.parts):
        texts = [text_of(each) or "" for each in value.parts]
        yield ir.Const(value.line, value.end, "".join(texts)), place
    elif isinstance(value, ir.Conditional):
        for branch in (value.then, value.other):
            if isinstance(branch, ir.Const):
                yield branch, place
    elif isinstance(value, ir.Boolean):
        if isinstance(value.operands[-1], ir.Const):
            yield value.operands[-1], Place.DEFAULT
    elif isinstance(value, ir.Call):
        yield from ((literal, Place.DEFAULT) for literal in _fallbacks(value, module))


def _fallbacks(call: ir.Call, module: ir.Module) -> Iterator[ir.Const]:
    callee = dotted(call.callee, module) or ""
    is_lookup = callee in _LOOKUPS or callee.endswith((".environ.get", "environ.setdefault"))
    for position, each in enumerate(call.arguments):
        second = is_lookup and position == 1 and not each.keyword
        second = second or (callee.endswith("pydantic.Field") and position == 0 and not each.keyword)
        if isinstance(each.value, ir.Const) and (second or each.keyword == "default"):
            yield each.value
