"""Stored objects that a FastAPI handler answers with as they are, secret columns and all (CWE-200).

Always holds: the class is one that a database keeps and declares the secret column itself; no response model and no annotation
of the answer narrows what goes out. Does not belong here: answers that are put together field by field.
"""

from collections.abc import Iterator

from counterproof.analysis.control.exposure import is_sensitive
from counterproof.analysis.control.messages import EXPOSED_FIELD, finding
from counterproof.analysis.control.operations import DEPENDING, Operation
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.aliases import spelled_out
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.file import File
from counterproof.analysis.program.traversal import called, calls_in, keyword
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Await,
    Call,
    Class,
    Expr,
    Function,
    Mapping,
    Name,
    Node,
    Return,
    Sequence,
)
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.severity import Confidence

_WHOLE = ("first", "one", "one_or_none", "all", "get", "scalar", "scalar_one", "scalar_one_or_none", "first_or_404", "scalars")
_ASKING = ("query", "select", "get", "exec", "execute", "scalars", "scalar")
_COLUMNS = vocabulary("column mapped_column field char text string")
_NARROWING = ("response_model", "response_model_exclude", "response_model_include", "response_class")
MAX_DEPTH = 3
MAX_STEPS = 60

Where = tuple[File, Function, Expr, int]


def whole_records(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """`return db.query(User).first()` in a handler that declares no shape for its answer."""
    seen: set[int] = set()
    for each in operations:
        if each.entry.framework != "FastAPI" or id(each.function) in seen or _is_narrowed(each.function):
            continue
        seen.add(id(each.function))
        for node in _returns(each.ground, each.function):
            name, owner = _secret(program, each, node)
            if name:
                why = f"The handler answers with a stored {owner} as it is, {name} included, and declares no response model."
                place = at(each.ground.path, node.line)
                yield finding(quotes, EXPOSED_FIELD, place, each.entry, why, each.function.qualified, Confidence.MEDIUM)
                break


def _is_narrowed(function: Function) -> bool:
    """Whether anything says what the answer looks like."""
    calls = [each.value for each in function.decorators if isinstance(each.value, Call)]
    return function.returns is not None or any(keyword(call, name) is not None for call in calls for name in _NARROWING)


def _returns(ground: File, function: Function) -> Iterator[Return]:
    for node in walk(*function.body):
        if isinstance(node, Return) and node.value is not None and ground.function(node) is function:
            yield node


def _secret(program: EnteredProgram, operation: Operation, answer: Return) -> tuple[str, str]:
    """The secret column of a record that an answer shows, and the class of the record."""
    pending: list[Where] = [(operation.ground, operation.function, answer.value, 0)] if answer.value is not None else []
    for _ in range(MAX_STEPS):
        if not pending:
            break
        where = pending.pop()
        model = _record(program, where[0], where[2])
        name = _secret_column(program, model) if model is not None else ""
        if model is not None and name and isinstance(model.node, Class):
            return name, model.node.name
        pending.extend(_further(program, *where))
    return "", ""


def _further(program: EnteredProgram, ground: File, function: Function, value: Expr, depth: int) -> Iterator[Where]:
    """What an expression shows as it is: parts of a mapping or list, what a variable was given, what a function returns."""
    match value:
        case Await(value=inner):
            yield ground, function, inner, depth
        case Mapping(entries=entries):
            yield from ((ground, function, part, depth) for _, part in entries)
        case Sequence(items=items):
            yield from ((ground, function, part, depth) for part in items)
        case Name(id=name):
            made = ground.local(function, name)
            if made is not None and made.value is not None and len(made.targets) == 1:
                yield ground, function, made.value, depth
            elif made is None and depth < MAX_DEPTH:
                yield from _injected(program, ground, function, name, depth)
        case Call() if depth < MAX_DEPTH:
            for callee in program.callees(ground, value):
                if not callee.broken and callee.function.name != "__init__":
                    yield from _of_returns(callee.ground, callee.function, depth)
        case _:
            return


def _of_returns(ground: File, function: Function, depth: int) -> Iterator[Where]:
    yield from ((ground, function, each.value, depth + 1) for each in _returns(ground, function) if each.value is not None)


def _injected(program: EnteredProgram, ground: File, function: Function, name: str, depth: int) -> Iterator[Where]:
    """What `user = Depends(current_user)` is filled with."""
    parameter = next((each for each in function.parameters if each.name == name), None)
    if parameter is None:
        return
    outline, kind = spelled_out(program.codebase, ground, parameter.annotation)
    parts = [(ground, parameter.default), (outline, kind)]
    for place, part in parts:
        for call in calls_in(part) if part is not None else ():
            if place.dotted(call.callee).rpartition(".")[2] in DEPENDING and call.arguments:
                found = program.codebase.meaning(place, call.arguments[0].value)
                if found and isinstance(found.node, Function):
                    yield from _of_returns(program.file(found.path), found.node, depth)


def _record(program: EnteredProgram, ground: File, value: Expr) -> Definition | None:
    """The class of the object, or objects, that an expression gets from a database or makes to be kept there."""
    if not isinstance(value, Call):
        return None
    made = program.codebase.meaning(ground, value.callee)
    if made and isinstance(made.node, Class):
        return made
    if not isinstance(value.callee, Attribute) or value.callee.name not in _WHOLE:
        return None
    for call in (node for node in walk(value) if isinstance(node, Call) and called(node) in _ASKING):
        first = call.arguments[0].value if call.arguments and not call.arguments[0].keyword else None
        found = program.codebase.meaning(ground, first) if isinstance(first, Name | Attribute) else None
        if found and isinstance(found.node, Class):
            return found
    return None


def _secret_column(program: EnteredProgram, model: Definition) -> str:
    """A secret field that a class declares as a column; '' for classes that no database keeps."""
    for each in program.codebase.ancestry(model).own:
        for part in each.node.body if isinstance(each.node, Class) else ():
            named = part.targets[0] if isinstance(part, Assign) and len(part.targets) == 1 else None
            if isinstance(part, Assign) and isinstance(named, Name) and is_sensitive(named.id) and _is_column(model, part):
                return named.id
    return ""


def _is_column(model: Definition, part: Assign) -> bool:
    """`password = Column(String)`; of SQLModel, any field of a class that is a table."""
    table = isinstance(model.node, Class) and any(each.keyword == "table" for each in model.node.keywords)
    return table or (isinstance(part.value, Call) and bool(_called_words(part.value) & _COLUMNS) and _is_kept(model.node))


def _called_words(call: Call) -> frozenset[str]:
    name = called(call)
    return frozenset((*words(name), name.lower()))


def _is_kept(owner: Node) -> bool:
    """A class with `__tablename__`, or one whose base is not pydantic's: its fields are columns, not those of a message."""
    return isinstance(owner, Class) and not any(isinstance(each, Name) and each.id == "BaseModel" for each in owner.bases)
