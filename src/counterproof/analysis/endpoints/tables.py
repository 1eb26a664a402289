"""Routes that a loop adds from a table: `for method, path, view in ROUTES: app.router.add_route(method, path, view)`.

Invariant: the table is a literal of the same module, and every row, up to `MAX_ROWS`, becomes the call that the loop makes for
it, on the row's line. Not handled here: what a call means to a framework.
"""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.syntax.ir import Argument, Attribute, Call, Const, Expr, Function, Index, Loop, Mapping, Name, Sequence
from counterproof.analysis.syntax.walk import walk

MAX_ROWS = 300
MAX_CALLS = 20

Row = dict[str, Expr]


def every_call(outline: Outline) -> Iterator[Site[Call]]:
    """The calls of a module; calls in a loop over a table once more for each row, with the row's values."""
    yield from outline.of(Call)
    for site in outline.of(Loop):
        rows = _rows(outline, site)
        if rows:
            yield from _written_out(site, rows)


def _written_out(site: Site[Loop], rows: list[Row]) -> Iterator[Site[Call]]:
    names = frozenset(name for row in rows for name in row)
    calls = [node for node in walk(*site.node.body) if isinstance(node, Call) and _mentions(node, names)][:MAX_CALLS]
    for row in rows[:MAX_ROWS]:
        for call in calls:
            given = tuple(part for each in call.arguments for part in _filled(each, row))
            yield Site(replace(call, arguments=given), site.function, site.owner, site.tests)


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
    return value


def _part(item: Expr, key: Expr) -> Expr | None:
    """`row[1]` of a tuple, `row["path"]` of a mapping."""
    if not isinstance(key, Const):
        return None
    if isinstance(item, Sequence) and isinstance(key.value, int) and 0 <= key.value < len(item.items):
        return item.items[key.value]
    if isinstance(item, Mapping) and isinstance(key.value, str):
        return next((each for name, each in item.entries if text_of(name) == key.value), None)
    return None
