"""Calls on stores in both languages: statements that are run, rows that are fetched, model queries.

Invariant: None means an unknown store, and the call gets no special treatment. Not handled here: the use of the rows.
"""

from counterproof.analysis.flow.access import Place, element, statement_rows
from counterproof.analysis.flow.assignments import is_place, put, with_field
from counterproof.analysis.flow.django_forms import saved
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.index import ClassInfo, FunctionInfo, is_model
from counterproof.analysis.flow.statements import Selected, Written, shape_of
from counterproof.analysis.flow.stores import ACCOUNT, FILLING, ROWS, keep, record_write, row_of, stored, write_columns
from counterproof.analysis.flow.values import INTERNAL, STORED, Source, Trusted, Value, is_stored
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_RUNNING = vocabulary("execute executemany fetch fetchrow fetchval fetch_all fetch_one execute_sql")
_ONE = vocabulary("fetchone first one one_or_none fetchrow fetch_one")
_MANY = vocabulary("fetchall fetchmany all")
_SAME = vocabulary("scalars mappings unique")
_COLUMN = vocabulary("scalar scalar_one scalar_one_or_none fetchval")
_CREATING = vocabulary("create get_or_create update_or_create create_user create_superuser")
_INSERTING = vocabulary("insert_one insert_many save replace_one update_one")
_FINDING = vocabulary("find find_one aggregate")
_LOOKING_UP = vocabulary("query select get get_object_or_404 get_list_or_404 scalars")
STORING = _RUNNING | _ONE | _MANY | _SAME | _COLUMN | _CREATING | _INSERTING | _FINDING | _LOOKING_UP | FILLING
"""Names of calls on stores."""
_SCRIPT_RUNNING = vocabulary("query execute get all each run any one none many oneOrNone manyOrNone raw")
_MODELS = ("mongoose.model()", "mongoose.default.model()")
_MODEL_CREATING = vocabulary("create insertMany insertOne")
_CHANGING = vocabulary("findByIdAndUpdate findOneAndUpdate updateOne updateMany replaceOne")
_MODEL_FINDING = vocabulary("find findOne findById aggregate")
_SCRIPT_SAME = vocabulary("lean exec sort limit skip populate select toArray toObject toJSON then")
"""Methods of a query result in JavaScript that return the same objects."""
_DOCUMENTS = names("receiver", "nosql")
MAX_NODES = 3_000


def store_call(frame: Frame, node: ir.Call, target: Value, method: str, arguments: Arguments) -> Value | None:
    """The result of a call on a store, if known."""
    if target.of is not None:
        return None
    receiver = arguments.receiver
    if receiver is not None:
        if method in FILLING and isinstance(node.callee, ir.Attribute):
            keep(frame, node, node.callee.value, arguments.every())
            return None
        if method in _RUNNING and node.arguments:
            return _run(frame, node, method, receiver, arguments)
        rows = (receiver.fields or {}).get(ROWS)
        if rows is not None:
            return _fetched(method, rows, Place(frame.path, node.line))
        if method == "save" and isinstance(receiver.of, ClassInfo):
            return _saved(frame, node, receiver.of)
        if method in _CREATING:
            _create(frame, node, receiver, arguments)
        if receiver.path.startswith(_DOCUMENTS):
            return _collection(frame, node, method, receiver, arguments)
    return _looked_up(frame, node, arguments)


def _run(frame: Frame, node: ir.Call, method: str, receiver: Value, arguments: Arguments) -> Value | None:
    """Record what `cursor.execute(statement, parameters)` writes or reads."""
    sql = arguments.at(0, "sql") or arguments.at(0, "query")
    if sql is None:
        return None
    parameters = arguments.at(1, "parameters") or arguments.at(1, "params") or arguments.at(1, "vars")
    if sql.sym is not None:
        if parameters is not None:
            record_write(frame, node, "", "", [parameters], statement=sql.sym)
        rows = statement_rows(sql, Place(frame.path, node.line))
    else:
        text = sql.const if isinstance(sql.const, str) else skeleton(frame, node.arguments[0].value)
        shape = shape_of(text) if text else None
        if isinstance(shape, Written):
            write_columns(frame, node, shape, parameters, sql)
        rows = row_of(text, frame.path, node.line)
    if rows is None:
        return None
    owner = node.callee.value if isinstance(node.callee, ir.Attribute) else None
    if owner is not None and is_place(owner):
        put(frame, owner, with_field(receiver, ROWS, rows))
    if method in _ONE or method in _COLUMN:
        return rows
    return Value(
        origin=Trusted.INTERNAL, path=f"{receiver.path}.{method}()" if receiver.path else "", rest=rows, fields={ROWS: rows}
    )


def _fetched(method: str, row: Value, at: Place) -> Value | None:
    if method in _ONE:
        return row
    if method in _MANY:
        return Value(origin=Trusted.INTERNAL, rest=row)
    if method in _SAME:
        return Value(origin=Trusted.INTERNAL, rest=row, fields={ROWS: row})
    return element(row, 0, at) if method in _COLUMN else None


def _create(frame: Frame, node: ir.Call, receiver: Value, arguments: Arguments) -> None:
    """`Model.objects.create(field=value)`, `Model.create(…)`."""
    if isinstance(receiver.of, ClassInfo) and is_model(receiver.of):
        place = receiver.of.node.name
    else:
        places = [
            each.origin.name for each in receiver.taints if isinstance(each.origin, Source) and each.origin.channel == STORED
        ]
        if not places:
            return
        place = places[0]
    for name, value in arguments.keywords.items():
        record_write(frame, node, place, name, [value])
    if place == ACCOUNT and arguments.positional:
        record_write(frame, node, place, "username", [arguments.positional[0]])
    if arguments.spread is not None:
        record_write(frame, node, place, "", [arguments.spread])


def _saved(frame: Frame, node: ir.Call, form: ClassInfo) -> Value | None:
    """`form.save()`: writes the submitted values to the form's model and returns the object."""
    found = saved(frame.engine.index, form)
    if found is None:
        return None
    model, fields = found
    for name, value in fields.items():
        record_write(frame, node, model.node.name, name, [value])
    return Value(of=model, origin=Trusted.INTERNAL, fields=dict(fields) or None)


def _collection(frame: Frame, node: ir.Call, method: str, receiver: Value, arguments: Arguments) -> Value | None:
    """`database.posts.insert_one({…})` and `database.posts.find(…)`."""
    name = receiver.path.rstrip("[]()").rpartition(".")[2]
    if method in _INSERTING:
        _write_documents(frame, node, name, arguments.positional)
        return None
    if method in _FINDING:
        row = stored(name, "", frame.path, node.line)
        return row if method == "find_one" else Value(origin=Trusted.INTERNAL, rest=row)
    return None


def _write_documents(frame: Frame, node: ir.Node, place: str, given: list[Value]) -> None:
    """Record the fields of documents, and of those inside `$set` and similar operators."""
    for value in given:
        entries = value.entries or {}
        for key, inner in entries.items():
            changed = inner.entries if key in ("$set", "$push", "$addToSet") and inner.entries else {key: inner}
            for column, each in changed.items():
                record_write(frame, node, place, str(column), [each])
        if not entries:
            record_write(frame, node, place, "", [value])


def _looked_up(frame: Frame, node: ir.Call, arguments: Arguments) -> Value | None:
    """`session.query(Model)`, `select(Model)`, `get_object_or_404(Model, …)`, and later calls on their results."""
    for value in arguments.positional[:2]:
        if isinstance(value.of, ClassInfo) and value.path == "class" and is_model(value.of):
            return stored(value.of.node.name, "", frame.path, node.line)
    return None


def script_store_call(frame: Frame, node: ir.Call, target: Value, method: str, arguments: Arguments) -> Value | None:
    """The result of a call on a store, if known."""
    receiver = arguments.receiver
    if receiver is None:
        if target.path in _MODELS and isinstance(node.callee, ir.Name):  # new Model({…})
            _write_documents(frame, node, node.callee.id, arguments.positional[:1])
        return None
    if method in _SCRIPT_SAME and receiver.taints and all(map(is_stored, receiver.taints)):
        return receiver
    if receiver.path in _MODELS and isinstance(node.callee, ir.Attribute) and isinstance(node.callee.value, ir.Name):
        return _asked_of_model(frame, node, node.callee.value.id, method, arguments)
    return rows_of(frame, node, method, arguments)


def rows_of(frame: Frame, node: ir.Call, method: str, arguments: Arguments) -> Value | None:
    """The result of a reading statement: rows, `[rows, fields]` or `{rows}`, depending on the driver. Writes are recorded."""
    sql = arguments.at(0)
    if method not in _SCRIPT_RUNNING or sql is None or not node.arguments:
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


def _asked_of_model(frame: Frame, node: ir.Call, model: str, method: str, arguments: Arguments) -> Value | None:
    if method in _MODEL_CREATING:
        _write_documents(frame, node, model, arguments.positional[:1])
    elif method in _CHANGING:
        _write_documents(frame, node, model, arguments.positional[1:2])
    elif method not in _MODEL_FINDING:
        return None
    return stored(model, "", frame.path, node.line)


def skeleton(frame: Frame, expr: ir.Expr, depth: int = 3) -> str:
    """The fixed text of a built statement, with `~` for inserted data; '' if there is none."""
    if isinstance(expr, ir.Const):
        return expr.value if isinstance(expr.value, str) else ""
    if isinstance(expr, (ir.Format, ir.Concat)):
        return "".join(each.value if isinstance(each, ir.Const) and isinstance(each.value, str) else "~" for each in expr.parts)
    if isinstance(expr, ir.Binary):
        return skeleton(frame, expr.operands[0], depth)
    if depth and isinstance(expr, ir.Call):
        if isinstance(expr.callee, ir.Attribute) and expr.callee.name == "format":
            return skeleton(frame, expr.callee.value, depth - 1)
        return skeleton(frame, expr.arguments[0].value, depth - 1) if expr.arguments else ""
    if depth and isinstance(expr, ir.Name) and frame.function is not None:
        return _assigned(frame, frame.function.node, expr.id, depth)
    return ""


def _assigned(frame: Frame, function: ir.Function, name: str, depth: int) -> str:
    """The first string assigned to a variable of the function."""
    for count, node in enumerate(walk(*function.body)):
        if count > MAX_NODES:
            break
        if isinstance(node, ir.Assign) and node.value is not None and _sets(node, name):
            return skeleton(frame, node.value, depth - 1)
    return ""


def _sets(node: ir.Assign, name: str) -> bool:
    return any(isinstance(each, ir.Name) and each.id == name for each in node.targets)
