"""Answers whose shape a class declares: response models of FastAPI, types of a GraphQL schema.

Always holds: fields are those that the class and its bases in the project declare; a field that is left out of the answer
(`Field(exclude=True)`) or typed as a secret is none. Does not belong here: answers that are put together in a handler.
"""

from collections.abc import Iterator

from counterproof.analysis.config.passwords import is_working_directory
from counterproof.analysis.control.exposure import is_sensitive
from counterproof.analysis.control.messages import EXPOSED_FIELD, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import keyword
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Const, Expr, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.severity import Confidence

_TYPES = names("graphql", "type-decorator")
_BASES = ("graphene.ObjectType",)
_ROOTS = vocabulary("query queries mutation mutations subscription subscriptions")
"""Fields of these are things to do, and answer with something else."""

Field = tuple[Outline, Assign, str]


def shaped_answers(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Secret fields that a declared answer shows; the first of each class."""
    shapes = [(each, found) for each in operations for found in _models(program, each)]
    told: set[tuple[str, int]] = set()
    for operation, found in (*shapes, *((None, each) for each in _graphql_types(program))):
        fields = tuple(fields_of(program, found))
        names_beside = [name for _, _, name in fields]
        for outline, field, name in fields:
            if not _is_secret(name) or is_working_directory(name, names_beside):
                continue
            if (outline.path, field.line) not in told:
                told.add((outline.path, field.line))
                why = f"{name} is part of the declared answer {found.node.name if isinstance(found.node, Class) else ''}."
                entry = operation.entry if operation is not None else None
                yield finding(quotes, EXPOSED_FIELD, at(outline.path, field.line), entry, why, name, Confidence.MEDIUM)
            break


def _is_secret(name: str) -> bool:
    """`password`, `user_ssn`, `credit_card`; not `password_login_mode`, which is about one."""
    spoken = words(name)
    if not is_sensitive(name) or is_sensitive(spoken[-1]) or spoken[-1] == "hash":
        return is_sensitive(name)
    return is_sensitive("_".join(spoken[-2:])) and not is_sensitive(spoken[-2])


def answer_fields(program: EnteredProgram, operation: Operation) -> frozenset[str]:
    """The names of all fields of a declared answer; none where nothing is declared."""
    return frozenset(name for found in _models(program, operation) for _, _, name in fields_of(program, found))


def _models(program: EnteredProgram, operation: Operation) -> tuple[Definition, ...]:
    """The declared answers of a handler, read once however many routes it has."""
    key = ("declared answers", operation.entry.framework, id(operation.function))
    return program.codebase.remembered(key, lambda: tuple(_declared(program, operation)))


def _declared(program: EnteredProgram, operation: Operation) -> Iterator[Definition]:
    """`@router.get("/users", response_model=list[UserOut])`; Django Ninja calls it `response`."""
    name = "response" if operation.entry.framework == "Ninja" else "response_model"
    for decorator in operation.function.decorators:
        given = keyword(decorator.value, name) if isinstance(decorator.value, Call) else None
        for node in walk(given) if given is not None else ():
            found = program.codebase.meaning(operation.ground, node) if isinstance(node, Name | Attribute) else None
            if found is not None and isinstance(found.node, Class):
                yield found


def _graphql_types(program: EnteredProgram) -> Iterator[Definition]:
    for outline in having(program.codebase, _has_types):
        yield from (Definition(outline, owner) for owner in outline.module.classes if _is_type(outline, owner))


@trait("shapes of GraphQL")
def _has_types(outline: Outline) -> bool:
    return any(_is_type(outline, owner) for owner in outline.module.classes)


def _is_type(outline: Outline, owner: Class) -> bool:
    marks = [each.value.callee if isinstance(each.value, Call) else each.value for each in owner.decorators]
    named = [outline.dotted(each) for each in (*marks, *owner.bases)]
    return any(each in (*_TYPES, *_BASES) for each in named) and not set(words(owner.name)) & _ROOTS


def fields_of(program: EnteredProgram, found: Definition) -> Iterator[Field]:
    for each in program.codebase.ancestry(found).own:
        for part in each.node.body if isinstance(each.node, Class) else ():
            for target in part.targets if isinstance(part, Assign) else ():
                if isinstance(part, Assign) and isinstance(target, Name) and not _is_left_out(part):
                    yield each.outline, part, target.id


def _is_left_out(field: Assign) -> bool:
    if field.annotation is not None and words_in(field.annotation) & {"secret"}:
        return True
    return isinstance(field.value, Call) and _is_true(keyword(field.value, "exclude"))


def _is_true(value: Expr | None) -> bool:
    return isinstance(value, Const) and value.value is True
