"""Which definitions of a variable reach a place, walking from the place backwards and outwards.

Always holds: a definition that another one surely replaces is not reported. Does not belong here: what the tests on the way mean,
and names of other scopes.
"""

from collections.abc import Callable
from typing import Any

from counterproof.analysis.program.before import statement, walruses, with_items
from counterproof.analysis.program.definitions import ITER, Held, Reaching, Search, binds
from counterproof.analysis.program.file import File
from counterproof.analysis.syntax import ir


def reaching(ground: File, use: ir.Node, name: str) -> tuple[Reaching, ...]:
    """Definitions of `name` that may be its value where `use` stands, nearest first."""
    search = Search(ground, name)
    child: ir.Node = use
    parent = ground.parent(use)
    while True:
        for sibling in ground.siblings_before(child, parent):
            if statement(search, sibling):
                return tuple(search.found)
        if parent is None:
            break
        if _enclosing(search, child, parent):
            return tuple(search.found)
        if isinstance(parent, ir.Function):
            break
        child, parent = parent, ground.parent(parent)
    search.add("outer", use)
    return tuple(search.found)


def _enclosing(search: Search, child: ir.Node, parent: ir.Node) -> bool:
    """What a node around the use binds or tests. True when the definition is found for certain."""
    reader = _READERS.get(type(parent))
    return reader(search, child, parent) if reader else False


def _conditional(search: Search, child: ir.Node, parent: ir.Conditional) -> bool:
    if child is not parent.test:
        search.held.append(Held(parent.test, child is parent.then))
    return False


def _boolean(search: Search, child: ir.Node, parent: ir.Boolean) -> bool:
    earlier = parent.operands[: next(index for index, each in enumerate(parent.operands) if each is child)]
    search.held.extend(Held(each, parent.operator == "and") for each in earlier)
    return False


def _branch(search: Search, child: ir.Node, parent: ir.Branch) -> bool:
    if child is parent.test:
        return False
    search.held.append(Held(parent.test, True))
    return walruses(search, parent.test)


def _with(search: Search, child: ir.Node, parent: ir.With) -> bool:
    return any(child is each for each in parent.body) and with_items(search, parent)


def _try(search: Search, child: ir.Node, parent: ir.Try) -> bool:
    """In a handler, any part of the body may have run."""
    if not any(child is each for each in parent.body):
        before = list(search.held)
        for each in reversed(parent.body):
            statement(search, each)
        search.held = before
    return False


def _handler(search: Search, child: ir.Node, parent: ir.Handler) -> bool:
    if child is parent.kind or parent.name != search.name:
        return False
    search.add("caught", parent)
    return True


def _comprehension(search: Search, child: ir.Node, parent: ir.Comprehension | ir.Generator) -> bool:
    generators = parent.generators if isinstance(parent, ir.Comprehension) else (parent,)
    if isinstance(parent, ir.Generator) and child is parent.iterable:
        return False
    seen = [each for each in generators if each is not child] if isinstance(child, ir.Generator) else list(generators)
    if isinstance(child, ir.Generator):
        seen = seen[: next(index for index, each in enumerate(generators) if each is child)]
    for generator in reversed(seen):
        search.held.extend(Held(each, True) for each in generator.conditions if each is not child)
        access = binds(generator.target, search.name)
        if access is not None:
            search.add("value", generator, generator.iterable, (ITER, *access))
            return True
    return False


def _parameter(search: Search, child: ir.Node, parent: ir.Lambda | ir.Function) -> bool:
    inside = child is parent.body if isinstance(parent, ir.Lambda) else any(child is each for each in parent.body)
    if inside:
        for each in parent.parameters:
            if each.name == search.name:
                search.add("parameter", each)
                return True
    return False


def _arm(search: Search, child: ir.Node, parent: ir.If) -> bool:
    """Arms are tried in order, so in a later one the earlier tests failed."""
    for branch in parent.branches:
        if branch is child:
            break
        search.held.append(Held(branch.test, False))
    return False


def _loop(search: Search, child: ir.Node, parent: ir.Loop) -> bool:
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


_READERS: dict[type[ir.Node], Callable[[Search, ir.Node, Any], bool]] = {
    ir.Conditional: _conditional,
    ir.Boolean: _boolean,
    ir.Comprehension: _comprehension,
    ir.Generator: _comprehension,
    ir.Lambda: _parameter,
    ir.Function: _parameter,
    ir.If: _arm,
    ir.Branch: _branch,
    ir.Loop: _loop,
    ir.With: _with,
    ir.Try: _try,
    ir.Handler: _handler,
}
