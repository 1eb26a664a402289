"""The endpoint-permission matrix (A9), and the resource types of the endpoints (A19).

Invariant: an undetermined value is unknown, never no. Not handled here: findings.
"""

from counterproof.analysis.control.authenticators import asked_by_authenticators
from counterproof.analysis.control.class_roles import required_scopes, role_of_class
from counterproof.analysis.control.operations import Operation, operations_of
from counterproof.analysis.control.roles import ROLE_WORDS, injected_role, refuses_without_role
from counterproof.analysis.endpoints.convention import VERBS
from counterproof.analysis.endpoints.decorators import LISTED
from counterproof.analysis.endpoints.entered_program import EnteredProgram, entered_program
from counterproof.analysis.endpoints.verdict import asked_words
from counterproof.analysis.inventory.permissions import ADMINISTRATORS
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.program import enclosing
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Attribute, Call, Const, Decorator, Expr, Function, If, Name, Node, Sequence
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.location import Location
from counterproof.model.recon import NETWORK_KINDS, EntryPoint, Guard, GuardKind, Permission

_DECORATED_ROLES = ROLE_WORDS - {"owner"} | vocabulary("moderator can")
_RIGHTS = ROLE_WORDS | vocabulary("require requires access allowed permitted authorize authorise can")
_WRAPPING = ("falcon.before", "django.utils.decorators.method_decorator")
"""Decorators that take the guard as an argument."""
_ANY_ACCOUNT = vocabulary("permissions rest framework is authenticated")


def permissions(project: Project, entry_points: tuple[EntryPoint, ...]) -> tuple[Permission, ...]:
    """One row per network entry point, in the order given."""
    program = entered_program(project, entry_points)
    return tuple(
        Permission(each.handler, each.method, each.path, each.guard, role_of(program, each), each.guard_evidence)
        for each in entry_points
        if each.kind in NETWORK_KINDS
    )


def administrators_only(project: Project, entry_points: tuple[EntryPoint, ...]) -> frozenset[tuple[Location, str, str]]:
    """Entry points, by handler, method and path, whose guard requires an administrator role."""
    program = entered_program(project, entry_points)
    return frozenset(
        (each.handler, each.method, each.path)
        for each in entry_points
        if each.kind in NETWORK_KINDS
        and each.guard is Guard.PRESENT
        and role_of(program, each) is Guard.PRESENT
        and _asked_words(program, each) & ADMINISTRATORS
    )


def _asked_words(program: EnteredProgram, entry: EntryPoint) -> frozenset[str]:
    """Name words of the guard, of decorators of the handler and its class, and of conditions that reject callers."""
    function = enclosing(program, entry.handler.path, entry.handler.start)
    spoken = asked_words(entry.guarded_by) | asked_by_authenticators(program, entry)
    if function is None:
        return spoken
    outline = program.codebase.outline(entry.handler.path)
    owner = outline.classes.get(function.owner) if function.owner else None
    listed = [value for name, value in outline.attributes(owner).items() if name in LISTED] if owner else []
    parts: list[Node] = [*function.decorators, *(owner.decorators if owner else ()), *(owner.bases if owner else ()), *listed]
    tests = [branch.test for node in walk(*function.body) if isinstance(node, If) for branch in node.branches[:1]]
    refusing = tests if refuses_without_role(program, program.file(entry.handler.path), function) else []
    asked = [each for each in parts if not _says_nothing_of_roles(each)]
    return spoken | words_in(*asked, *refusing)


def resources(project: Project, entry_points: tuple[EntryPoint, ...]) -> tuple[str, ...]:
    """Resource types with at least two different operations: fewer cannot be compared."""
    return tuple(sorted(by_resource(operations_of(entered_program(project, entry_points)))))


def by_resource(operations: tuple[Operation, ...]) -> dict[str, list[Operation]]:
    found: dict[str, list[Operation]] = {}
    for each in operations:
        if each.resource:
            found.setdefault(each.resource, []).append(each)
    return {name: group for name, group in sorted(found.items()) if len({each.crud for each in group}) > 1}


def role_of(program: EnteredProgram, entry: EntryPoint) -> Guard:
    """Whether the guard of an entry point requires more than a login, read from the line that the guard's evidence names."""
    if entry.guard is not Guard.PRESENT:
        return entry.guard
    scopes = required_scopes(program, entry)
    if scopes is not Guard.UNKNOWN:
        return scopes
    if entry.framework == "FastAPI":
        return injected_role(program, entry)
    of_class = role_of_class(program, entry)
    if of_class is Guard.PRESENT:
        return of_class
    if _asks_for_more(program, entry) or _asks_itself(program, entry) or asked_by_authenticators(program, entry):
        return Guard.PRESENT
    place = entry.guarded_by.at if entry.guarded_by is not None else None
    if place is None or not program.holds(place.path):
        return Guard.UNKNOWN
    path, line = place.path, place.start
    decorator = _decorator(program, entry, path, line)
    if decorator is not None:
        return _of_wrapper(program, path, decorator)
    shared = _wrapper(program.codebase.outline(path), entry, line)
    if shared is not None:
        return Guard.UNKNOWN if _speaks_of_rights(program, entry) else _of_wrapper(program, path, shared)
    function = enclosing(program, path, line)
    if function is None:
        return of_class
    tests = [
        branch.test
        for node in walk(*function.body)
        if isinstance(node, If)
        for branch in node.branches
        if node.line <= line <= node.end
    ]
    return _by_words([*tests, *_tests_of_helper(program, function, path, line)])


def _tests_of_helper(program: EnteredProgram, function: Function, path: str, line: int) -> list[Expr]:
    """The conditions in a function called at the guard's line: `ask_for_admin()` at the top of a handler."""
    outline = program.codebase.outline(path)
    calls = [node for node in walk(*function.body) if isinstance(node, Call) and node.line == line]
    found = [program.codebase.meaning(outline, call.callee) for call in calls]
    helpers = [each.node for each in found if each is not None and isinstance(each.node, Function)]
    return [branch.test for each in helpers for node in walk(*each.body) if isinstance(node, If) for branch in node.branches]


def _asks_itself(program: EnteredProgram, entry: EntryPoint) -> bool:
    """Return True if the handler itself rejects callers without a role."""
    function = enclosing(program, entry.handler.path, entry.handler.start)
    return function is not None and refuses_without_role(program, program.file(entry.handler.path), function)


def _asks_for_more(program: EnteredProgram, entry: EntryPoint) -> bool:
    """Return True if any decorator of the handler or its class, or one listed in its class, names a role or a permission."""
    function = enclosing(program, entry.handler.path, entry.handler.start)
    if function is None:
        return False
    outline = program.codebase.outline(entry.handler.path)
    owner = outline.classes.get(function.owner) if function.owner else None
    listed = [value for name, value in outline.attributes(owner).items() if name in LISTED] if owner else []
    decorators = [*function.decorators, *(owner.decorators if owner else ())]
    asked = [each for each in (*decorators, *listed) if not _says_nothing_of_roles(each)]
    return any(words_in(each) & _DECORATED_ROLES or _names_administrator(each) for each in asked)


def _names_administrator(node: Node) -> bool:
    """`@authorized(username="admin")`: the user name that the decorator requires."""
    value = node.value if isinstance(node, Decorator) else node
    texts = [each.value.value for each in value.arguments if isinstance(each.value, Const)] if isinstance(value, Call) else []
    return any(isinstance(each, str) and each.lower() in ADMINISTRATORS for each in texts)


def _says_nothing_of_roles(node: Node) -> bool:
    """A decorator with a role word that requires none: a route under `/admin`, or a permission of every account."""
    value = node.value if isinstance(node, Decorator) else node
    routed = (
        isinstance(value, Call) and isinstance(value.callee, Attribute) and value.callee.name in ("route", "api_route", *VERBS)
    )
    return routed or _asks_for_login_only(value)


def _asks_for_login_only(value: Node) -> bool:
    """`@permission_classes([IsAuthenticated])`: a permission that any account has."""
    if not isinstance(value, Call) or len(value.arguments) != 1 or "permission" not in words_in(value.callee):
        return False
    named = value.arguments[0].value
    parts = named.items if isinstance(named, Sequence) else (named,)
    spoken = [words_in(each) for each in parts]  # a string names a permission that not every account has
    return bool(spoken) and all(each and each <= _ANY_ACCOUNT for each in spoken)


def _decorator(program: EnteredProgram, entry: EntryPoint, path: str, line: int) -> Expr | None:
    function = enclosing(program, entry.handler.path, entry.handler.start)
    found: list[Decorator] = list(function.decorators) if function else []
    found += [each for owner in program.codebase.outline(path).module.classes for each in owner.decorators]
    own = next((each.value for each in found if each.line == line and path == entry.handler.path), None)
    if own is not None:
        return own
    answering = [each for function in program.codebase.outline(path).module.functions for each in function.decorators]
    return next((each.value for each in answering if each.line == line), None)  # of the function that handles the request


def _speaks_of_rights(program: EnteredProgram, entry: EntryPoint) -> bool:
    """Return True if a handler behind a class-wide guard calls a function that may require more."""
    function = enclosing(program, entry.handler.path, entry.handler.start)
    calls = [node.callee for node in walk(*function.body) if isinstance(node, Call)] if function is not None else []
    return bool(words_in(*calls) & _RIGHTS)


def _wrapper(outline: Outline, entry: EntryPoint, line: int) -> Expr | None:
    """The expression that the evidence calls `@login_required` if it decorates no function: listed in a class, or called on a
    view."""
    named = entry.guarded_by is not None and entry.guarded_by.kind is GuardKind.NAMED
    name = entry.guarded_by.symbol.rpartition(".")[2] if named and entry.guarded_by is not None else ""
    listed = [value for owner in outline.module.classes for key, value in outline.attributes(owner).items() if key in LISTED]
    called = [site.node.callee for site in outline.of(Call) if site.node.line == line] if name else []
    for node in (*(part for value in listed for part in walk(value)), *called):
        last = last_name(node)
        if isinstance(node, Name | Attribute) and node.line == line and last == name:
            return node
    return None


def _of_wrapper(program: EnteredProgram, path: str, decorator: Expr) -> Guard:
    """A decorator requires a role if its name, its arguments or the conditions in its body name one."""
    callee = decorator.callee if isinstance(decorator, Call) else decorator
    if _asks_for_login_only(decorator):
        return Guard.ABSENT
    if words_in(decorator) & ROLE_WORDS:
        return Guard.PRESENT
    outline = program.codebase.outline(path)
    if outline.dotted(callee) in _WRAPPING and isinstance(decorator, Call) and decorator.arguments:
        callee = decorator.arguments[0].value
    found = program.codebase.meaning(outline, callee)
    if found is None:
        return Guard.ABSENT if set(words(outline.dotted(callee))) & {"login", "authenticated", "jwt", "token"} else Guard.UNKNOWN
    if not isinstance(found.node, Function):
        return Guard.UNKNOWN
    tests = [branch.test for node in walk(*found.node.body) if isinstance(node, If) for branch in node.branches]
    return _by_words(tests)


def _by_words(tests: list[Expr]) -> Guard:
    return Guard.PRESENT if any(words_in(test) & ROLE_WORDS for test in tests) else Guard.ABSENT
