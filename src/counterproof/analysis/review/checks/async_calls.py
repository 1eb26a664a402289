"""Async calls without `await`: in Python the body never runs, in JavaScript the result is lost."""

from collections.abc import Iterator

from counterproof.analysis.review.call_targets import targets_in
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.nearby import CODE, ground
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import Location, at
from counterproof.model.severity import Severity
from counterproof.model.survey import Language


def not_awaited(view: View) -> Iterator[Claim]:
    """Calls of functions that are certainly `async` and not generators, with a discarded result. In JavaScript only inside async
    functions, which wait for other calls but not for this one; `void f()` marks it as intended."""
    project = ground(view)
    for path in view.files:
        file = project.files.get(path)
        if file is None or file.language not in CODE or (file.test and file.language is not Language.PYTHON):
            continue
        module, python = project.module(path), file.language is Language.PYTHON
        spans = [(each.line, each.end) for each in module.functions if each.is_async]
        thrown = {id(node.value): node for node in walk(*module.body) if isinstance(node, ir.ExprStatement)}
        for target in targets_in(project, path) if thrown else ():
            node = thrown.get(id(target.call))
            function = target.place[1] if target.place else None
            if node is None or function is None or not view.touches(path, node.line, node.end):
                continue
            waits = python or any(low <= node.line <= high for low, high in spans)
            if waits and function.is_async and not function.is_generator and not (python and function.decorators):
                yield _claim(Location(path, node.line, node.end), target.place[0] if target.place else "", function, python)


def _claim(call: Location, path: str, function: ir.Function, python: bool) -> Claim:
    name, place = function.name if python else function.qualified, at(path, function.line)
    lost = (
        "the call only makes a coroutine. Its body never runs, and the interpreter says so only in a warning when the coroutine "
        "is thrown away."
        if python
        else "its promise is thrown away. What follows runs before the work is done, a surrounding try does not see its errors, "
        "and the process may end before it does."
    )
    return Claim(
        kind="coroutine is not awaited",
        title=f"{name}() is called but never awaited" if python else f"nobody waits for {name}()",
        severity=Severity.HIGH if python else Severity.MEDIUM,
        at=call,
        why=f"{name} is async ({place}), and {lost}",
        chain=f"{call} -> {place}",
        fix=f"`await {name}(…)`, or hand it to something that awaits it; `void` in JavaScript where nobody needs to know",
    )
