"""Checks on the way to a sink that were not understood, so the values they reject are unknown (A55).

Invariant: a check is a condition that rejects the request or guards the path, on the value, by a function named as a check, or on
an object looked up by the value. Tests for presence, length or an existing file do not count. Not handled here: understood
checks; the engine adds labels for those.
"""

from collections.abc import Iterable

from counterproof.analysis.flow.values import Source, Step
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import functions_around, last_name, walk
from counterproof.model.flow import StepKind
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryPoint

_CHECKING = vocabulary(
    "valid validate validated validator check checked checks verify verified safe allow allowed permit permitted trusted ensure "
    "assert sanitize sanitized clean whitelist whitelisted authorized access accessible owner owns belongs"
)
_LOOKING_UP = vocabulary("find lookup query filter first one unique get select permission permissions access member members")
_OR_ELSE = vocabulary("404 throw fail raise error")
_PATH = "path"


def unread_check(project: Project, source: Source, steps: Iterable[Step], sink: tuple[str, int]) -> Location | None:
    """The first check on the path that was not understood."""
    points = [(source.path, source.line), *((each.path, each.line) for each in steps), sink]
    named = {source.parameter, *(each.symbol for each in steps if each.kind is StepKind.ASSIGN)} - {""}
    last: dict[tuple[str, int], tuple[ir.Function, int]] = {}
    for path, line in points:
        for around in functions_around(project.module(path), line)[:1]:
            last[path, around.line] = around, line
    for (path, _), (function, until) in last.items():
        first = path == source.path and function.line <= source.line <= function.end
        taken = _taken(function, points, path, handed=not first) | named
        if (line := _check_in(function, taken & _own(function), until)) is not None:
            return at(path, line)
    return None


def guard_reads(project: Project, source: Source, entry: EntryPoint | None) -> Location | None:
    """A route's guard, if it reads the same route parameter: it may match it against a pattern, or look it up."""
    defined = entry.guarded_by.defined if entry is not None and entry.guarded_by is not None else None
    if defined is None or source.channel != _PATH or (defined.path, defined.start) == (source.path, source.line):
        return None
    text = "\n".join(project.line(defined.path, line) for line in range(defined.start, defined.end + 1))
    return defined if "params" in text or f'"{source.parameter}"' in text else None


def _own(function: ir.Function) -> set[str]:
    """Names that a function binds."""
    bound = {each.id for node in walk(*function.body) if isinstance(node, ir.Assign) for each in _names(*node.targets)}
    return bound | {each.name for each in function.parameters}


def _taken(function: ir.Function, points: list[tuple[str, int]], path: str, *, handed: bool) -> set[str]:
    """The variables with the value in a function: those assigned on its path and, where it was passed in, those passed on or
    built there."""
    lines = {line for where, line in points if where == path and function.line <= line <= function.end}
    found: set[str] = set()
    for node in walk(*function.body):
        if node.line in lines and isinstance(node, ir.Assign):
            found |= {each.id for each in _names(*node.targets)}
        elif handed and node.line in lines and isinstance(node, ir.Call | ir.Format | ir.Concat):
            parts = node.arguments if isinstance(node, ir.Call) else node.parts
            found |= {each.id for each in _names(*parts)}
    return found


def _check_in(function: ir.Function, taken: set[str], until: int) -> int | None:
    answers: set[str] = set()
    for node in walk(*function.body):
        if node.line >= until:
            continue
        if isinstance(node, ir.Assign) and node.value is not None and _answers(node.value, taken):
            answers |= {each.id for each in _names(*node.targets)} - taken
        branches = node.branches if isinstance(node, ir.If) else ()
        if _refuses(node, taken) or any(_is_on_the_way(node.end, each, taken, answers, until) for each in branches):
            return node.line
    return None


def _refuses(node: ir.Node, taken: set[str]) -> bool:
    """A statement that stops unauthorised callers: `ensure(x)`, `row = get_or_404(x)`."""
    if isinstance(node, ir.Assign) and node.value is not None:
        return bool(_OR_ELSE & _called(node.value)) and _looks_up(node.value, taken)
    return isinstance(node, ir.ExprStatement) and _is_check(node.value, taken)


def _is_on_the_way(end: int, branch: ir.Branch, taken: set[str], answers: set[str], until: int) -> bool:
    """Return True if the path depends on this test. For an object that was looked up, the path must require that it exists: a
    missing one is rejected, or the path is in the branch where it exists."""
    inside = bool(branch.body) and branch.body[0].line <= until <= branch.body[-1].end
    away = end < until and _turns_away(branch.body)
    if (inside or away or end >= until) and _is_check(branch.test, taken):
        return True
    found = bool(answers & {each.id for each in _names(branch.test)})
    return found and (away if _asks_for_nothing(branch.test) else inside)


def _asks_for_nothing(test: ir.Expr) -> bool:
    """`not row`, `row is None`, `rows.length === 0`."""
    nothing = (None, 0, False)
    return any(
        isinstance(each, ir.Not)
        or (isinstance(each, ir.Compare) and each.operators[0] in ("==", "is") and _is_const(each.operands[-1], nothing))
        for each in walk(test)
    )


def _is_const(node: ir.Expr, among: tuple[object, ...]) -> bool:
    return isinstance(node, ir.Const) and node.value in among


def _answers(value: ir.Expr, taken: set[str]) -> bool:
    """Return True if an expression is a result of the value: a row looked up by it, or the result of a check."""
    return _looks_up(value, taken) or _is_check(value, taken)


def _looks_up(value: ir.Expr, taken: set[str]) -> bool:
    return bool(_LOOKING_UP & _called(value)) and any(each.id in taken for each in _names(value))


def _called(value: ir.Expr) -> set[str]:
    return {word for each in walk(value) if isinstance(each, ir.Call) for word in words(last_name(each.callee))}


def _is_check(test: ir.Expr, taken: set[str]) -> bool:
    calls = (each for each in walk(test) if isinstance(each, ir.Call))
    return any(
        _CHECKING.intersection(words(last_name(call.callee))) and any(each.id in taken for each in _names(*call.arguments))
        for call in calls
    )


def _turns_away(body: tuple[ir.Statement, ...]) -> bool:
    return bool(body) and isinstance(body[-1], ir.Return | ir.Raise | ir.Jump)


def _names(*nodes: ir.Node) -> Iterable[ir.Name]:
    return (each for each in walk(*nodes) if isinstance(each, ir.Name))
