"""Whole records handed out by a serialiser, secrets and all (CWE-200).

Always holds: the model declares a secret field, or is the account that a framework ships, and nothing on the way leaves the field
out. Does not belong here: answers that are put together field by field.
"""

from collections.abc import Iterator

from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.exposure import is_sensitive
from counterproof.analysis.control.lookups import SHIPPED_ACCOUNT, model_of
from counterproof.analysis.control.messages import EXPOSED_FIELD, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.control.schemas import declared
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.file import File
from counterproof.analysis.program.mentioned import outlines_with_kin
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.program.traversal import called, keyword, positional, text_of
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Expr, Function, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.severity import Confidence

_ANSWERS = ("JsonResponse", "Response", "HttpResponse", "dumps", "jsonify")
_SERIALISERS = ("ModelSerializer", "HyperlinkedModelSerializer")


def serialised_records(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """`serializers.serialize("json", User.objects.all())`, `JsonResponse(list(User.objects.values()))`: every column goes out."""
    seen: set[int] = set()
    for operation in operations:
        for ground, function in closure(program, operation.ground, operation.function)[0]:
            if id(function) in seen:
                continue
            seen.add(id(function))
            for node in walk(*function.body):
                given = _whole(ground, function, node) if isinstance(node, Call) else None
                name = _secret(program, ground, given) if given is not None else ""
                if name:
                    why = f"{name} of every record is part of the answer."
                    place = at(ground.path, node.line)
                    yield finding(quotes, EXPOSED_FIELD, place, operation.entry, why, function.qualified, Confidence.MEDIUM)


def _whole(ground: File, function: Function, call: Call) -> Expr | None:
    """The objects that a call turns into data with all their columns; None where it does not, or where nobody gets the data."""
    dotted = ground.dotted(call.callee)
    if dotted == "django.core.serializers.serialize":
        return positional(call, 1) if not keyword(call, "fields") else None
    if isinstance(call.callee, Attribute) and call.callee.name == "values" and not call.arguments:
        return call.callee.value if _goes_out(ground, function, call) else None
    if dotted.endswith("model_to_dict") and len(call.arguments) == 1:
        given = call.arguments[0].value
        made = ground.local(function, given.id) if isinstance(given, Name) else None
        return made.value if made is not None and _goes_out(ground, function, call) else None
    return None


def _goes_out(ground: File, function: Function, call: Call) -> bool:
    """Whether what a call gives is answered with, directly or through one variable."""
    for _, parent in ground.above(call):
        if isinstance(parent, Call) and called(parent) in _ANSWERS:
            return True
        if isinstance(parent, Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], Name):
            name = parent.targets[0].id
            answers = [node for node in walk(*function.body) if isinstance(node, Call) and called(node) in _ANSWERS]
            return any(isinstance(node, Name) and node.id == name for each in answers for node in walk(*each.arguments))
        if parent is function:
            return False
    return False


def _secret(program: EnteredProgram, outline: Outline, given: Expr) -> str:
    """The secret field of the model that an expression asks for; '' if it has none."""
    if model_of(program, program.file(outline.path), given) == SHIPPED_ACCOUNT:
        return "password"
    for node in walk(given):
        if isinstance(node, Name):
            found = next((each for each in declared(program, outline, node) if is_sensitive(each)), "")
            if found:
                return found
    return ""


def serialised_fields(quotes: Quotes, program: EnteredProgram) -> Iterator[Finding]:
    """Serialisers of REST framework that list a password among what they show, and are used."""
    near = outlines_with_kin(program.codebase, _SERIALISERS)
    found = [(outline, owner) for outline in near for owner in _serialisers(program, outline)]
    used = {name for names in told(program.codebase, _uses).values() for name in names} if found else set[str]()
    for outline, owner in found:
        if owner.name in used:
            yield from _shown(quotes, program, outline, owner)


def _serialisers(program: EnteredProgram, outline: Outline) -> Iterator[Class]:
    for owner in outline.module.classes:
        foreign = program.codebase.ancestry(Definition(outline, owner)).foreign if owner.bases else ()
        if any(name.rpartition(".")[2] in _SERIALISERS for name in foreign):
            yield owner


@trait("names in functions and classes")
def _uses(outline: Outline) -> list[str]:
    return sorted({node.id for node in _names(outline)})


def _names(outline: Outline) -> Iterator[Name]:
    for function in outline.module.functions:
        yield from (node for node in walk(*function.body) if isinstance(node, Name))
    for owner in outline.module.classes:
        yield from (value for value in outline.attributes(owner).values() if isinstance(value, Name))


def _shown(quotes: Quotes, program: EnteredProgram, outline: Outline, owner: Class) -> Iterator[Finding]:
    meta = outline.classes.get(f"{owner.qualified}.Meta")
    settings = outline.attributes(meta) if meta is not None else {}
    fields = settings.get("fields")
    if fields is None:
        return
    own = outline.attributes(owner)
    extra = settings.get("extra_kwargs")
    limited = {text_of(node) for node in walk(extra)} if extra is not None else set[str | None]()
    model = settings.get("model")
    for node in walk(fields):
        name = text_of(node) or ""
        if name == "__all__" and model is not None:
            name = _secret(program, outline, model)
        if is_sensitive(name) and name not in own and name not in limited:
            why = f"{name} of a stored object is part of what the serialiser shows."
            yield finding(quotes, EXPOSED_FIELD, at(outline.path, node.line), None, why, owner.qualified, Confidence.MEDIUM)
            return
