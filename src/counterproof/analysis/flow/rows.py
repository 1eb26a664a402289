"""Rows as values: what a statement that reads gives back.

Always holds: a row's fields can be reached by position, by name and as attributes. Does not belong here: which calls run
statements.
"""

from counterproof.analysis.flow.statements import Selected, shape_of
from counterproof.analysis.flow.values import CLEAN, INTERNAL, MAX_ITEMS, STORED, Constant, Source, Step, StepKind, Taint, Value

ROWS = "<rows>"
"""The field of a cursor that holds what it has read."""


ACCOUNT = "auth.User"
"""The model of accounts that Django ships, as a store."""

ACCOUNTS = frozenset({"django.contrib.auth.models.User.objects", "django.contrib.auth.get_user_model().objects"})
ACCOUNT_IN_REQUEST = "web request.user"


def stored(place: str, column: str, path: str, line: int) -> Value:
    """A value read back from a store. `place` is a table or a model."""
    name = f"{place}.{column}" if column else place
    step = Step(StepKind.SOURCE, path, line, f"read back from {name}", None)
    return Value(taints=(Taint(Source(STORED, place, column, path, line), CLEAN, step),))


def row_of(sql: object, path: str, line: int) -> Value | None:
    """One row of what a statement reads; None where that is not known."""
    shape = shape_of(sql) if isinstance(sql, str) else None
    if not isinstance(shape, Selected):
        return None
    if not shape.columns or len(shape.columns) > MAX_ITEMS:
        return stored(shape.table, "", path, line)
    values = tuple(INTERNAL if column.startswith("(") else stored(shape.table, column, path, line) for column in shape.columns)
    named: dict[Constant, Value] = {name.strip("()"): value for name, value in zip(shape.columns, values, strict=True) if name}
    fields = {str(name): value for name, value in named.items()}
    return Value(items=values, entries=named, fields=fields)
