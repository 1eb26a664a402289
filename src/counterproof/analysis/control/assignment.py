"""Mass assignment: the sender decides which fields of an object are set (CWE-915).

Always holds: the name of the field is walked back to its origin; a fixed list of names on the way makes it harmless. Does not
belong here: the values of fields.
"""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.control.access import refuses_roles
from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.fillable import PRIVILEGES, RIGHTS, decides, is_fillable
from counterproof.analysis.control.matrix import role_of
from counterproof.analysis.control.messages import MASS_ASSIGNMENT, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.control.roles import tests_caller
from counterproof.analysis.control.schemas import allows_more, declared
from counterproof.analysis.control.senders import Asked, is_sent
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.file import File
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.reaching_definitions import reaching
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import (
    Argument,
    Assign,
    Attribute,
    Call,
    Class,
    Expr,
    Function,
    Index,
    Loop,
    Name,
    Node,
)
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import Guard

_COPYING = ("dict", "copy", "to_dict")
_DUMPING = ("dict", "model_dump")
_CLEANED = ("cleaned_data", "validated_data")
_STORING = ("create", "update", "update_or_create", "get_or_create", "insert_one", "update_one", "from_dict")


def mass_assignments(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    seen: set[int] = set()
    for operation in operations:
        if role_of(program, operation.entry) is Guard.PRESENT:
            continue
        for ground, function in closure(program, operation.ground, operation.function)[0]:
            if id(function) in seen:
                continue
            seen.add(id(function))
            found: tuple[tuple[Call | Assign, str], ...] = tuple(_calls(program, ground, function))
            if not refuses_roles(function) and not tests_caller(replace(operation, ground=ground, function=function)):
                found = (*found, *_fields(program, ground, function))
            for node, why in found:
                place = at(ground.path, node.line)
                yield finding(quotes, MASS_ASSIGNMENT, place, operation.entry, why, function.qualified)


def _calls(program: EnteredProgram, ground: File, function: Function) -> Iterator[tuple[Call, str]]:
    for node in walk(*function.body):
        why = _why(program, ground, node) if isinstance(node, Call) else ""
        if why and isinstance(node, Call):
            yield node, why


def _fields(program: EnteredProgram, ground: File, function: Function) -> Iterator[tuple[Assign, str]]:
    """`user.role = body.role`: a right that the request gives."""
    for node in walk(*function.body):
        target = node.targets[0] if isinstance(node, Assign) and len(node.targets) == 1 else None
        if not isinstance(node, Assign) or not isinstance(target, Attribute) or node.value is None or target.name not in RIGHTS:
            continue
        if isinstance(target.value, Name) and target.value.id != "self" and _sent(program, ground, node.value):
            yield node, f"The request decides about {target.name}."
            return


def candidates(program: EnteredProgram) -> list[tuple[str, int]]:
    """Every place that sets fields by name or spreads a mapping into an object."""
    found: list[tuple[str, int]] = []
    for outline in having(program.codebase, _may_assign):
        for site in outline.of(Call):
            ground = program.file(outline.path)
            if _is_setattr(site.node) or (_spreads(site.node) and _target(program, ground, site.node)):
                found.append((outline.path, site.line))
    return found


@trait("fields set by name")
def _may_assign(outline: Outline) -> bool:
    return any(_is_setattr(site.node) or _spreads(site.node) for site in outline.of(Call))


def _spreads(call: Call) -> bool:
    return any(each.spread == "**" for each in call.arguments)


def _why(program: EnteredProgram, ground: File, call: Call) -> str:
    if _is_setattr(call):
        if not _is_declared(ground, call) and _sent(program, ground, call.arguments[1].value):
            return "The name of the field comes from the request and is not taken from a fixed list."
        return _whole_schema(program, ground, call)
    if _is_dictionary_update(call) and _sent(program, ground, call.arguments[0].value):
        return "Whatever the request holds is written into the object's own dictionary."
    for each in call.arguments if _target(program, ground, call) else ():
        why = _taken_over(program, ground, call, each)
        if why:
            return why
    return ""


def _taken_over(program: EnteredProgram, ground: File, call: Call, argument: Argument) -> str:
    """What one argument lets the sender decide about the object that is made or changed."""
    made = program.codebase.meaning(ground, call.callee)
    made = made if made is not None and isinstance(made.node, Class) else None
    if argument.spread == "**":
        schema = _schema(program, ground, argument.value, call)
        if schema is not None:
            fields = _privileged_schema(program, ground, argument.value, schema, made)
            return f"The body's own model lets the request decide about {fields}." if fields else ""
        if _sent(program, ground, _whole(ground, call, argument.value), keys=True):
            return "All fields that the request holds are taken over."
    elif decides(program, made, argument.keyword) and _privileged(program, ground, argument, call):
        return f"The request decides about {argument.keyword}."
    return ""


def _whole(ground: File, call: Call, expr: Expr) -> Expr:
    """`request.POST.dict()` is the form itself, and so is a variable that was given a copy of it."""
    made = ground.local(ground.function(call), expr.id) if isinstance(expr, Name) else None
    if made is not None and made.value is not None and _original(made.value) is not made.value:
        expr = made.value
    return _original(expr)


def _original(expr: Expr) -> Expr:
    while isinstance(expr, Call) and isinstance(expr.callee, Attribute) and not expr.arguments and expr.callee.name in _COPYING:
        expr = expr.callee.value
    return expr


def _schema(program: EnteredProgram, ground: File, expr: Expr, call: Call) -> Expr | None:
    """The model of the body in `User(**data.model_dump())`, where that takes nothing but what it declares."""
    inner = expr.callee.value if isinstance(expr, Call) and isinstance(expr.callee, Attribute) else None
    if not isinstance(inner, Name) or not isinstance(expr, Call) or not isinstance(expr.callee, Attribute):
        return None
    function = ground.function(call)
    parameters = function.parameters if function is not None and expr.callee.name in _DUMPING else ()
    given = next((each.annotation for each in parameters if each.name == inner.id), None)
    known = given is not None and declared(program, ground, given)
    return given if known and given is not None and not allows_more(program, ground, given) else None


def _privileged_schema(program: EnteredProgram, ground: File, expr: Expr, schema: Expr, made: Definition | None) -> str:
    """The fields of the body's model that decide about rights and are not left out."""
    fields = declared(program, ground, schema)
    left_out = {text for node in walk(expr) if (text := text_of(node)) is not None}
    return ", ".join(name for name in fields if decides(program, made, name) and name not in left_out)


def _is_dictionary_update(call: Call) -> bool:
    """`user.__dict__.update(values)`, `vars(user).update(values)`."""
    if not isinstance(call.callee, Attribute) or call.callee.name != "update" or len(call.arguments) != 1:
        return False
    owner = call.callee.value
    if isinstance(owner, Attribute):
        return owner.name == "__dict__"
    return isinstance(owner, Call) and isinstance(owner.callee, Name) and owner.callee.id == "vars"


def _whole_schema(program: EnteredProgram, ground: File, call: Call) -> str:
    """`for name, value in body.model_dump().items(): setattr(user, name, value)` with a model that lets too much through."""
    source = next((parent.iterable for _, parent in ground.above(call) if isinstance(parent, Loop)), None)
    function = ground.function(call)
    if source is None or function is None:
        return ""
    made = [ground.local(function, node.id) for node in walk(source) if isinstance(node, Name)]
    sources = (source, *(each.value for each in made if each is not None and each.value is not None))
    dumped = [node for node in walk(*sources) if isinstance(node, Call) and _dumps(node)]
    spoken = {node.id for each in dumped for node in walk(each) if isinstance(node, Name)}
    given = next((each.annotation for each in function.parameters if each.name in spoken and each.annotation), None)
    if given is None:
        return ""
    if allows_more(program, ground, given):
        return "The body's own model takes fields that it does not declare, and all of them are set."
    fields = [name for name in declared(program, ground, given) if name in PRIVILEGES]
    return f"The body's own model lets the request decide about {', '.join(fields)}." if fields else ""


def _is_declared(ground: File, call: Call) -> bool:
    """Whether the names are those of a form's own fields: `for name, value in form.cleaned_data.items()`."""
    source = next((parent.iterable for _, parent in ground.above(call) if isinstance(parent, Loop)), None)
    return any(isinstance(node, Attribute) and node.name in _CLEANED for node in walk(*((source,) if source else ())))


def _dumps(call: Call) -> bool:
    if isinstance(call.callee, Attribute):
        return call.callee.name in _DUMPING
    return isinstance(call.callee, Name) and call.callee.id == "vars"


def _is_setattr(call: Call) -> bool:
    return isinstance(call.callee, Name) and call.callee.id == "setattr" and len(call.arguments) == 3


def _target(program: EnteredProgram, ground: File, call: Call) -> bool:
    """Whether a call makes or changes an object of the project or a stored record."""
    if isinstance(call.callee, Attribute) and call.callee.name in _STORING:
        return not _is_inherited(call.callee.value) and not program.callees(ground, call)
    found = program.codebase.meaning(ground, call.callee)
    return found is not None and isinstance(found.node, Class) and is_fillable(program, found)


def _is_inherited(owner: Expr) -> bool:
    """`super().create(request, **kwargs)` and `self.update(request, **kwargs)` hand on what the framework gave."""
    if isinstance(owner, Name):
        return owner.id == "self"
    return isinstance(owner, Call) and isinstance(owner.callee, Name) and owner.callee.id == "super"


def _privileged(program: EnteredProgram, ground: File, argument: Argument, call: Call) -> bool:
    """A privilege that is the request's own value, or one that a test of the request's own field decides about."""
    if _sent(program, ground, argument.value):
        return True
    if not isinstance(argument.value, Name):
        return False
    for found in reaching(ground, argument.value, argument.value.id):
        for _, parent in ground.above(found.at):
            test = getattr(parent, "test", None)
            if isinstance(test, Node) and _reads_privilege(program, ground, test, call):
                return True
    return False


def _sent(program: EnteredProgram, ground: File, expr: Expr, *, keys: bool = False) -> bool:
    return is_sent(program, Asked(ground, expr, keys))


def _reads_privilege(program: EnteredProgram, ground: File, test: Node, call: Call) -> bool:
    for node in walk(test):
        if isinstance(node, Index) and text_of(node.key) in PRIVILEGES and _sent(program, ground, node.value):
            return True
    return False
