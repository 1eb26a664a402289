"""Objects looked up by an id from the request without an ownership check (CWE-639).

Reported only if the handler requires a login but no role, the object has an owner (or is a user's own record), and nothing on the
same path through the handler refers to the caller. Not handled here: endpoints without a login.
"""

from collections.abc import Iterator
from itertools import pairwise

from counterproof.analysis.control.access import grants_rights, lacks_admin_role, refuses_roles
from counterproof.analysis.control.caller_influence import bears
from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.lookups import SHIPPED_ACCOUNT, Lookup, is_person, lookups
from counterproof.analysis.control.messages import MISSING_OWNER, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.control.owned_tables import OWNER_COLUMNS, is_owned, owned_stores
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.inventory.permissions import role_asked
from counterproof.analysis.program.file import File
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import EntryPoint, Guard
from counterproof.model.severity import Confidence

_PUBLIC = vocabulary(
    "post posts topic article articles comment comments blog page thread forum product products review question answer photo "
    "video tag category event"
)
"""Things that users publish for others to read."""
_VERDICTS = vocabulary("permission permissions permitted allowed authorize authorized authorise authorised forbidden can ability")
"""Names for permission checks: `if not Permission(IsModerator(forum))`, `user.can(...)`, `check_permissions(...)`."""
_CREDENTIALS = vocabulary("token secret apikey credential credentials password passwd pwd otp pin")
_SENT = vocabulary("token code secret signature hash uidb64 nonce")
_CHANGING = vocabulary("add create insert update change set delete remove pay transfer save")
_NUMBERS = ("id", "pk", "number")
MAX_HELPERS = 6


def missing_owners(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    owned = owned_stores(program)
    seen: set[int] = set()
    for each in operations:
        if each.entry.guard is not Guard.PRESENT or role_asked(each.entry) is Guard.PRESENT or id(each.function) in seen:
            continue
        if lacks_admin_role(program, each) or grants_rights(each):
            continue  # a missing role check shows more than a missing ownership check
        seen.add(id(each.function))
        if carries_secret(each) or refuses_roles(each.function):
            continue
        free = _asked_if_free(each.function)
        for lookup in lookups(program, each):
            shown = is_published(lookup.store) or lookup.store == SHIPPED_ACCOUNT
            if shown and not (each.changes and _changes_after(each, lookup.call)):
                continue
            if is_settled(lookup) or (id(lookup.call) in free and not set(words(_called(lookup.call))) & _CHANGING):
                continue
            if is_owned(lookup.store, owned) and not asks_whose(program, each, lookup.call):
                why = f"The {lookup.store} is chosen by the request alone; the caller plays no part on this path."
                place = at(each.ground.path, lookup.call.line)
                peer = _asking_whose(program, lookup.store, operations)
                unread = unread_guard(program, each)  # it may check ownership in its own way, whatever its peer does
                sure = Confidence.HIGH if peer and not unread else Confidence.MEDIUM  # ownership is inferred from names
                function = each.function.qualified
                yield finding(quotes, MISSING_OWNER, place, each.entry, why, function, sure, peer=peer, unread=unread)
                break


def _asking_whose(program: EnteredProgram, store: str, operations: tuple[Operation, ...]) -> EntryPoint | None:
    """A handler that looks up the same store and does check ownership."""
    for each in operations:
        if any(found.store == store and asks_whose(program, each, found.call) for found in lookups(program, each)):
            return each.entry
    return None


def _changes_after(operation: Operation, call: ir.Call) -> bool:
    """Return True if a change is on the path of a lookup. A change in another branch of a surrounding `if` is not."""
    ground, function = operation.ground, operation.function
    others: list[tuple[int, int]] = []
    for child, parent in ground.above(call):
        if isinstance(parent, ir.If):
            arms: tuple[tuple[ir.Node, ...], ...] = (*((each,) for each in parent.branches), parent.otherwise)
            others += [(arm[0].line, arm[-1].end) for arm in arms if arm and all(each is not child for each in arm)]
        if parent is function:
            break
    return any(
        write.at.path != ground.path or not any(first <= write.at.start <= last for first, last in others)
        for write in operation.effects.writes
    )


def _asked_if_free(function: ir.Function) -> frozenset[int]:
    """`found = find(name)` followed by `if found: raise …`: tests whether a name is free. Calls by their identity."""
    found: set[int] = set()
    for block in _blocks(function):
        for made, asked in pairwise(block):
            kept = made.targets[0] if isinstance(made, ir.Assign) and len(made.targets) == 1 else None
            if not isinstance(kept, ir.Name) or not isinstance(asked, ir.If) or asked.otherwise:
                continue
            first = asked.branches[0]
            compared = isinstance(first.test, ir.Compare) and first.test.operators == ("is not",)
            test = first.test.operands[0] if isinstance(first.test, ir.Compare) and compared else first.test
            if isinstance(test, ir.Name) and test.id == kept.id and isinstance(first.body[-1], ir.Raise):
                found.update(id(node) for node in walk(made) if isinstance(node, ir.Call))
    return frozenset(found)


def _blocks(function: ir.Function) -> Iterator[tuple[ir.Statement, ...]]:
    """The body of a function, and the bodies of its try and with statements."""
    yield function.body
    yield from (node.body for node in walk(*function.body) if isinstance(node, ir.Try | ir.With))


def carries_secret(operation: Operation) -> bool:
    """`/rsvp/<event>/<code>`: the path contains a secret known only to its recipient. A `token_id` is only a number."""
    given = [words(each.name) for each in operation.function.parameters if each.name not in operation.handed]
    return any(set(each) & _SENT and each[-1] not in _NUMBERS for each in given)


def is_published(store: str) -> bool:
    """Return True if users publish these objects for others to read."""
    return bool(set(words(store)) & _PUBLIC)


def is_settled(lookup: Lookup) -> bool:
    """Return True if the lookup itself names the owner, or uses a secret."""
    return _by_credential(lookup.call) or _is_scoped(lookup)


def _by_credential(call: ir.Call) -> bool:
    """`for_api_key(key)`, `get(token=token)`, a login: only the owner knows the secret."""
    spoken = [words(each.keyword) for each in call.arguments]
    spoken += [words(each.value.name) for each in call.arguments[:1] if isinstance(each.value, ir.Attribute)]
    spoken.append(words(_called(call)))
    return any({word.rstrip("0123456789") for word in each} & _CREDENTIALS or {"api", "key"} <= set(each) for each in spoken)


def _is_scoped(lookup: Lookup) -> bool:
    """`get(id=id, owner=account)`, `get(id, self.current_org)`: the lookup names the owner, with a value not from the request."""
    if any(isinstance(each, ir.Attribute) and words(each.name)[:1] == ("current",) for each in walk(*lookup.call.arguments)):
        return True
    return any(
        each.keyword.partition("__")[0] in (*OWNER_COLUMNS, "user", "author", "customer")
        for each in lookup.call.arguments
        if not any(each.value is sent for sent in lookup.given)
    )


def asks_whose(program: EnteredProgram, operation: Operation, call: ir.Call) -> bool:
    """Return True if the path of this call refers to the caller, here or in a function called on it."""
    ground, function = operation.ground, operation.function
    own = _arms(ground, call)

    def on_path(node: ir.Node) -> bool:
        theirs = _arms(ground, node)
        return all(theirs.get(key, arm) == arm for key, arm in own.items())

    handed = {each.name for each in function.parameters if each.name in operation.handed and is_person(each)}
    spoken = caller_mentions(ground, *function.body)
    spoken += [node for node in walk(*function.body) if isinstance(node, ir.Name) and node.id in handed]
    if any(on_path(node) and bears(ground, function, node) for node in spoken):
        return True
    called = [node for node in walk(*function.body) if isinstance(node, ir.Call) and on_path(node)]
    if any(set(words(_called(node))) & _VERDICTS for node in called):
        return True
    if _minds_caller(program, ground, call) or any(_compares_caller(program, ground, node) for node in called):
        return True
    return any(_asked_around(program, operation, each) for each in function.decorators)


def _asked_around(program: EnteredProgram, operation: Operation, decorator: ir.Decorator) -> bool:
    """`@owner_of_order`: a decorator of the project that refers to the caller and to the requested object."""
    value = decorator.value.callee if isinstance(decorator.value, ir.Call) else decorator.value
    found = program.codebase.meaning(operation.ground, value)
    if found is None or not isinstance(found.node, ir.Function):
        return False
    chosen = {each.name for each in operation.function.parameters} - {"request", "self", "cls"}
    within = found.node.qualified
    for each in found.outline.module.functions:
        if each.qualified == within or each.qualified.startswith(f"{within}."):
            named = {node.value for node in walk(*each.body) if isinstance(node, ir.Const)} | {
                one.name for one in each.parameters
            }
            if chosen & named and caller_mentions(found.outline, *each.body):
                return True
    return False


def _called(call: ir.Call) -> str:
    return call.callee.name if isinstance(call.callee, ir.Attribute) else getattr(call.callee, "id", "")


def _minds_caller(program: EnteredProgram, ground: File, lookup: ir.Call) -> bool:
    """`find(request, id)` that itself searches only the caller's own objects."""
    for callee in program.callees(ground, lookup):
        home, function = callee.ground, callee.function
        spoken = caller_mentions(home, *function.body)
        if any(bears(home, function, node) for node in spoken if not isinstance(node, ir.Call)):
            return True
    return False


def _compares_caller(program: EnteredProgram, ground: File, call: ir.Call) -> bool:
    """`get_post(id)` that compares the author with the caller before it returns."""
    for callee in program.callees(ground, call):
        for home, function in closure(program, callee.ground, callee.function)[0][:MAX_HELPERS]:
            tests = [node for node in walk(*function.body) if isinstance(node, ir.Compare) and not _is_fixed(node)]
            if caller_mentions(home, *tests):
                return True
    return False


def _is_fixed(test: ir.Compare) -> bool:
    """`"user" not in session`, `user.role != "admin"`: a test for a login or role, not for ownership."""
    return any(isinstance(each, ir.Const) for each in test.operands)


def _arms(ground: File, node: ir.Node) -> dict[int, int]:
    """For every `if` around a node, the branch that contains the node."""
    found: dict[int, int] = {}
    for child, parent in ground.above(node):
        if isinstance(parent, ir.If):
            index = next((i for i, branch in enumerate(parent.branches) if branch is child), len(parent.branches))
            found.setdefault(id(parent), index)
        if isinstance(parent, ir.Branch) and child is parent.test:
            found[id(ground.parent(parent))] = -1  # a condition is evaluated on the way to every branch
        if isinstance(parent, ir.Function):
            break
    return {key: arm for key, arm in found.items() if arm >= 0}


def unread_guard(program: EnteredProgram, operation: Operation) -> str:
    """`@member_of("group")`: the name of the first such decorator; "" if there is none.

    Invariant: excludes the entry point's known guard, and decorators that never reject a caller."""
    by = operation.entry.guarded_by
    known = by.symbol.rpartition(".")[2] if by is not None else ""
    for each in operation.function.decorators:
        value = each.value.callee if isinstance(each.value, ir.Call) else each.value
        if (name := last_name(value)) and name != known and _turns_away(program, operation, each):
            return name
    return ""


def _turns_away(program: EnteredProgram, operation: Operation, decorator: ir.Decorator) -> bool:
    value = decorator.value.callee if isinstance(decorator.value, ir.Call) else decorator.value
    found = program.codebase.meaning(operation.ground, value)
    if found is None or not isinstance(found.node, ir.Function):
        return False
    return any(
        isinstance(inner, ir.Raise | ir.Return)
        for node in walk(*found.node.body)
        if isinstance(node, ir.If)
        for inner in walk(node)
    )
