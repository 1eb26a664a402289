"""Endpoints without the login or role that comparable endpoints require, and those that destroy data for anyone (CWE-306,
CWE-285).

Invariant: only decided guards count; if no endpoint is guarded, only plain destruction is reported. Not handled here: object
ownership.
"""

from collections.abc import Iterator

from counterproof.analysis.control.caller_influence import bears
from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.lookups import lookups
from counterproof.analysis.control.messages import MISSING_LOGIN, MISSING_ROLE, OPEN_DESTRUCTION, finding
from counterproof.analysis.control.operations import DELETE, READ, UPDATE, Operation, resource_of
from counterproof.analysis.control.owned_tables import PEOPLE, is_owned, owned_stores
from counterproof.analysis.endpoints.decorators import decorator_verdict
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.inventory.permissions import role_asked
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import Call, Const, Function, If, Index
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryPoint, Guard, GuardKind
from counterproof.model.severity import Confidence

MIN_GUARDED = 2
MIN_SHARE = 0.5
MIN_NEIGHBOURS = 5
MIN_APPLICATION = 3
ROLE_SHARE = 0.7
MIN_ROLES = 3

_ROLES = vocabulary(
    "admin administrator role roles staff superuser permission permissions perm perms scope scopes owner group groups privilege"
)
OPEN_BY_NATURE = vocabulary(
    "login logout signin signout signup register registration join auth authenticate token oauth sso callback reset forgot "
    "forgotten recover recovery verify activate confirm health healthz ping ready status static favicon robots index home docs "
    "redoc openapi public about contact faq help manifest captcha csrf subscribe unsubscribe currency language locale"
)
SENSITIVE = vocabulary(
    "admin export internal debug config configuration secret secrets backup dump impersonate audit billing payroll"
)
_ADMINISTRATIVE = vocabulary("admin administration administrator superadmin")
_WAYS_IN = vocabulary("login logout signin signout signup register auth setup install health static assets")
_RIGHTS = vocabulary("permission permissions permitted allowed authorize authorise forbidden require requires")
MAX_FUNCTIONS = 8
_PRIVILEGED = vocabulary("admin administrator administration impersonate backup dump debug internal")
PRIVATE = vocabulary(
    "balance balances account accounts transaction transactions payment payments invoice invoices order orders card cards loan "
    "loans statement message messages medical record records prescription cart address salary ticket tickets booking reservation"
)
"""Data about users that an application shows to no one else."""
_ASKING = ("OPTIONS", "HEAD")
_ALIKE = {DELETE: UPDATE}
_GRANTING = vocabulary("role roles permission permissions privilege privileges promote demote grant")
_OF_PEOPLE = vocabulary(
    "user users account accounts member members group groups team teams admin staff employee people person assign change update "
    "set edit add give grant new create delete remove manage my own access security"
)
_PASSWORD = vocabulary("password passwd chpasswd pwd")
_DELETING = vocabulary("delete remove destroy")
_SESSIONS = ("flask.session", "quart.session")
_CHANGE = vocabulary("change update set edit chpasswd")


def passed_by(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Handlers whose guard decorator is above the route decorator: the route registers the unguarded function, so the guard never
    runs."""
    for each in {id(each.function): each for each in reversed(operations)}.values():
        by = decorator_verdict(program.codebase, each.ground, each.function).by
        if each.entry.guard is not Guard.PRESENT and by is not None and by.kind is GuardKind.PASSED_BY:
            why = f"@{by.symbol} is above the route decorator, so the route has the function without it."
            place, written = _place(each), next((write.at for write in each.effects.writes), None)
            function = each.function.qualified
            yield finding(quotes, MISSING_LOGIN, place, each.entry, why, function, protects=written or by.at, named=True)


def missing_logins(quotes: Quotes, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Handlers without a login in a file where most others require one."""
    for group in _files(operations):
        countable = [each for each in group if not each.words & OPEN_BY_NATURE]
        guarded = [each for each in countable if each.entry.guard is Guard.PRESENT]
        if len(guarded) < MIN_GUARDED or len(guarded) < MIN_SHARE * len(countable):
            continue
        forgotten = _forgotten(countable, len(guarded))
        for each in countable:
            matters = (_matters(each) or each.function is forgotten) and not each.tests_caller
            if each.entry.guard is Guard.ABSENT and matters and not each.proves_itself:
                why = f"{len(guarded)} of {len(countable)} endpoints in this file are guarded, this one is not."
                yield _finding(quotes, MISSING_LOGIN, each, why, peer=peer_of(each, operations))


def _forgotten(countable: list[Operation], guarded: int) -> Function | None:
    """The only handler of a file without a login check where many others have one: probably an oversight, whatever it does."""
    without = {id(each.function): each for each in countable if each.entry.guard is not Guard.PRESENT}
    alone = next(iter(without.values())) if len(without) == 1 and guarded >= MIN_NEIGHBOURS else None
    return alone.function if alone is not None and alone.entry.method not in _ASKING else None


def open_among_guarded(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Unguarded handlers of an application with logins: administrative by name, or reading data that others guard."""
    guarded = [each for each in operations if each.entry.guard is Guard.PRESENT]
    owned = owned_stores(program)
    for each in operations:
        if not guarded or each.entry.guard is not Guard.ABSENT or each.words & OPEN_BY_NATURE or each.entry.method in _ASKING:
            continue
        if each.words & _PRIVILEGED and not each.proves_itself and not for_administrators(each.entry):
            why = "Its name speaks of administration, other endpoints ask for a login, and this one asks for nothing."
            yield _finding(quotes, MISSING_LOGIN, each, why, Confidence.MEDIUM)
        elif (
            each.crud == READ
            and "GET" in each.entry.method
            and _is_about(each)
            and is_owned(each.resource, owned)
            and _is_exception(each, operations)
        ):
            why = f"Every other endpoint that reads {each.resource} asks for a login, this one does not."
            yield _finding(quotes, MISSING_LOGIN, each, why, Confidence.MEDIUM, peer_of(each, operations))
        elif len(guarded) >= MIN_APPLICATION and (store := _private_store(program, each, owned)):
            why = f"It looks {store} up by what the request names, other endpoints ask for a login, and this one does not."
            yield _finding(quotes, MISSING_LOGIN, each, why, Confidence.MEDIUM)


def for_administrators(entry: EntryPoint) -> bool:
    """Return True for an administrative path that is not a login: `/api/admin/orders`, not `/admin/login`."""
    parts = [words(part) for part in entry.path.split("/") if part and not set(part) & set("<{(:*\\^$")]
    said = {*words(entry.path), *words(entry.name)}
    return any(part and part[0] in _ADMINISTRATIVE for part in parts) and not said & _WAYS_IN


def _private_store(program: EnteredProgram, operation: Operation, owned: frozenset[str]) -> str:
    """The user data that a request without a login can read; a profile page is meant to be public."""
    if operation.words & (PEOPLE - PRIVATE) or not set(operation.entry.path) & set("<{"):
        return ""
    if not operation.words & PRIVATE:
        return ""
    return next((each.store for each in lookups(program, operation) if is_owned(each.store, owned)), "")


def _is_about(operation: Operation) -> bool:
    """Return True for the resource itself: `/partners/orders` and `/orders/7`, not `/orders/7/terms`."""
    named = [part for part in operation.entry.path.split("/") if part and not set(part) & set("<{(:*\\^$")]
    return bool(named) and bool(operation.resource) and resource_of(f"/{named[-1]}") == operation.resource


def _is_exception(operation: Operation, operations: tuple[Operation, ...]) -> bool:
    """Return True if all other handlers that read the same resource, at least two, require a login."""
    others = [
        each
        for each in operations
        if each.resource == operation.resource and each.crud == READ and each.function is not operation.function
    ]
    return len(others) >= MIN_GUARDED and all(each.entry.guard is Guard.PRESENT for each in others)


def _matters(operation: Operation) -> bool:
    return (operation.changes and operation.crud != READ) or bool(operation.words & SENSITIVE)


_PAGE_METHODS = frozenset(("get_context_data", "get_success_url", "get_template_names"))
"""Methods of a view that decide nothing but what is shown."""


def open_destruction(quotes: Quotes, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Unguarded handlers that wipe a store, delete by HTTP DELETE, overwrite by PUT or PATCH, or change a password."""
    protected = any(each.entry.guard is Guard.PRESENT for each in operations)
    for each in operations:
        if each.entry.guard is not Guard.ABSENT or each.tests_caller:
            continue
        wiped = next((write for write in each.effects.writes if write.destroys and _inside(each, write.at)), None)
        removes, overwrites = _removes(each, protected), _overwrites(each)
        password = bool(each.words & _PASSWORD and each.words & _CHANGE) and each.changes and not each.words & {"reset", "forgot"}
        if wiped or ((removes or overwrites or password) and not _of_caller(each)):
            plain = "the change of a password" if password else "a deletion" if removes else "a change of what is stored"
            what = f"{wiped.what} at {wiped.at}" if wiped else plain
            confidence = Confidence.HIGH if protected or wiped else Confidence.MEDIUM
            why = f"It leads to {what}, and nothing asks who is calling."
            yield _finding(quotes, OPEN_DESTRUCTION, each, why, confidence, peer_of(each, operations))


def open_deletions(quotes: Quotes, program: EnteredProgram) -> Iterator[Finding]:
    """Unguarded Django views whose deletion is the framework's own, without a method that could check anything, if other
    endpoints require a login."""
    peer = next((each for each in program.entry_points if each.guard is Guard.PRESENT), None)
    for entry in program.entry_points if peer is not None else ():
        if entry.guard is not Guard.ABSENT or entry.framework != "Django" or not program.holds(entry.handler.path):
            continue
        outline = program.codebase.outline(entry.handler.path)
        view = outline.classes.get(entry.name)
        if view is None or set(outline.methods(view)) - _PAGE_METHODS:
            continue
        bases = program.codebase.ancestry(Definition(outline, view)).foreign
        if any(each.endswith(".DeleteView") for each in bases):
            why = "It leads to a deletion, and nothing asks who is calling."
            yield finding(quotes, OPEN_DESTRUCTION, at(outline.path, view.line), entry, why, entry.name, peer=peer)


def _removes(operation: Operation, protected: bool) -> bool:
    """Return True for HTTP DELETE, or a form to `/orders/7/delete` if other endpoints require a login."""
    if operation.crud != DELETE or not operation.changes or operation.words & OPEN_BY_NATURE:
        return False
    addressed = protected and "POST" in operation.entry.method and bool(set(operation.entry.path) & set("<{"))
    return "DELETE" in operation.entry.method or (addressed and bool(set(words(operation.entry.path)) & _DELETING))


def _overwrites(operation: Operation) -> bool:
    """Return True for HTTP PUT or PATCH to `/orders/7`: an existing object."""
    method, path = operation.entry.method, operation.entry.path
    addressed = bool(set(path.rstrip("/").rpartition("/")[2]) & set("<{"))
    renewing = operation.crud == UPDATE and ("PUT" in method or "PATCH" in method)
    return renewing and addressed and operation.changes and not operation.words & OPEN_BY_NATURE


def _of_caller(operation: Operation) -> bool:
    """Return True if the changed data is `request.user`'s own: an anonymous user in Django owns nothing, and Flask's
    `session["user"]` raises without a login."""
    mentions = caller_mentions(operation.ground, *operation.function.body)
    if operation.entry.framework == "Flask":
        entries = [node.value for node in walk(*operation.function.body) if isinstance(node, Index)]
        return any(operation.ground.dotted(each) in _SESSIONS for each in entries)
    return operation.entry.framework == "Django" and any(bears(operation.ground, operation.function, each) for each in mentions)


def _inside(operation: Operation, place: Location) -> bool:
    """Return True if the handler makes the change itself; helpers may make it on first use only."""
    function = operation.function
    return place.path == operation.ground.path and function.line <= place.start <= function.end


def missing_roles(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Administrative handlers whose guard requires no role, or can be passed without one."""
    roles = {id(each): role_asked(each.entry) for each in operations}
    for group in _files(operations):
        for each in group:
            if lacks_admin_role(program, each):
                why = "It is called administrative, its guard asks for a login only, and the handler asks for no role."
                yield _finding(quotes, MISSING_ROLE, each, why)
        asking = [each for each in group if roles[id(each)] is Guard.PRESENT]
        if len(asking) < MIN_ROLES or len(asking) < ROLE_SHARE * len(group):
            continue
        for each in group:
            if each.entry.guard is Guard.PRESENT and roles[id(each)] is Guard.ABSENT and not _speaks_of_roles(each.function):
                why = f"{len(asking)} of {len(group)} endpoints in this file ask for a role, this one does not."
                yield _finding(quotes, MISSING_ROLE, each, why, Confidence.MEDIUM)
    yield from _changes_without_role(quotes, operations, roles)


def _changes_without_role(quotes: Quotes, operations: tuple[Operation, ...], roles: dict[int, Guard]) -> Iterator[Finding]:
    """Handlers that grant privileges, or change data that all others change only for certain roles."""
    for each in operations:
        plain = each.entry.guard is Guard.PRESENT and roles[id(each)] is Guard.ABSENT and each.changes
        if not plain or each.tests_caller:
            continue
        if grants_rights(each):
            why = "It changes what somebody may do, and asks the caller for a login only."
            yield _finding(quotes, MISSING_ROLE, each, why, Confidence.MEDIUM)
        elif _asked_elsewhere(each, operations, roles):
            why = f"All other endpoints that change {each.resource} ask for a role, this one does not."
            yield _finding(quotes, MISSING_ROLE, each, why, Confidence.MEDIUM)


def grants_rights(operation: Operation) -> bool:
    """Return True if a handler changes a user's privileges, and no condition in it is about the caller."""
    granting = bool(operation.words & _GRANTING) and operation.changes
    return granting and not _roles_of_things(operation.entry.path) and not operation.tests_caller


def _roles_of_things(path: str) -> bool:
    """`/device-roles/`: the role of a device, not of a user."""
    parts = [words(part) for part in path.split("/") if not set(part) & set("<{(:*\\^$")]
    named = [part for part in parts if part and part[-1] in ("role", "roles")]
    return bool(named) and all(len(part) > 1 and not set(part[:-1]) & _OF_PEOPLE for part in named)


def _asked_elsewhere(operation: Operation, operations: tuple[Operation, ...], roles: dict[int, Guard]) -> bool:
    """Return True if all other handlers that change the same resource, at least two, require a role, and this one has no
    guard."""
    if not _is_about(operation) or operation.uses_caller:
        return False
    others = [
        each
        for each in operations
        if each.resource == operation.resource and each.resource and each.changes and each.function is not operation.function
    ]
    return len(others) >= MIN_GUARDED and all(roles[id(each)] is Guard.PRESENT for each in others)


def lacks_admin_role(program: EnteredProgram, operation: Operation) -> bool:
    """Return True if a handler with an administrative path requires only a login, and no function it runs requires a role."""
    if operation.entry.guard is not Guard.PRESENT or role_asked(operation.entry) is not Guard.ABSENT:
        return False
    if not operation.words & _ADMINISTRATIVE or operation.words & OPEN_BY_NATURE:
        return False
    functions = closure(program, operation.ground, operation.function)[0][:MAX_FUNCTIONS]
    return not any(_speaks_of_roles(function) for _, function in functions)


def _speaks_of_roles(function: Function) -> bool:
    tests = [branch.test for node in walk(*function.body) if isinstance(node, If) for branch in node.branches]
    called = [node.callee for node in walk(*function.body) if isinstance(node, Call)]
    if words_in(*tests) & _ROLES or words_in(*called) & _RIGHTS:
        return True
    return refuses_roles(function)


def refuses_roles(function: Function) -> bool:
    """`return {"message": "You are not an admin"}, 403`: only the response shows what the condition tests."""
    for node in walk(*function.body):
        for branch in node.branches if isinstance(node, If) else ():
            inside = list(walk(*branch.body))
            refused = any(isinstance(each, Const) and each.value == 403 for each in inside)
            if refused and any(set(words(text_of(each) or "")) & _ROLES for each in inside):
                return True
    return False


def peer_of(operation: Operation, operations: tuple[Operation, ...]) -> EntryPoint | None:
    """A handler that does the same to the same resource and checks the caller. Creating an object is not changing one. A handler
    declared public in the code has no peer."""
    alike = (
        each.entry
        for each in operations
        if each.resource == operation.resource
        and _ALIKE.get(each.crud, each.crud) == _ALIKE.get(operation.crud, operation.crud)
        and each.entry.guard is Guard.PRESENT
    )
    return next(alike, None) if operation.resource and not operation.said_to_be_open else None


def _finding(
    quotes: Quotes,
    rule: str,
    operation: Operation,
    why: str,
    confidence: Confidence = Confidence.HIGH,
    peer: EntryPoint | None = None,
) -> Finding:
    """The finding at the handler, with the first change that it leads to as the protected operation."""
    written = next((write.at for write in operation.effects.writes), None)
    place, function = _place(operation), operation.function.qualified
    return finding(quotes, rule, place, operation.entry, why, function, confidence, protects=written, peer=peer)


def _place(operation: Operation) -> Location:
    return at(operation.ground.path, operation.function.line)


def _files(operations: tuple[Operation, ...]) -> list[list[Operation]]:
    """Handlers by file, each handler once."""
    found: dict[str, dict[int, Operation]] = {}
    for each in operations:
        found.setdefault(each.ground.path, {}).setdefault(id(each.function), each)
    return [list(group.values()) for group in found.values()]
