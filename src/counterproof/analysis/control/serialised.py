"""Whole records handed out by a serialiser, secrets and all (CWE-200).

Always holds: the model declares a secret field, or is the account that a framework ships, and nothing on the way leaves the field
out. Does not belong here: answers that are put together field by field.
"""

from collections.abc import Iterator

from counterproof.analysis.backward.program import Program
from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.exposure import is_sensitive
from counterproof.analysis.control.lookups import SHIPPED_ACCOUNT, model_of
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.control.schemas import declared
from counterproof.analysis.control.wording import EXPOSED_FIELD, finding
from counterproof.analysis.flow.quoting import Quotes
from counterproof.analysis.outline.codebase import Definition
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.traversal import keyword, positional, text_of
from counterproof.analysis.syntax.ir import Call, Class, Expr, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.severity import Confidence

_SERIALISERS = ("ModelSerializer", "HyperlinkedModelSerializer")


def serialised_records(quotes: Quotes, program: Program, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """`serializers.serialize("json", User.objects.all())`: every column goes out."""
    seen: set[int] = set()
    for operation in operations:
        for ground, function in closure(program, operation.ground, operation.function)[0]:
            if id(function) in seen:
                continue
            seen.add(id(function))
            for node in walk(*function.body):
                if not isinstance(node, Call) or ground.outline.dotted(node.callee) != "django.core.serializers.serialize":
                    continue
                given = positional(node, 1)
                name = _secret(program, ground.outline, given) if given is not None and not keyword(node, "fields") else ""
                if name:
                    why = f"{name} of every record is part of the answer."
                    place = at(ground.path, node.line)
                    yield finding(quotes, EXPOSED_FIELD, place, operation.entry, why, function.qualified, Confidence.MEDIUM)


def _secret(program: Program, outline: Outline, given: Expr) -> str:
    """The secret field of the model that an expression asks for; '' if it has none."""
    if model_of(program, program.ground(outline.path), given) == SHIPPED_ACCOUNT:
        return "password"
    for node in walk(given):
        if isinstance(node, Name):
            found = next((each for each in declared(program, outline, node) if is_sensitive(each)), "")
            if found:
                return found
    return ""


def serialised_fields(quotes: Quotes, program: Program) -> Iterator[Finding]:
    """Serialisers of REST framework that list a password among what they show, and are used."""
    used = {node.id for outline in program.codebase.outlines() for node in _names(outline)}
    for outline in program.codebase.outlines():
        for owner in outline.module.classes:
            foreign = program.codebase.ancestry(Definition(outline, owner)).foreign if owner.bases else ()
            if owner.name in used and any(name.rpartition(".")[2] in _SERIALISERS for name in foreign):
                yield from _shown(quotes, outline, owner)


def _names(outline: Outline) -> Iterator[Name]:
    for function in outline.module.functions:
        yield from (node for node in walk(*function.body) if isinstance(node, Name))
    for owner in outline.module.classes:
        yield from (value for value in outline.attributes(owner).values() if isinstance(value, Name))


def _shown(quotes: Quotes, outline: Outline, owner: Class) -> Iterator[Finding]:
    meta = outline.classes.get(f"{owner.qualified}.Meta")
    settings = outline.attributes(meta) if meta is not None else {}
    fields = settings.get("fields")
    if fields is None:
        return
    own = outline.attributes(owner)
    extra = settings.get("extra_kwargs")
    limited = {text_of(node) for node in walk(extra)} if extra is not None else set[str | None]()
    for node in walk(fields):
        name = text_of(node) or ""
        if is_sensitive(name) and name not in own and name not in limited:
            why = f"{name} of a stored object is part of what the serialiser shows."
            yield finding(quotes, EXPOSED_FIELD, at(outline.path, node.line), None, why, owner.qualified, Confidence.MEDIUM)
            return
