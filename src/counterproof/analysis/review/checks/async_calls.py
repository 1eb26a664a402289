"""Async calls without `await`: in Python the body never runs, in JavaScript the result is lost."""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.definitions import Place, definitions
from counterproof.analysis.review.impact import resolved_calls
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, walk
from counterproof.model.location import Location, at
from counterproof.model.severity import Severity


def not_awaited(view: View) -> Iterator[Claim]:
    """Calls of functions that are certainly `async` and not generators, with a discarded result."""
    table = definitions(view.project)
    for module in view.modules():
        names = {id(call): name for name, call in resolved_calls(module)}
        for node in _thrown_away(view, module):
            place = table.get(names.get(id(node.value)))
            if place and place[1].is_async and not place[1].is_generator and not place[1].decorators:
                yield _claim(Location(module.path, node.line, node.end), place)


def promises(view: View) -> Iterator[Claim]:
    """The same in JavaScript, inside async functions, which wait for other calls but not for this one. `void f()` marks it as
    intended."""
    table = definitions(view.project)
    for module in view.scripts():
        spans = [(each.line, each.end) for each in module.functions if each.is_async]
        for node in _thrown_away(view, module):
            if not isinstance(node.value, ir.Call) or not any(low <= node.line <= high for low, high in spans):
                continue
            place = table.get(dotted(node.value.callee, module))
            if place and place[1].is_async and not place[1].is_generator:
                yield _floating(Location(module.path, node.line, node.end), place)


def _thrown_away(view: View, module: ir.Module) -> Iterator[ir.ExprStatement]:
    for node in walk(*module.body):
        thrown = isinstance(node, ir.ExprStatement) and isinstance(node.value, ir.Call)
        if thrown and isinstance(node, ir.ExprStatement) and view.touches(module.path, node.line, node.end):
            yield node


def _floating(call: Location, place: Place) -> Claim:
    path, function = place
    name = function.qualified
    return Claim(
        kind="coroutine is not awaited",
        title=f"nobody waits for {name}()",
        severity=Severity.MEDIUM,
        at=call,
        why=f"{name} is async ({at(path, function.line)}), and its promise is thrown away. What follows runs before the work is "
        "done, a surrounding try does not see its errors, and the process may end before it does.",
        chain=f"{call} -> {at(path, function.line)}",
        fix=f"`await {name}(…)`, or collect the promises and await them all; `void` where nobody needs to know",
    )


def _claim(call: Location, place: Place) -> Claim:
    path, function = place
    return Claim(
        kind="coroutine is not awaited",
        title=f"{function.name}() is called but never awaited",
        severity=Severity.HIGH,
        at=call,
        why=f"{function.name} is `async def` ({at(path, function.line)}); the call only makes a coroutine. "
        "Its body never runs, and the interpreter says so only in a warning when the coroutine is thrown away.",
        chain=f"{call} -> {at(path, function.line)}",
        fix=f"Await it: `await {function.name}(…)`, or hand it to a task that something keeps",
    )
