"""Resolvers of a GraphQL schema that anyone may call.

## What it finds
A field of a query or mutation type, in graphene, Strawberry or Ariadne, that changes what is stored or hands out accounts and
what belongs to people, while nothing in front of the schema and nothing in the resolver asks who is calling.

## Why it matters
All fields of a schema share one address: whoever reaches it can ask for every one of them, in any combination.

## What is safe
A login in front of the endpoint; middleware or extensions that check one; permission classes or a decorator on the field; a
resolver that reads the caller from its context. Enrolment and login are open by nature.

## Limits
Fields of other types are reached through root fields and not judged on their own. Guards in a proxy are not seen. Where the
program knows no callers at all, only what changes data or hands out accounts is reported.
"""

from collections.abc import Iterator

from counterproof.analysis.control.access import OPEN_BY_NATURE, SENSITIVE
from counterproof.analysis.control.effects import effects_of
from counterproof.analysis.control.graphql_guards import asks_caller, is_guarded_schema
from counterproof.analysis.control.lookups import lookups
from counterproof.analysis.control.messages import OPEN_RESOLVER, finding
from counterproof.analysis.control.operations import CREATE, READ, Operation
from counterproof.analysis.control.owned_tables import PEOPLE, is_owned, owned_stores
from counterproof.analysis.control.ownership import carries_secret
from counterproof.analysis.control.people import reads_all
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.mentioned import mentioning
from counterproof.analysis.program.program import enclosing
from counterproof.analysis.program.traversal import called, keyword
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Quotes
from counterproof.analysis.ruleset import Confidence, ControlRule, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint, Guard

_ROOTS = vocabulary("query queries mutation mutations")
_MUTATING = ("mutate", "mutate_and_get_payload")
_REMOVING = vocabulary("delete remove wipe purge reset drop clear")
_ENROLLING = vocabulary("create add new register insert")
_OURS = vocabulary("order orders document documents file files invoice invoices message messages payment payments transaction")


def open_resolvers(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Resolvers of a GraphQL schema that anyone may call: they change what is stored, or hand out what is kept about people
    (CWE-306).

    Always holds: only fields of the root types, because what is reached through them is guarded with them; only where nothing
    in front of the schema and nothing in the resolver asks who is calling.
    """
    entries = [each for each in program.entry_points if each.kind is EntryKind.RPC and each.method == "graphql"]
    if not entries or is_guarded_schema(program):
        return
    resolvers = [found for each in entries if (found := _operation(program, each)) is not None]
    asking = any(asks_caller(program, each.ground, each.function) for each in resolvers)
    knows = asking or any(each.entry.guard is Guard.PRESENT for each in operations)
    for each in resolvers:
        if each.entry.guard is Guard.PRESENT or not _is_root(program, each) or asks_caller(program, each.ground, each.function):
            continue
        why = "" if carries_secret(each) or each.words & OPEN_BY_NATURE else _why(program, each, knows)
        if why:
            place = at(each.ground.path, each.function.line)
            sure = Confidence.HIGH if asking else Confidence.MEDIUM
            yield finding(quotes, OPEN_RESOLVER, place, each.entry, why, each.function.qualified, sure)


def _operation(program: EnteredProgram, entry: EntryPoint) -> Operation | None:
    function = enclosing(program, entry.handler.path, entry.handler.start) if program.holds(entry.handler.path) else None
    if function is None:
        return None
    ground = program.file(entry.handler.path)
    effects = effects_of(program, ground, function)
    return Operation(entry, ground, function, CREATE if effects.writes else READ, "", effects)


def _is_root(program: EnteredProgram, operation: Operation) -> bool:
    function = operation.function
    if function.name in _MUTATING:
        return True
    if operation.entry.framework == "ariadne":
        return any(_binder(program, operation, each.value) != "" for each in function.decorators)
    owner = function.owner.rpartition(".")[2] if function.owner else ""
    return bool(set(words(owner)) & _ROOTS) or owner in _named_roots(program)


def _is_mutation(program: EnteredProgram, operation: Operation) -> bool:
    """Whether a field is there to change something; others may write too, a note about who asked for example."""
    function, outline = operation.function, operation.ground
    marks = [each.value.callee if isinstance(each.value, Call) else each.value for each in function.decorators]
    if function.name in _MUTATING or any(outline.dotted(each).endswith(".mutation") for each in marks):
        return True
    return any(_binder(program, operation, each.value) == "ariadne.MutationType" for each in function.decorators)


def _binder(program: EnteredProgram, operation: Operation, mark: Expr) -> str:
    """What `query` of `@query.field("users")` is, where that is a root type."""
    if not isinstance(mark, Call) or not isinstance(mark.callee, Attribute):
        return ""
    made = program.codebase.constructor(operation.ground, mark.callee.value)
    return made if made in ("ariadne.QueryType", "ariadne.MutationType") else ""


def _named_roots(program: EnteredProgram) -> frozenset[str]:
    """Classes that a schema is made of: `Schema(query=Shop, mutation=Changes)`."""

    def found() -> frozenset[str]:
        calls = [site.node for outline in mentioning(program.codebase, ("Schema",)) for site in outline.of(Call)]
        given = [keyword(each, name) for each in calls if called(each) == "Schema" for name in ("query", "mutation")]
        return frozenset(each.id for each in given if isinstance(each, Name))

    return program.codebase.remembered(("graphql roots",), found)


def _why(program: EnteredProgram, operation: Operation, knows: bool) -> str:
    if operation.effects.writes and (_is_mutation(program, operation) or operation.words & _REMOVING):
        if operation.words & _ENROLLING and operation.words & PEOPLE:
            return ""  # whoever enrols is not known yet
        first = operation.effects.writes[0]
        return f"It leads to {first.what} at {first.at}, and nothing asks who is calling."
    store = _handed_out(program, operation, knows)
    return f"It hands out {store}, and nothing asks who is calling." if store else ""


def _handed_out(program: EnteredProgram, operation: Operation, knows: bool) -> str:
    owned = owned_stores(program) if knows else frozenset[str]()
    for each in lookups(program, operation):
        if is_owned(each.store, owned):
            return each.store
    if reads_all(program, operation, lambda store: is_owned(store, owned)):
        return "everybody's records"
    kept = _kept(operation, PEOPLE | _OURS if knows else PEOPLE)
    if kept:
        return kept
    return operation.function.name if knows and set(words(operation.function.name)) & (SENSITIVE | {"audits"}) else ""


def _kept(operation: Operation, vocabulary_of: frozenset[str]) -> str:
    """A variable of the module that holds such records, read in the resolver."""
    outline = operation.ground
    for node in walk(*operation.function.body):
        if isinstance(node, Name) and node.id in outline.top_level and set(words(node.id)) & vocabulary_of:
            return node.id
    return ""


RULE = ControlRule(
    title="GraphQL field without authentication",
    kind="login",
    guard="a login",
    cwe=306,
    severity=Severity.HIGH,
    consequence="Anyone who reaches the schema reads or changes this, without being known to the application.",
    remedy="Require a login for the schema, or a permission on the field.",
    check=lambda site: open_resolvers(site.quotes, site.program, site.operations),
)
