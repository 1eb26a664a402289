"""Stores as values: rows that a statement reads, and data written into tables, models and module containers that functions
fill.

Invariant: a row can be accessed by position, by name and as attributes; writes are recorded like sinks, so that callers' data is
followed into them, and are never findings themselves. Not handled here: which calls run statements, and matching writes with
reads.
"""

from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import Hit
from counterproof.analysis.flow.index import ClassInfo, is_model
from counterproof.analysis.flow.sinks import add
from counterproof.analysis.flow.statements import Selected, Written, shape_of
from counterproof.analysis.flow.values import (
    CLEAN,
    INTERNAL,
    MAX_ITEMS,
    STORED,
    UNSET,
    Constant,
    Param,
    Source,
    Step,
    StepKind,
    Taint,
    Trusted,
    Value,
    gathered,
    is_stored,
    joined,
    united_taints,
)
from counterproof.analysis.libraries.concepts import Sink
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Severity

ROWS = "<rows>"
"""The field of a cursor that contains its rows."""


ACCOUNT = "auth.User"
"""Django's built-in model of accounts, as a store."""

ACCOUNTS = frozenset({"django.contrib.auth.models.User.objects", "django.contrib.auth.get_user_model().objects"})
ACCOUNT_IN_REQUEST = "web request.user"


def stored(place: str, column: str, path: str, line: int) -> Value:
    """A value read from a store. `place` is a table or a model."""
    name = f"{place}.{column}" if column else place
    step = Step(StepKind.SOURCE, path, line, f"read back from {name}", None)
    return Value(taints=(Taint(Source(STORED, place, column, path, line), CLEAN, step),))


def row_of(sql: object, path: str, line: int) -> Value | None:
    """One row that a statement reads; None if unknown."""
    shape = shape_of(sql) if isinstance(sql, str) else None
    if not isinstance(shape, Selected):
        return None
    if not shape.columns or len(shape.columns) > MAX_ITEMS:
        return stored(shape.table, "", path, line)
    values = tuple(INTERNAL if column.startswith("(") else stored(shape.table, column, path, line) for column in shape.columns)
    named: dict[Constant, Value] = {name.strip("()"): value for name, value in zip(shape.columns, values, strict=True) if name}
    fields = {str(name): value for name, value in named.items()}
    return Value(items=values, entries=named, fields=fields)


WRITES = FlowRule(
    id="<store>",
    title="Data written into a store",
    dimension=Dimension.D1,
    kind="store",
    cwe=79,
    severity=Severity.LOW,
    consequence="",
    remedy="",
)
"""A pseudo-rule for the record of writes."""

_SINK = Sink("<store>")


def record_write(
    frame: Frame, node: ir.Node, place: str, column: str, values: list[Value], statement: Param | None = None
) -> None:
    """Record that these values are written to a column of a table or a field of a model; '' stands for any of them."""
    taints: tuple[Taint, ...] = ()
    for value in values:
        taints = united_taints(taints, tuple(each for each in gathered(value) if not is_stored(each)))
    if not taints:
        return
    add(
        frame,
        Hit(
            WRITES, _SINK, frame.path, node.line, node.end, frame.qualified, f"{place}\n{column}", taints, Trusted.NONE, None,
            True, frame.path, node.line, node.end, statement=statement,
        ),
    )  # fmt: skip


def write_columns(frame: Frame, node: ir.Node, shape: Written, parameters: Value | None, sql: Value) -> None:
    """Record a statement with the values of its placeholders; data inside the statement's text may go to any column."""
    for column in shape.inlined or ("",):
        record_write(frame, node, shape.table, column, [sql])
    if parameters is None:
        return
    if not shape.columns:
        record_write(frame, node, shape.table, "", [parameters])
    for column, holder in shape.columns:
        record_write(frame, node, shape.table, column, [_filled(parameters, holder)])


def _filled(parameters: Value, holder: int | str) -> Value:
    if isinstance(holder, str) and parameters.entries is not None:
        return parameters.entries.get(holder, Value())
    if isinstance(holder, int) and parameters.items is not None:
        return parameters.items[holder] if holder < len(parameters.items) else Value()
    return parameters


def write_field(frame: Frame, node: ir.Node, owner: Value, name: str, value: Value) -> None:
    """Record `object.name = value` if the object is stored in a database."""
    if isinstance(owner.of, ClassInfo) and is_model(owner.of):
        record_write(frame, node, owner.of.node.name, name, [value])
        return
    if owner.path == ACCOUNT_IN_REQUEST:
        record_write(frame, node, ACCOUNT, name, [value])
        return
    for taint in owner.taints:
        if isinstance(taint.origin, Source) and taint.origin.channel == STORED and not taint.origin.parameter:
            record_write(frame, node, taint.origin.name, name, [value])


def write_object(frame: Frame, node: ir.Node, info: ClassInfo, keywords: dict[str, Value], spread: Value | None) -> None:
    """`Model(field=value)`."""
    if not is_model(info):
        return
    for name, value in keywords.items():
        record_write(frame, node, info.node.name, name, [value])
    if spread is not None:
        record_write(frame, node, info.node.name, "", [spread])


FILLING = vocabulary("append insert extend add update setdefault appendleft")
_MAKERS = vocabulary("list dict set deque defaultdict OrderedDict")


def kept_names(module: ir.Module) -> frozenset[str]:
    """Module variables with a container that some function fills."""
    containers = {
        target.id
        for node in module.body
        if isinstance(node, ir.Assign) and _is_container(node.value)
        for target in node.targets
        if isinstance(target, ir.Name)
    }
    if not containers:
        return frozenset()
    outermost = [each for each in module.functions if not each.within]  # walking these covers their nested functions
    changing = (node for node in walk(*outermost) if isinstance(node, (ir.Call, ir.Assign)))
    return frozenset(name for node in changing if (name := _changed(node)) in containers)


def _is_container(value: ir.Expr | None) -> bool:
    if isinstance(value, ir.Call):
        callee = value.callee
        return (callee.id if isinstance(callee, ir.Name) else getattr(callee, "name", "")) in _MAKERS
    return isinstance(value, (ir.Sequence, ir.Mapping))


def _changed(node: ir.Call | ir.Assign) -> str:
    """The variable whose container this node changes."""
    if isinstance(node, ir.Assign):
        return next((root_of(each.value) for each in node.targets if isinstance(each, ir.Index)), "")
    if isinstance(node.callee, ir.Attribute) and node.callee.name in FILLING:
        return root_of(node.callee.value)
    return ""


def root_of(expr: ir.Expr) -> str:
    while isinstance(expr, (ir.Attribute, ir.Index)):
        expr = expr.value
    return expr.id if isinstance(expr, ir.Name) else ""


def keep(frame: Frame, node: ir.Node, owner: ir.Expr, values: list[Value]) -> None:
    """Record that a function adds these values to a container of its module."""
    name = root_of(owner)
    if frame.function is None or not name or name in frame.env or name not in frame.engine.names.filled(frame.module):
        return
    place = place_of(frame.path, name)
    for value in values:
        inner = {**(value.entries or {}), **(value.fields or {})}
        for column, each in inner.items():
            record_write(frame, node, place, str(column), [each])
        if not inner:
            record_write(frame, node, place, "", [value])


def place_of(path: str, name: str) -> str:
    return f"{name} of {path}"


def read_back(value: Value, name: str, path: str, line: int) -> Value:
    """The module's container with the values that functions may have added."""
    kept = stored(place_of(path, name), "", path, line)
    entries: dict[Constant, Value] | None = None
    if value.entries is not None:
        entries = {key: _with(each, kept) if _holds(each) else each for key, each in value.entries.items()}
    whole = _with(value, kept)
    return Value(UNSET, (), whole.origin, whole.open, whole.path, whole.items, entries, whole.rest, whole.fields)


def _holds(value: Value) -> bool:
    return value.items is not None or value.entries is not None or value.rest is not None


def _with(value: Value, kept: Value) -> Value:
    rest = joined(value.rest, kept) if value.rest else kept
    return Value(UNSET, value.taints, value.origin, value.open, value.path, value.items, value.entries, rest, value.fields)
