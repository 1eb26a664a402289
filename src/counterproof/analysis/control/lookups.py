"""Lookups in which an id from the request selects the object to read or change, with the store.

Invariant: a field of the session or of a token comes from the server and is never an id from the request. Not handled here:
whether ownership is checked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from counterproof.analysis.control.effects import statement_texts
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.documents import CHOOSING, collection_of
from counterproof.analysis.program.file import File
from counterproof.analysis.program.program import Callee, passed
from counterproof.analysis.program.queries import runs_statement, statement_parts
from counterproof.analysis.program.request_fields import Channel, field_of
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_KEYS = vocabulary("id ids uuid pk username userid slug number")
_LOOKUPS = ("get", "filter_by", "filter", "get_or_404", "first_or_404", "find_one", "get_object_or_404", "where", "get_by_id")
_BY_MODEL = ("get_object_or_404", "get_list_or_404", "get", "get_or_404", "get_one")
"""Calls that take the model first: `get_object_or_404(Order, pk=pk)`, `session.get(Order, number)`."""

_CHANNELS = ("args", "form", "values", "GET", "POST", "data", "json", "query_params", "kwargs", "match_info", "params")
_SENT = (Channel.QUERY, Channel.BODY)
_OPTIONAL = ("if", "not", "exists", "only")
"""Words between `TABLE` and its name."""
_GIVEN = ("Request", "Response", "WebSocket", "BackgroundTasks", "UploadFile", "Session", "AsyncSession", "Annotated")
"""Classes of parameters that the framework supplies, not the sender."""

_CALLERS = vocabulary("user caller current account member principal identity customer owner me")
MAX_DEPTH = 3
SHIPPED_ACCOUNT = "auth.User"
"""A framework's own accounts: many pages show them to others, so only changes to them matter."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """A lookup in which an id from the request selects the object to read or change. `store` is the table or model."""

    call: ir.Call
    store: str
    given: tuple[ir.Expr, ...]
    """The arguments with the id."""


def tables(text: str) -> list[str]:
    """Table names of a statement."""
    spoken = [each for each in text.replace("(", " ").replace(",", " ").split() if each.lower() not in _OPTIONAL]
    pairs = pairwise(spoken)
    return [
        then.strip("`\"'[];").lower() for first, then in pairs if first.lower() in ("from", "into", "update", "join", "table")
    ]


def lookups(program: EnteredProgram, operation: Operation) -> Iterator[Lookup]:
    """Calls of the handler that pass an id from the request to a store."""
    ids, sent = _ids(operation), _sent(operation)
    bodies = frozenset(each.name for each in operation.function.parameters if _is_body(operation, each))
    for node in walk(*operation.function.body):
        if isinstance(node, ir.Call) and operation.ground.function(node) is operation.function:
            parts = statement_parts(operation.ground, operation.function, node)
            given = [
                each.value for each in node.arguments if any(_is_id(operation, part, ids, bodies) for part in walk(each.value))
            ]
            given += [each.value for each in node.arguments if _names_object(each, sent)]
            given += [parts[0]] if any(_is_id(operation, part, ids, bodies) for part in walk(*parts[1:])) else []
            if given:
                store = _store(program, operation.ground, node, given, 0)
                if store:
                    yield Lookup(node, store, tuple(given))


def _ids(operation: Operation) -> frozenset[str]:
    """Variables with an id from the request: route parameters, and fields read from the body."""
    names = [each.name for each in operation.function.parameters if f"{each.name}>" in operation.entry.path.replace("}", ">")]
    names += [
        each.name
        for each in operation.function.parameters
        if f"{{{each.name}" in operation.entry.path or f"<{each.name}>" in operation.entry.path
    ]
    names += [
        each.name for each in operation.function.parameters if set(words(each.name)) & _KEYS and each.name not in operation.handed
    ]
    for node in walk(*operation.function.body):
        if isinstance(node, ir.Assign) and isinstance(node.value, ir.Index | ir.Call) and _reads_id(operation, node.value):
            names += [target.id for target in node.targets if isinstance(target, ir.Name)]
    return frozenset(names)


def _reads_id(operation: Operation, value: ir.Index | ir.Call) -> bool:
    """A route parameter with any name, or a field named like an id."""
    field = field_of(operation.ground, operation.function, value)
    if field is not None and field.channel is Channel.PATH:
        return True
    key = _key(value) or (field.name if field is not None and field.channel in _SENT else "")
    return bool(set(words(key)) & _KEYS)


def _sent(operation: Operation) -> frozenset[str]:
    """Variables with a field of the request, under any name."""
    made = [node for node in walk(*operation.function.body) if isinstance(node, ir.Assign) and node.value is not None]
    read = [(each, field_of(operation.ground, operation.function, each.value)) for each in made]
    given = [each for each, field in read if field is not None and field.channel in _SENT]
    return frozenset(target.id for each in given for target in each.targets if isinstance(target, ir.Name))


def _names_object(argument: ir.Argument, sent: frozenset[str]) -> bool:
    """`get(id=order)`: the keyword shows that the variable selects the object."""
    return argument.keyword in ("id", "pk") and isinstance(argument.value, ir.Name) and argument.value.id in sent


def _key(value: ir.Expr) -> str:
    """`content["id"]`, `request.args.get("id")`, `self.kwargs["pk"]`: the field being read."""
    if isinstance(value, ir.Index):
        sent = isinstance(value.value, ir.Name) or (isinstance(value.value, ir.Attribute) and value.value.name in _CHANNELS)
        return (text_of(value.key) or "") if sent else ""
    if isinstance(value, ir.Call) and isinstance(value.callee, ir.Attribute) and value.callee.name == "get" and value.arguments:
        base = value.callee.value
        from_request = isinstance(base, ir.Attribute) and base.name in _CHANNELS
        return (text_of(value.arguments[0].value) or "") if from_request else ""
    return ""


def _is_body(operation: Operation, parameter: ir.Parameter) -> bool:
    """A parameter that FastAPI or Ninja fills from the request body: one with a project class that nothing is injected into."""
    if (
        operation.entry.framework not in ("FastAPI", "Ninja")
        or parameter.annotation is None
        or parameter.name in operation.handed
    ):
        return False
    found = operation.ground.dotted(parameter.annotation).rpartition(".")[2]
    return found[:1].isupper() and found not in _GIVEN


def _is_id(operation: Operation, node: ir.Node, ids: frozenset[str], bodies: frozenset[str]) -> bool:
    if isinstance(node, ir.Name):
        return node.id in ids
    if isinstance(node, ir.Attribute):
        return isinstance(node.value, ir.Name) and node.value.id in bodies and bool(set(words(node.name)) & _KEYS)
    return isinstance(node, ir.Index | ir.Call) and not _is_claim(node) and _reads_id(operation, node)


def _is_claim(node: ir.Index | ir.Call) -> bool:
    """Return True for a field of the session or of a token, which comes from the server, not the sender."""
    base = node.value if isinstance(node, ir.Index) else node.callee
    return bool(words_in(base) & {"session", "claims", "token", "payload", "identity", "user", "g"})


def is_person(parameter: ir.Parameter) -> bool:
    """Return True if an injected parameter is the caller, by its name or type."""
    parts = [each for each in (parameter.default, parameter.annotation) if each is not None]
    return bool({*words(parameter.name), *words_in(*parts)} & _CALLERS)


def _store(program: EnteredProgram, ground: File, call: ir.Call, given: list[ir.Expr], depth: int) -> str:
    """The table or model in which a call looks an object up by this argument; '' if it does not."""
    if runs_statement(ground, ground.function(call), call):
        texts = [" ".join(text.split()) for text in statement_texts(ground, call)]
        stores = [table for text in texts for table in tables(text)]
        named = bool(stores) and any(" where " in f" {text.lower()} " for text in texts)
        return (SHIPPED_ACCOUNT if stores[0] == "auth_user" else stores[0]) if named else ""
    if found := _of_method(program, ground, call):
        return found
    if depth >= MAX_DEPTH:
        return ""
    for callee in program.callees(ground, call):
        found = _inside(program, callee, call, given, depth)
        if found:
            return found
    return ""


def _of_method(program: EnteredProgram, ground: File, call: ir.Call) -> str:
    """The collection or model of `db.orders.find_one({…})`, `session.get(Order, number)`, `Order.query.get(number)`."""
    if called(call) in CHOOSING and (collection := collection_of(call)):
        return collection
    if called(call) in _BY_MODEL and (named := _named_model(program, ground, call)):
        return named
    if isinstance(call.callee, ir.Attribute) and call.callee.name in _LOOKUPS:
        return model_of(program, ground, call.callee.value)
    return ""


def _inside(program: EnteredProgram, callee: Callee, call: ir.Call, given: list[ir.Expr], depth: int) -> str:
    """The store in a project function that looks an object up by one of its parameters; the table may be a parameter too."""
    ground, function = callee.ground, callee.function
    names = {
        parameter.name
        for parameter in function.parameters
        if any(argument.value is each for argument in passed(call, callee, parameter) for each in given)
    }
    table = next((text for each in call.arguments if (text := text_of(each.value)) and text.isidentifier()), "")
    for node in walk(*function.body):
        if not isinstance(node, ir.Call) or ground.function(node) is not function:
            continue
        inner = [each.value for each in node.arguments if any(isinstance(p, ir.Name) and p.id in names for p in walk(each.value))]
        if inner:
            found = _store(program, ground, node, inner, depth + 1)
            if found:
                return table or found if not found.isidentifier() or "{" in found else found
            if isinstance(node.callee, ir.Attribute) and node.callee.name.startswith("execute") and table:
                return table
    return ""


def _named_model(program: EnteredProgram, ground: File, call: ir.Call) -> str:
    """The model in the call's first argument."""
    first = call.arguments[0].value if len(call.arguments) > 1 and not call.arguments[0].keyword else None
    found = program.codebase.meaning(ground, first) if isinstance(first, ir.Name | ir.Attribute) else None
    if found and isinstance(found.node, ir.Class):
        return found.node.name
    return model_of(program, ground, first) if first is not None else ""


def model_of(program: EnteredProgram, ground: File, receiver: ir.Expr) -> str:
    """The model of `Model.query.…`, `Model.objects.…`, `session.query(Model)`, `session.query(models.Model)`."""
    for node in walk(receiver):
        if isinstance(node, ir.Name | ir.Attribute):
            found = program.codebase.meaning(ground, node)
            if found and isinstance(found.node, ir.Class):
                return found.node.name
            if _is_account(ground, node, found):
                return SHIPPED_ACCOUNT
    return ""


def _is_account(ground: File, node: ir.Name | ir.Attribute, found: Definition | None) -> bool:
    """A framework's own user model."""
    made = found.outline.dotted(found.node.callee) if found and isinstance(found.node, ir.Call) else ""
    return made.endswith("get_user_model") or ground.dotted(node) == "django.contrib.auth.models.User"
