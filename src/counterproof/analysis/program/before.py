"""Statements that stand before a use: what they define, what they replace, and which tests they leave behind.

Always holds: a definition in an arm that control cannot leave does not reach the use. Does not belong here: what stands around
the use.
"""

from collections.abc import Callable
from typing import Any

from counterproof.analysis.program.definitions import ANY, ITER, Held, Search, binds
from counterproof.analysis.program.file import ends
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_FILLING = (
    "append",
    "add",
    "extend",
    "insert",
    "update",
    "setdefault",
    "appendleft",
    "write",
    "put",
    "push",
    "extendleft",
    "set",
)


def _run(search: Search, block: tuple[ir.Statement, ...]) -> bool:
    return any(statement(search, each) for each in reversed(block))


def statement(search: Search, node: ir.Node) -> bool:
    """One statement before the use. True when it surely replaces every earlier definition."""
    search.left -= 1
    if search.left < 0:
        search.add("open", node)
        return True
    reader = _READERS.get(type(node))
    return reader(search, node) if reader else False


def _simple(search: Search, node: ir.Assign | ir.Augment | ir.ExprStatement) -> bool:
    if isinstance(node, ir.Augment):
        if isinstance(node.target, ir.Name) and node.target.id == search.name:
            search.add("value", node, node.value)
        return False
    if isinstance(node, ir.Assign):
        if node.value is None:
            return False
        for target in node.targets:
            if _assigned(search, node, target, node.value):
                return True
        walruses(search, node.value)
        _ran(search, node.value)
        return False
    _filled(search, node.value)
    walruses(search, node.value)
    _ran(search, node.value)
    return False


def _assigned(search: Search, node: ir.Assign, target: ir.Expr, value: ir.Expr) -> bool:
    access = binds(target, search.name)
    if access is not None:
        search.add("value", node, value, access)
        return True
    if isinstance(target, ir.Index) and isinstance(target.value, ir.Name) and target.value.id == search.name:
        key = target.key.value if isinstance(target.key, ir.Const) else ANY
        search.add("value", node, value, stored=key if isinstance(key, str | int) else ANY)
    if isinstance(target, ir.Attribute) and isinstance(target.value, ir.Name) and target.value.id == search.name:
        search.add("value", node, value, stored="." + target.name)
    return False


def walruses(search: Search, value: ir.Expr) -> bool:
    """Assignments inside an expression; True if there was one to this name."""
    found = False
    for each in walk(value):
        if isinstance(each, ir.Bind) and isinstance(each.target, ir.Name) and each.target.id == search.name:
            search.add("value", each, each.value)
            found = True
    return found


def _filled(search: Search, value: ir.Expr) -> None:
    """`name.append(x)` and its like put their arguments into the variable."""
    if isinstance(value, ir.Call) and isinstance(value.callee, ir.Attribute) and value.callee.name in _FILLING:
        receiver = value.callee.value
        if isinstance(receiver, ir.Name) and receiver.id == search.name:
            if value.callee.name == "set" and len(value.arguments) > 1:
                key = value.arguments[-2].value
                named = key.value if isinstance(key, ir.Const) and isinstance(key.value, str | int) else ANY
                search.add("value", value, value.arguments[-1].value, stored=named)
                return
            for each in value.arguments:
                search.add("value", value, each.value, stored=each.keyword or ANY)


def _ran(search: Search, value: ir.Expr) -> None:
    """A call that ran to its end with the variable as an argument may have checked it."""
    call = value.value if isinstance(value, ir.Await) else value
    if isinstance(call, ir.Call) and any(_is_name(each, search.name) for each in call.arguments):
        search.held.append(Held(call, None))


def _is_name(argument: ir.Argument, name: str) -> bool:
    return isinstance(argument.value, ir.Name) and argument.value.id == name


def _arm_of(search: Search, block: tuple[ir.Statement, ...]) -> bool:
    """Definitions in an arm that control runs through. True when the arm replaces earlier ones or ends the path."""
    gone = ends(search.ground, block)
    if gone and not any(isinstance(each, ir.Jump) for each in walk(*block)):
        return True
    before = list(search.held)
    replaced = _run(search, block)
    search.held = before
    return replaced or gone  # what a `break` or `continue` takes along is seen behind the loop


def _if(search: Search, node: ir.If) -> bool:
    outline = search.ground
    arms = [branch.body for branch in node.branches]
    replaced = [_arm_of(search, body) for body in (*arms, node.otherwise)]
    for branch in node.branches:
        walruses(search, branch.test)
    for branch in node.branches:
        if not ends(outline, branch.body):
            break
        search.held.append(Held(branch.test, False))
    if len(node.branches) == 1 and node.otherwise and ends(outline, node.otherwise):
        search.held.append(Held(node.branches[0].test, True))
    return all(replaced)


def _inside_loop(search: Search, node: ir.Loop) -> bool:
    before = list(search.held)
    for each in reversed((*node.body, *node.otherwise)):
        statement(search, each)
    if node.target is not None and node.iterable is not None:
        access = binds(node.target, search.name)
        if access is not None:
            search.add("value", node, node.iterable, (ITER, *access))
    search.held = before
    return False


def _try(search: Search, node: ir.Try) -> bool:
    outline = search.ground
    if _run(search, node.final):
        return True
    sure = all(ends(outline, handler.body) for handler in node.handlers)
    for handler in node.handlers:
        _arm_of(search, handler.body)
    before = list(search.held)
    replaced = _run(search, node.otherwise) or _run(search, node.body)
    if not sure:
        search.held = before
    return replaced and sure


def with_items(search: Search, node: ir.With) -> bool:
    for item in node.items:
        access = binds(item.target, search.name) if item.target is not None else None
        if access is not None:
            search.add("value", item, item.value, access)
            return True
    return False


def _with(search: Search, node: ir.With) -> bool:
    return _run(search, node.body) or with_items(search, node)


def _switch(search: Search, node: ir.Switch) -> bool:
    for case in node.cases:
        _arm_of(search, case.body)
    return False


def _named(search: Search, node: ir.Function | ir.Class) -> bool:
    if node.name != search.name:
        return False
    search.add("outer", node)
    return True


def _import(search: Search, node: ir.Import) -> bool:
    if all(alias != search.name for alias, _ in node.names):
        return False
    search.add("outer", node)
    return True


_READERS: dict[type[ir.Node], Callable[[Search, Any], bool]] = {
    ir.Assign: _simple,
    ir.Augment: _simple,
    ir.ExprStatement: _simple,
    ir.If: _if,
    ir.Loop: _inside_loop,
    ir.Try: _try,
    ir.With: _with,
    ir.Switch: _switch,
    ir.Function: _named,
    ir.Class: _named,
    ir.Import: _import,
}
