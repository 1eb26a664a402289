"""Calls on stores in JavaScript: statements run with a result or a callback, and Mongoose models.

Invariant: a call counts only if its statement is readable SQL or its receiver is a model; None means an unknown store. Not
handled here: the use of the rows.
"""

from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.statements import Selected, Written, shape_of
from counterproof.analysis.flow.store_reads import skeleton
from counterproof.analysis.flow.stores import record_write, stored, write_columns
from counterproof.analysis.flow.values import INTERNAL, Trusted, Value, is_stored
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir

_RUNNING = vocabulary("query execute get all each run any one none many oneOrNone manyOrNone raw")
_MODELS = ("mongoose.model()", "mongoose.default.model()")
_CREATING = vocabulary("create insertMany insertOne")
_CHANGING = vocabulary("findByIdAndUpdate findOneAndUpdate updateOne updateMany replaceOne")
_FINDING = vocabulary("find findOne findById aggregate")
_SAME = vocabulary("lean exec sort limit skip populate select toArray toObject toJSON then")
"""Methods of a query result that return the same objects."""


def script_store_call(frame: Frame, node: ir.Call, target: Value, method: str, arguments: Arguments) -> Value | None:
    """The result of a call on a store, if known."""
    receiver = arguments.receiver
    if receiver is None:
        if target.path in _MODELS and isinstance(node.callee, ir.Name):  # new Model({…})
            _write(frame, node, node.callee.id, arguments.positional[:1])
        return None
    if method in _SAME and receiver.taints and all(map(is_stored, receiver.taints)):
        return receiver
    if receiver.path in _MODELS and isinstance(node.callee, ir.Attribute) and isinstance(node.callee.value, ir.Name):
        return _asked(frame, node, node.callee.value.id, method, arguments)
    return rows_of(frame, node, method, arguments)


def rows_of(frame: Frame, node: ir.Call, method: str, arguments: Arguments) -> Value | None:
    """The result of a reading statement: rows, `[rows, fields]` or `{rows}`, depending on the driver. Writes are recorded."""
    sql = arguments.at(0)
    if method not in _RUNNING or sql is None or not node.arguments:
        return None
    text = sql.const if isinstance(sql.const, str) else skeleton(frame, node.arguments[0].value)
    shape = shape_of(text) if text else None
    if isinstance(shape, Written):
        given = arguments.at(1)
        write_columns(frame, node, shape, None if given is None or isinstance(given.of, FunctionInfo) else given, sql)
        return None
    if not isinstance(shape, Selected):
        return None
    row = stored(shape.table, "", frame.path, node.line)
    return Value(taints=row.taints, origin=Trusted.INTERNAL, rest=row, fields={"rows": Value(origin=Trusted.INTERNAL, rest=row)})


def answered(frame: Frame, node: ir.Call, method: str, arguments: Arguments) -> list[Value]:
    """The arguments of a callback of a statement or model query: an error, then rows."""
    rows = rows_of(frame, node, method, arguments) if arguments.receiver is not None else None
    return [] if rows is None else [INTERNAL, rows]


def _asked(frame: Frame, node: ir.Call, model: str, method: str, arguments: Arguments) -> Value | None:
    if method in _CREATING:
        _write(frame, node, model, arguments.positional[:1])
    elif method in _CHANGING:
        _write(frame, node, model, arguments.positional[1:2])
    elif method not in _FINDING:
        return None
    return stored(model, "", frame.path, node.line)


def _write(frame: Frame, node: ir.Node, model: str, given: list[Value]) -> None:
    for value in given:
        entries = value.entries or {}
        for key, inner in entries.items():
            changed = inner.entries if key in ("$set", "$push", "$addToSet") and inner.entries else {key: inner}
            for column, each in changed.items():
                record_write(frame, node, model, str(column), [each])
        if not entries:
            record_write(frame, node, model, "", [value])
