"""Which definitions of a variable reach a place, walking from the place backwards and outwards.

Always holds: a definition that another one surely replaces is not reported. Does not belong here: what the tests on the way mean,
and names of other scopes.
"""

from collections.abc import Callable
from typing import Any

from counterproof.analysis.backward.before import statement, walruses, with_items
from counterproof.analysis.backward.definitions import ITER, Held, Reaching, Search, binds
from counterproof.analysis.backward.ground import Ground
from counterproof.analysis.syntax.ir import (
    Boolean,
    Branch,
    Comprehension,
    Conditional,
    Function,
    Generator,
    Handler,
    If,
    Lambda,
    Loop,
    Node,
    Try,
    With,
)


def reaching(ground: Ground, use: Node, name: str) -> tuple[Reaching, ...]:
    """Definitions of `name` that may be its value where `use` stands, nearest first."""
    search = Search(ground, name)
    child: Node = use
    parent = ground.parent(use)
    while True:
        for sibling in ground.siblings_before(child, parent):
            if statement(search, sibling):
                return tuple(search.found)
        if parent is None:
            break
        if _enclosing(search, child, parent):
            return tuple(search.found)
        if isinstance(parent, Function):
            break
        child, parent = parent, ground.parent(parent)
    search.add("outer", use)
    return tuple(search.found)


def at_end(ground: Ground, function: Function, name: str) -> tuple[Reaching, ...]:
    """Definitions of `name` that are its value where a function's body ends."""
    search = Search(ground, name)
    for each in reversed(function.body):
        if statement(search, each):
            return tuple(search.found)
    for each in function.parameters:
        if each.name == name:
            search.add("parameter", each)
    return tuple(search.found)


def _enclosing(search: Search, child: Node, parent: Node) -> bool:
    """What a node around the use binds or tests. True when the definition is found for certain."""
    reader = _READERS.get(type(parent))
    return reader(search, child, parent) if reader else False


def _conditional(search: Search, child: Node, parent: Conditional) -> bool:
    if child is not parent.test:
        search.held.append(Held(parent.test, child is parent.then))
    return False


def _boolean(search: Search, child: Node, parent: Boolean) -> bool:
    earlier = parent.operands[: next(index for index, each in enumerate(parent.operands) if each is child)]
    search.held.extend(Held(each, parent.operator == "and") for each in earlier)
    return False


def _branch(search: Search, child: Node, parent: Branch) -> bool:
    if child is parent.test:
        return False
    search.held.append(Held(parent.test, True))
    return walruses(search, parent.test)


def _with(search: Search, child: Node, parent: With) -> bool:
    return any(child is each for each in parent.body) and with_items(search, parent)


def _try(search: Search, child: Node, parent: Try) -> bool:
    """In a handler, any part of the body may have run."""
    if not any(child is each for each in parent.body):
        before = list(search.held)
        for each in reversed(parent.body):
            statement(search, each)
        search.held = before
    return False


def _handler(search: Search, child: Node, parent: Handler) -> bool:
    if child is parent.kind or parent.name != search.name:
        return False
    search.add("caught", parent)
    return True


def _comprehension(search: Search, child: Node, parent: Comprehension | Generator) -> bool:
    generators = parent.generators if isinstance(parent, Comprehension) else (parent,)
    if isinstance(parent, Generator) and child is parent.iterable:
        return False
    seen = [each for each in generators if each is not child] if isinstance(child, Generator) else list(generators)
    if isinstance(child, Generator):
        seen = seen[: next(index for index, each in enumerate(generators) if each is child)]
    for generator in reversed(seen):
        search.held.extend(Held(each, True) for each in generator.conditions if each is not child)
        access = binds(generator.target, search.name)
        if access is not None:
            search.add("value", generator, generator.iterable, (ITER, *access))
            return True
    return False


def _parameter(search: Search, child: Node, parent: Lambda | Function) -> bool:
    inside = child is parent.body if isinstance(parent, Lambda) else any(child is each for each in parent.body)
    if inside:
        for each in parent.parameters:
            if each.name == search.name:
                search.add("parameter", each)
                return True
    return False


def _arm(search: Search, child: Node, parent: If) -> bool:
    """Arms are tried in order, so in a later one the earlier tests failed."""
    for branch in parent.branches:
        if branch is child:
            break
        search.held.append(Held(branch.test, False))
    return False


def _loop(search: Search, child: Node, parent: Loop) -> bool:
    if not any(child is each for each in parent.body):
        return False
    later = parent.body[next(index for index, each in enumerate(parent.body) if each is child) :]
    before = list(search.held)
    for each in reversed(later):  # what a round of the loop leaves behind is there in the next one
        statement(search, each)
    search.held = before  # but its tests say nothing about the first round
    if parent.target is not None and parent.iterable is not None:
        access = binds(parent.target, search.name)
        if access is not None:
            search.add("value", parent, parent.iterable, (ITER, *access))
            return True
    if parent.test is not None:
        search.held.append(Held(parent.test, True))
    return False


_READERS: dict[type[Node], Callable[[Search, Node, Any], bool]] = {
    Conditional: _conditional,
    Boolean: _boolean,
    Comprehension: _comprehension,
    Generator: _comprehension,
    Lambda: _parameter,
    Function: _parameter,
    If: _arm,
    Branch: _branch,
    Loop: _loop,
    With: _with,
    Try: _try,
    Handler: _handler,
}
