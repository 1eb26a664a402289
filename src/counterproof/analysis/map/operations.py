"""The functions that a Python handler stands for: those called for their effect, or whose value it returns.

Invariant: a function called with literals is a different operation from the same function without them. Not handled here: what a
function does, and who may call it.
"""

from collections.abc import Iterator

from counterproof.analysis.program.traversal import calls_in
from counterproof.analysis.syntax.ir import Assign, Await, Call, Const, ExprStatement, Function, Loop, Name, Node, Return
from counterproof.analysis.syntax.walk import walk

MAX_HOPS = 4


def literals_of(call: Call) -> tuple[str, ...]:
    """The strings and numbers that a call passes: `get_value("general", "folder")` requests one value of many."""
    return tuple(repr(each.value.value) for each in call.arguments if isinstance(each.value, Const) and _selects(each.value))


def _selects(value: Const) -> bool:
    return isinstance(value.value, str | int) and not isinstance(value.value, bool)


def dropped_in(function: Function) -> frozenset[int]:
    """The calls whose value is discarded, by identity."""
    statements = [each.value for each in walk(*function.body) if isinstance(each, ExprStatement)]
    return frozenset(id(each.value if isinstance(each, Await) else each) for each in statements)


def answers_of(function: Function) -> frozenset[int]:
    """The calls whose value becomes part of the function's return value, by identity."""
    made = list(_made(function))
    wanted: list[Node] = [each.value for each in walk(*function.body) if isinstance(each, Return) and each.value is not None]
    found: set[int] = set()
    names: set[str] = set()
    for _ in range(MAX_HOPS):
        found.update(id(each) for each in calls_in(*wanted))
        fresh = {each.id for each in walk(*wanted) if isinstance(each, Name)} - names
        names |= fresh
        wanted = [value for name, value in made if name in fresh]
    return frozenset(found)


def _made(function: Function) -> Iterator[tuple[str, Node]]:
    """Local names with the expressions assigned to them."""
    for each in walk(*function.body):
        if isinstance(each, Assign) and each.value is not None:
            yield from ((name.id, each.value) for target in each.targets for name in walk(target) if isinstance(name, Name))
        elif isinstance(each, Loop):
            yield from _looped(each)


def _looped(loop: Loop) -> Iterator[tuple[str, Node]]:
    if loop.target is not None and loop.iterable is not None:
        yield from ((name.id, loop.iterable) for name in walk(loop.target) if isinstance(name, Name))
