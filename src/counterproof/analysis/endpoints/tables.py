"""Routes that a loop adds from a table, or a function for its callers: `for method, path, view in ROUTES: app.add(path, view)`,
and `register(View, "/path")`.

Invariant: the table is a literal of the same module, the function is of the same module and called at its top level; every row
and every such call, up to `MAX_ROWS`, becomes the calls that are made for it. Not handled here: what a call means to a framework.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from counterproof.analysis.program.interpolation import HOLE, interpolated
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.syntax.ir import (
    Argument,
    Assign,
    Attribute,
    Binary,
    Call,
    Concat,
    Const,
    Expr,
    Format,
    Function,
    Index,
    Loop,
    Mapping,
    Name,
    Sequence,
    Statement,
)
from counterproof.analysis.syntax.walk import walk

MAX_ROWS = 300
MAX_CALLS = 20

Row = dict[str, Expr]


def every_call(outline: Outline) -> Iterator[Site[Call]]:
    """The calls of a module; calls in a loop over a table once more for each row, with the row's values; calls in a function
    that the module itself calls once more for each of these calls, with its arguments."""
    yield from outline.of(Call)
    for site in outline.of(Loop):
        if rows := _rows(outline, site):
            yield from _written_out(site, site.node.body, rows)
    served: dict[str, list[Site[Call]]] = {}
    for site in outline.of(Call):
        if site.function is None and isinstance(site.node.callee, Name) and site.node.arguments:
            served.setdefault(site.node.callee.id, []).append(site)
    for name, sites in served.items():
        helper = outline.functions.get(name)
        if helper is not None and helper.parameters:
            yield from _written_out(sites[0], helper.body, [_given(outline, helper, each.node) for each in sites[:MAX_ROWS]])


def _given(outline: Outline, helper: Function, call: Call) -> Row:
    """The values of a function's parameters in one call, and of the variables that it makes of them."""
    row: Row = {each.name: each.default for each in helper.parameters if each.default is not None}
    named = [each.name for each in helper.parameters if each.kind == "positional"]
    row |= dict(zip(named, (each.value for each in call.arguments if not each.keyword and not each.spread), strict=False))
    row |= {each.keyword: each.value for each in call.arguments if each.keyword}
    for made in outline.of(Assign):
        if made.function is helper and made.node.value is not None and isinstance(made.node.targets[0], Name):
            row.setdefault(made.node.targets[0].id, _value(made.node.value, row))
    return row


def _written_out(site: Site[Any], body: Iterable[Statement], rows: list[Row]) -> Iterator[Site[Call]]:
    names = frozenset(name for row in rows for name in row)
    calls = [node for node in walk(*body) if isinstance(node, Call) and _mentions(node, names)][:MAX_CALLS]
    for row in rows[:MAX_ROWS]:
        for call in calls:
            given = tuple(part for each in call.arguments for part in _filled(each, row))
            callee = _value(call.callee, row)
            yield Site(replace(call, callee=callee, arguments=given), site.function, site.owner, site.tests)


def _mentions(call: Call, names: frozenset[str]) -> bool:
    return any(isinstance(node, Name) and node.id in names for each in call.arguments for node in walk(each.value))


def _rows(outline: Outline, site: Site[Loop]) -> list[Row]:
    """The values of the loop variables, per iteration; empty if the table is not a literal in this module."""
    target, table = site.node.target, _table(outline, site.function, site.node.iterable)
    if target is None or table is None:
        return []
    rows = [_bound(target, item) for item in table.items[:MAX_ROWS]]
    return [row for row in rows if row]


def _table(outline: Outline, function: Function | None, value: Expr | None) -> Sequence | None:
    if isinstance(value, Name):
        made = outline.local(function, value.id) or outline.top_level.get(value.id)
        value = made.value if made is not None else None
    return value if isinstance(value, Sequence) else None


def _bound(target: Expr, item: Expr) -> Row:
    if isinstance(target, Name):
        return {target.id: item}
    if isinstance(target, Sequence) and isinstance(item, Sequence) and len(target.items) == len(item.items):
        pairs = zip(target.items, item.items, strict=True)
        return {name.id: value for name, value in pairs if isinstance(name, Name)}
    return {}


def _filled(argument: Argument, row: Row) -> Iterator[Argument]:
    """An argument with the row's values in place of the loop variables; `*row` is expanded."""
    value = _value(argument.value, row)
    if argument.spread == "*" and isinstance(value, Sequence):
        yield from (Argument(each.line, each.end, each) for each in value.items)
    elif argument.spread == "**" and isinstance(value, Mapping):
        yield from (Argument(each.line, each.end, each, name) for key, each in value.entries if (name := text_of(key)))
    else:
        yield replace(argument, value=value)


def _value(value: Expr, row: Row) -> Expr:
    if isinstance(value, Name):
        return row.get(value.id, value)
    if isinstance(value, Index) and isinstance(value.value, Name) and value.value.id in row:
        return _part(row[value.value.id], value.key) or value
    if isinstance(value, Attribute):
        return replace(value, value=_value(value.value, row))
    if isinstance(value, Call):
        return replace(value, callee=_value(value.callee, row))
    if isinstance(value, Binary):
        return _text(replace(value, operands=tuple(_value(each, row) for each in value.operands)))
    if isinstance(value, Format | Concat):
        return _text(replace(value, parts=tuple(_value(each, row) for each in value.parts)))
    if isinstance(value, Sequence):
        return replace(value, items=tuple(_value(each, row) for each in value.items))
    return value


def _text(value: Expr) -> Expr:
    """The text of a string that is built of texts alone; other values as they are."""
    built = interpolated(value)
    texts = [text_of(each) for each in built.values] if built else []
    if built is None or built.text.count(HOLE) != len(texts) or None in texts:
        return value
    first, *rest = built.text.split(HOLE)
    return Const(value.line, value.end, first + "".join(f"{text}{after}" for text, after in zip(texts, rest, strict=True)))


def _part(item: Expr, key: Expr) -> Expr | None:
    """`row[1]` of a tuple, `row["path"]` of a mapping."""
    if not isinstance(key, Const):
        return None
    if isinstance(item, Sequence) and isinstance(key.value, int) and 0 <= key.value < len(item.items):
        return item.items[key.value]
    if isinstance(item, Mapping) and isinstance(key.value, str):
        return next((each for name, each in item.entries if text_of(name) == key.value), None)
    return None
