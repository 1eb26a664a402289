"""Roles required by a FastAPI handler's dependencies, or by its own condition on the caller.

Invariant: only dependencies count, not other parts of a route's decorator; a condition counts only if it refers to the caller,
because a role in the request body is chosen by the sender. Not handled here: decorators of other frameworks.
"""

from collections.abc import Iterator

from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.operations import DEPENDING, Operation, handed_in
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.aliases import spelled_out
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.file import File, ends
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.program import enclosing
from counterproof.analysis.program.traversal import calls_in, keyword, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Expr, Function, If, Name, Node, Parameter
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryPoint, Guard, GuardKind

ROLE_WORDS = vocabulary(
    "admin administrator role roles staff superuser permission permissions perm perms scope scopes owner group groups privilege"
)
_EVERYBODY = vocabulary("customer customers member members client clients student students patient guest buyer visitor")
"""Roles that every account has: requiring one is requiring a login."""
_STAFF = vocabulary("admin administrator staff employee manager moderator superuser owner")
_SERVICES = vocabulary("db database session connection connect engine settings config cache redis client service repository")
_OWNING = vocabulary("id owner author creator")
MAX_DEPTH = 3


def injected_role(program: EnteredProgram, entry: EntryPoint) -> Guard:
    """Whether a guarded handler requires more than a login."""
    function = enclosing(program, entry.handler.path, entry.handler.start)
    if function is None:
        return Guard.UNKNOWN
    outline = program.codebase.outline(entry.handler.path)
    by = entry.guarded_by
    depended = by.symbol.rpartition(".")[2] if by is not None and by.kind is GuardKind.DEPENDENCY else ""
    if set(words(depended)) & ROLE_WORDS:
        return Guard.PRESENT  # a dependency of the whole router
    if any(_asks(program, place, target, 0) for place, target in _dependencies(program, outline, function)):
        return Guard.PRESENT
    around = (*_of_class(program, outline, function), *_of_router(program, outline, function), *_of_evidence(program, entry))
    if any(_asks(program, place, target, 0) for place, target in around):
        return Guard.PRESENT
    return Guard.PRESENT if refuses_without_role(program, program.file(entry.handler.path), function) else Guard.ABSENT


def refuses_without_role(program: EnteredProgram, ground: File, function: Function) -> bool:
    """A condition on the caller's role that ends the call; `not admin and owner != caller` lets owners through, so requires
    none."""
    injected = handed_in(program, ground, function)
    for node in walk(*function.body):
        for branch in node.branches if isinstance(node, If) else ():
            spoken = words_in(branch.test)
            refuses = ends(ground, branch.body) and spoken & ROLE_WORDS and not spoken & _OWNING
            if refuses and _speaks_of_caller(injected, ground, function, branch.test):
                return True
    return False


def tests_caller(operation: Operation) -> bool:
    """Return True if any condition in the handler is about the caller."""
    tests = _tests(operation.function)
    return any(_speaks_of_caller(operation.handed, operation.ground, operation.function, test) for test in tests)


def uses_caller(operation: Operation) -> bool:
    """Return True if the handler uses the caller at all."""
    return _speaks_of_caller(operation.handed, operation.ground, operation.function, *operation.function.body)


def _speaks_of_caller(injected: frozenset[str], ground: File, function: Function, *parts: Node) -> bool:
    handed = {each.name for each in function.parameters if each.name in injected and not _is_service(each)}
    if caller_mentions(ground, *parts):
        return True
    return any(isinstance(node, Name) and node.id in handed for node in walk(*parts))


def _is_service(parameter: Parameter) -> bool:
    """Return True for an injected connection or helper, not a user."""
    parts = [each for each in (parameter.default, parameter.annotation) if each is not None]
    return bool({*words(parameter.name), *words_in(*parts)} & _SERVICES)


def _tests(function: Function) -> Iterator[Expr]:
    return (branch.test for node in walk(*function.body) if isinstance(node, If) for branch in node.branches)


def _dependencies(program: EnteredProgram, outline: Outline, function: Function) -> Iterator[tuple[Outline, Expr]]:
    """The arguments of `Depends` and `Security`, in the parameters and in `dependencies=[…]` of the route."""
    for each in function.parameters:
        place, kind = spelled_out(program.codebase, outline, each.annotation)
        yield from ((place, target) for target in _given(place, [kind] if kind is not None else []))
    parts = [each.default for each in function.parameters if each.default is not None]
    for decorator in function.decorators:
        listed = keyword(decorator.value, "dependencies") if isinstance(decorator.value, Call) else None
        parts += [listed] if listed is not None else []
    yield from ((outline, target) for target in _given(outline, parts))


def _of_class(program: EnteredProgram, outline: Outline, function: Function) -> Iterator[tuple[Outline, Expr]]:
    """The dependencies in the attributes of a handler class, including inherited ones."""
    owner = outline.classes.get(function.owner)
    for each in program.codebase.ancestry(Definition(outline, owner)).own if owner else ():
        assigned = [node for node in each.node.body if isinstance(node, Assign)] if isinstance(each.node, Class) else []
        parts = [part for node in assigned for part in (node.value, node.annotation) if part is not None]
        yield from ((each.outline, target) for target in _given(each.outline, parts))


def _of_router(program: EnteredProgram, outline: Outline, function: Function) -> Iterator[tuple[Outline, Expr]]:
    """The dependencies of the router in the handler's decorator: `router = APIRouter(dependencies=[…])`."""
    for decorator in function.decorators:
        callee = decorator.value.callee if isinstance(decorator.value, Call) else None
        found = program.codebase.meaning(outline, callee.value) if isinstance(callee, Attribute) else None
        listed = keyword(found.node, "dependencies") if found and isinstance(found.node, Call) else None
        if found and listed is not None:
            yield from ((found.outline, target) for target in _given(found.outline, [listed]))


def _of_evidence(program: EnteredProgram, entry: EntryPoint) -> Iterator[tuple[Outline, Expr]]:
    """The dependencies in the guard's evidence line: `app.include_router(router, dependencies=[…])`."""
    place = entry.guarded_by.at if entry.guarded_by is not None else None
    if place is None or not program.holds(place.path):
        return
    outline = program.codebase.outline(place.path)
    calls: list[Expr] = [site.node for site in outline.of(Call) if site.node.line == place.start]
    yield from ((outline, target) for target in _given(outline, calls))


def _given(outline: Outline, parts: list[Expr]) -> Iterator[Expr]:
    for call in calls_in(*parts):
        if outline.dotted(call.callee).rpartition(".")[2] in DEPENDING:
            yield from (each.value for each in call.arguments)


def _asks(program: EnteredProgram, outline: Outline, target: Expr, depth: int) -> bool:
    """Whether a dependency requires a role: by its name, its constructor arguments, the conditions in its body, or its own
    dependencies."""
    if isinstance(target, Call) and _asked_of_everybody(target):
        return False
    if words_in(target) & ROLE_WORDS:
        return True
    callee = target.callee if isinstance(target, Call) else target
    found = program.codebase.meaning(outline, callee)
    if found is None or depth >= MAX_DEPTH:
        return False
    return any(_body_asks(program, found.outline, each, depth) for each in _bodies(program, found))


def _asked_of_everybody(call: Call) -> bool:
    """`Roles(["customer"])`: a role of every account."""
    texts = {word for node in walk(*call.arguments) for word in words(text_of(node) or "")}
    spoken = words_in(*call.arguments) | texts
    return bool(spoken & _EVERYBODY) and not spoken & _STAFF


def _bodies(program: EnteredProgram, found: Definition) -> Iterator[Function]:
    if isinstance(found.node, Function):
        yield found.node
        yield from (each for each in found.outline.module.functions if each.within == found.node.qualified)
    elif isinstance(found.node, Class):
        method = program.codebase.method(found, "__call__")
        yield from (method[1],) if method else ()


def _body_asks(program: EnteredProgram, outline: Outline, function: Function, depth: int) -> bool:
    if any(words_in(test) & ROLE_WORDS for test in _tests(function)):
        return True
    return any(_asks(program, place, each, depth + 1) for place, each in _dependencies(program, outline, function))
