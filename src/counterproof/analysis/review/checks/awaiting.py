"""Coroutines that nobody awaits: the call stands alone as a statement, so its body never runs."""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.definitions import definitions
from counterproof.analysis.review.impact import resolved_calls
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import Location, at
from counterproof.model.severity import Confidence, Severity


def not_awaited(view: View) -> Iterator[Claim]:
    """Calls of functions that are certainly `async def` and no generators, with their result thrown away."""
    table = definitions(view.project)
    for module in view.modules():
        names = {id(call): name for name, call in resolved_calls(module)}
        for node in walk(*module.body):
            if not isinstance(node, ir.ExprStatement) or not isinstance(node.value, ir.Call):
                continue
            place = table.get(names.get(id(node.value), ""))
            if place is None or not place[1].is_async or place[1].is_generator or place[1].decorators:
                continue
            if view.touches(module.path, node.line, node.end):
                yield _claim(Location(module.path, node.line, node.end), place)


def _claim(call: Location, place: tuple[str, ir.Function]) -> Claim:
    path, function = place
    return Claim(
        kind="coroutine is not awaited",
        domain="races",
        title=f"{function.name}() is called but never awaited",
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        at=call,
        why=f"{function.name} is `async def` ({at(path, function.line)}); the call only makes a coroutine. "
        "Its body never runs, and the interpreter says so only in a warning when the coroutine is thrown away.",
        chain=f"{call} -> {at(path, function.line)}",
        fix=f"Await it: `await {function.name}(…)`, or hand it to a task that something keeps",
    )
