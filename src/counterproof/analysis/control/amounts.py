"""Amounts from requests that nobody checks (CWE-840).

Always holds: a number counts as checked as soon as any comparison, bound or fixed range mentions it; endpoints that ask for a
role are left alone, and so are those that keep nothing. Does not belong here: numbers that are only identifiers or page sizes.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.control.matrix import role_of
from counterproof.analysis.control.messages import UNCHECKED_AMOUNT, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.control.senders import Asked, is_sent
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.file import File
from counterproof.analysis.program.request_fields import field_of
from counterproof.analysis.program.traversal import keyword, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Augment,
    Binary,
    Call,
    Compare,
    Concat,
    Const,
    Function,
    Index,
    Name,
    Node,
)
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import Guard

AMOUNTS = vocabulary("quantity qty amount price cents cost total sum units pieces deposit withdrawal")
_MOVED = vocabulary("amount deposit withdrawal sum transfer")
_BALANCE = re.compile(r"(?i)\bbalance\s{0,4}=\s{0,4}\w{0,40}balance\s{0,4}[-+]")
MAX_TEXT = 4_000
_PRICES = vocabulary("price cents cost unit_price")
_BOUNDING = vocabulary("min max abs clamp validate check range bounded")


def unchecked_amounts(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    for operation in _ordinary(program, operations):
        for node, name in numbers(program, operation):
            moved = name and _moves_money(operation, name) and not _has_floor(operation.function, name)
            if name and not moved and (_checked(operation.function, name) or not _calculated(operation.function, name)):
                continue
            what = name or "a price"
            why = f"The request decides about {what}, and no comparison bounds it."
            place = at(operation.ground.path, node.line)
            yield finding(quotes, UNCHECKED_AMOUNT, place, operation.entry, why, operation.function.qualified)
            break


def _moves_money(operation: Operation, name: str) -> bool:
    """Whether a statement of the function adds the number to a balance, or takes it off one."""
    if not set(words(name)) & _MOVED:
        return False
    mentioned = any(isinstance(node, Name) and node.id == name for node in walk(*operation.function.body))
    return mentioned and any(
        _BALANCE.search(text) for node in walk(*operation.function.body) if (text := text_of(node)) and len(text) < MAX_TEXT
    )


def _has_floor(function: Function, name: str) -> bool:
    """Whether the number is compared with a fixed one; a comparison with a balance lets negative amounts through."""
    for node in walk(*function.body):
        parts = node.operands if isinstance(node, Compare) else ()
        if any(isinstance(each, Const) for each in parts) and any(isinstance(each, Name) and each.id == name for each in parts):
            return True
        if isinstance(node, Call) and _takes(node, name, _BOUNDING) and not _is_absolute(node):
            return True
    return False


def _is_absolute(call: Call) -> bool:
    return isinstance(call.callee, Name) and call.callee.id == "abs"


def _ordinary(program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Operation]:
    seen: set[int] = set()
    for each in operations:
        if id(each.function) in seen or role_of(program, each.entry) is Guard.PRESENT or _only_answers(each):
            continue
        seen.add(id(each.function))
        yield each


def _only_answers(operation: Operation) -> bool:
    """Whether a request that reads keeps nothing: whoever calculates with a number of his own harms nobody."""
    kept = operation.changes or "session" in words_in(*operation.function.body)
    return operation.entry.method == "GET" and not kept


def numbers(program: EnteredProgram, operation: Operation) -> list[tuple[Call, str]]:
    """Conversions of request fields to numbers: the call, and the variable that gets it ('' where a price gets none)."""
    found: list[tuple[Call, str]] = []
    ground = operation.ground
    for node in walk(*operation.function.body):
        if not isinstance(node, Call) or ground.function(node) is not operation.function:
            continue
        key = _field(operation, node)
        if not key or not set(words(key)) & AMOUNTS:
            continue
        statement = next((p for _, p in ground.above(node) if isinstance(p, Assign)), None)
        direct = statement is not None and statement.value is node and isinstance(statement.targets[0], Name)
        if direct and statement is not None and isinstance(statement.targets[0], Name):
            found.append((node, statement.targets[0].id))
        elif set(words(key)) & _PRICES and _from_request(program, ground, node) and not _bounded(ground, node):
            found.append((node, ""))
    return found


def _field(operation: Operation, call: Call) -> str:
    """The field in `request.form.get("n", type=int)`, `int(request.form["n"])`, `float(line["n"])`, `int(n)` of a parameter."""
    if isinstance(call.callee, Attribute) and call.callee.name == "get" and _is_number(keyword(call, "type")) and call.arguments:
        return text_of(call.arguments[0].value) or ""
    if isinstance(call.callee, Name) and call.callee.id in ("int", "float", "Decimal") and len(call.arguments) == 1:
        inner = call.arguments[0].value
        if isinstance(inner, Index):
            return text_of(inner.key) or ""
        if isinstance(inner, Call) and isinstance(inner.callee, Attribute) and inner.callee.name == "get" and inner.arguments:
            return text_of(inner.arguments[0].value) or ""
        if isinstance(inner, Name) and inner.id in _given(operation):
            return inner.id
        field = field_of(operation.ground, operation.function, inner)
        return field.name if field is not None else ""
    return ""


def _given(operation: Operation) -> set[str]:
    """Parameters that the sender fills; what stands in the address names a thing."""
    if operation.entry.framework not in ("FastAPI", "CherryPy"):
        return set()
    own = {each.name for each in operation.function.parameters} - operation.handed
    return {each for each in own if f"{{{each}" not in operation.entry.path}


def _is_number(node: Node | None) -> bool:
    return isinstance(node, Name) and node.id in ("int", "float", "Decimal")


def _from_request(program: EnteredProgram, ground: File, call: Call) -> bool:
    """`line["price"]` where `line` goes back to the request."""
    inner = call.arguments[0].value if call.arguments else None
    return isinstance(inner, Index) and isinstance(inner.value, Name) and is_sent(program, Asked(ground, inner.value))


def _bounded(ground: File, node: Node) -> bool:
    """Inside `min(…)`, `max(…)` or a comparison."""
    for _, parent in ground.above(node):
        if isinstance(parent, Compare):
            return True
        if isinstance(parent, Call) and isinstance(parent.callee, Name) and parent.callee.id in ("min", "max", "abs", "clamp"):
            return True
    return False


def _checked(function: Function, name: str) -> bool:
    return _is_compared(function, name) or is_given(function, name, _BOUNDING)


def _is_compared(function: Function, name: str) -> bool:
    """Whether a comparison in the function mentions the variable."""
    for node in walk(*function.body):
        if not isinstance(node, Compare) or all(each in ("is", "is not") for each in node.operators):
            continue
        if any(isinstance(each, Name) and each.id == name for each in walk(node)):
            return True
    return False


def is_given(function: Function, name: str, callees: frozenset[str]) -> bool:
    """Whether the function hands the variable to a call with one of these words in its name."""
    calls = (node for node in walk(*function.body) if isinstance(node, Call))
    return any(_takes(each, name, callees) for each in calls)


def _takes(call: Call, name: str, callees: frozenset[str]) -> bool:
    """`min(x, 99)`, `check_quantity(x)`."""
    given = any(isinstance(each.value, Name) and each.value.id == name for each in call.arguments)
    return given and bool(words_in(call.callee) & callees)


def _calculated(function: Function, name: str) -> bool:
    """Whether the number goes into a calculation or is added to something stored."""
    for node in walk(*function.body):
        parts = node.parts if isinstance(node, Concat) else node.operands if isinstance(node, Binary) else ()
        if isinstance(node, Augment) and node.operator in ("+", "-", "*"):
            parts = (node.value,)
        if isinstance(node, Binary) and node.operator == "%":
            continue
        if any(isinstance(each, Name) and each.id == name for each in parts):
            return True
    return False
