"""The check of `client-side-role`."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from counterproof.analysis.control.messages import CLIENT_SIDE_ROLE, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.inventory.permissions import role_asked
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.request_fields import Channel, field_of
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Quotes
from counterproof.analysis.ruleset import Shown
from counterproof.analysis.syntax.ir import Attribute, Boolean, Call, Compare, Const, Expr, Function, If, Index, Name, Not
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import Guard

_CHANNELS = (Channel.COOKIE, Channel.HEADER, Channel.QUERY)
_ROLES = vocabulary("admin administrator isadmin role superuser staff privileged authenticated loggedin privilege root")
MAX_OPERANDS = 8


def client_side_roles(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """Privileges that the request claims for itself: `if request.cookies.get("admin") == "1"` (CWE-284).

    Invariant: the compared value is read from a cookie, a header or the query, unsigned, and its name or the literal names a
    role."""
    seen: set[int] = set()
    for each in operations:
        if id(each.function) in seen:
            continue
        seen.add(id(each.function))
        for node in walk(*each.function.body):
            claim = _claim(each, node) if isinstance(node, If) else None
            if claim is not None and _decides_alone(each, claim):
                why = "The sender writes the value that decides; nothing signs it."
                place = at(each.ground.path, claim.line)
                yield finding(quotes, CLIENT_SIDE_ROLE, place, each.entry, why, each.function.qualified)
                break


def _claim(operation: Operation, node: If) -> Expr | None:
    for branch in node.branches:
        for test in _operands(branch.test):
            if _claims_role(operation.ground, operation.function, test):
                return test
    return None


def _decides_alone(operation: Operation, claim: Expr) -> bool:
    """Return True if no other guard asks for a role. A login does not, and the claim itself is among the guards as written."""
    entry, own = operation.entry, at(operation.ground.path, claim.line)
    if entry.guard is not Guard.PRESENT:
        return True
    others = tuple(each for each in entry.guards if each.at != own)
    by = None if entry.guarded_by is None or entry.guarded_by.at == own else entry.guarded_by
    return not others or role_asked(replace(entry, guards=others, guarded_by=by)) is Guard.ABSENT


def _operands(test: Expr) -> list[Expr]:
    """The parts of a condition that are each sufficient."""
    found: list[Expr] = []
    pending = [test]
    while pending and len(found) < MAX_OPERANDS:
        current = pending.pop(0)
        if isinstance(current, Not):
            pending.append(current.operand)
        elif isinstance(current, Boolean):
            if current.operator != "and" or not any(map(_asks_the_server, current.operands)):
                pending.extend(current.operands)
        else:
            found.append(current)
    return found


def _asks_the_server(test: Expr) -> bool:
    """`is_admin()`, `current_user.is_staff`: a role looked up on the server, so the request value only selects it."""
    name = test.callee if isinstance(test, Call) else test
    last = name.name if isinstance(name, Attribute) else name.id if isinstance(name, Name) and isinstance(test, Call) else ""
    return bool(set(words(last)) & _ROLES)


def _claims_role(outline: Outline, function: Function, test: Expr) -> bool:
    if isinstance(test, Compare):
        if len(test.operands) != 2 or not set(test.operators) <= {"==", "!="}:
            return False
        literals = [text for each in test.operands if (text := text_of(each)) is not None and "@" not in text]
        keys = [key for each in test.operands if (key := _key(outline, function, each))]
        spoken = {word for text in (*literals, *keys) for word in words(text)}
        return bool(literals and keys) and bool(spoken & _ROLES)
    key = _key(outline, function, test)
    return bool(set(words(key)) & _ROLES)


def _key(outline: Outline, function: Function, expr: Expr) -> str:
    """The field of the request that an expression, or the variable it names, reads."""
    for _ in range(MAX_OPERANDS):
        inner = _unpacked(outline, function, expr)
        if inner is expr:
            break
        expr = inner
    field = field_of(outline, function, expr)
    return field.name if field is not None and field.channel in _CHANNELS else ""


def _unpacked(outline: Outline, function: Function, expr: Expr) -> Expr:
    """The assigned value of a variable, without `.lower()` and `.split("|")[0]`."""
    if isinstance(expr, Name):
        return outline.behind(function, expr)
    if isinstance(expr, Call) and isinstance(expr.callee, Attribute) and expr.callee.name in ("lower", "strip", "split"):
        return expr.callee.value
    if isinstance(expr, Index) and isinstance(expr.key, Const) and isinstance(expr.key.value, int):
        return expr.value
    return expr


def check(site: Shown) -> Iterable[Finding]:
    return client_side_roles(site.quotes, site.program, site.operations)
