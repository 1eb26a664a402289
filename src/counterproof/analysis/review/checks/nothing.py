"""Values that may be None, used as if they never were: nothing was found, and the next line asks it for an attribute.

Always: the value comes from a call that is known to give None (the standard library, or a function of this project that says so
in its annotation), and no line between says that it was looked at.
"""

import re
from collections.abc import Callable, Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.definitions import definitions
from counterproof.analysis.review.impact import resolved_calls
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, walk
from counterproof.model.location import Location
from counterproof.model.severity import Confidence, Severity

CallTest = Callable[[ir.Call], bool]

_LIBRARY = ("re.match", "re.search", "re.fullmatch", "shutil.which", "inspect.getmodule", "mimetypes.guess_extension")
_WITH_DEFAULT = ("os.environ.get", "os.getenv")
_ROWS = ("fetchone", "one_or_none", "scalar_one_or_none")
_AGGREGATE = re.compile(
    r"\b(?:count|max|min|sum|avg|total|exists|coalesce|last_insert_rowid)\s?\(|\breturning\b|\bpragma\b", re.I
)


def used(view: View) -> Iterator[Claim]:
    """Uses in functions under review; tests may count on what they set up."""
    for module, function in view.functions(tests=False):
        names = {id(call): name for name, call in resolved_calls(module)}
        for use, call in _uses(function, lambda call, names=names, module=module: _may_be_none(view, module, names, call)):
            if getattr(use, "value", None) is call and names.get(id(call)) in _LIBRARY:
                continue  # `re.search(…).group()` is as often as not meant to fail loudly: right in less than half of the cases
            place = Location(module.path, use.line, use.line)
            if view.touches(module.path, use.line, use.line) or view.touches(module.path, call.line, call.line):
                at = place if view.touches(module.path, use.line, use.line) else Location(module.path, call.line, call.line)
                yield _claim(at, use, names.get(id(call)) or getattr(call.callee, "name", "the call"))


def _may_be_none(view: View, module: ir.Module, names: dict[int, str], call: ir.Call) -> bool:
    name = names.get(id(call)) or ""
    if name in _LIBRARY or _is_row(call):
        return True
    if name in _WITH_DEFAULT:
        return len(call.arguments) == 1
    place = definitions(view.project).get(name)
    if place is None or place[1].is_async or place[1].is_generator or place[1].returns is None:
        return False
    return _optional(place[1].returns, view.project.module(place[0]))


def _is_row(call: ir.Call) -> bool:
    """`execute("SELECT … WHERE …").fetchone()`: a row that need not be there. An aggregate always gives one."""
    callee = call.callee
    if not isinstance(callee, ir.Attribute) or callee.name not in _ROWS:
        return False
    if callee.name != "fetchone":
        return True
    texts = [node.value for node in walk(callee.value) if isinstance(node, ir.Const) and isinstance(node.value, str)]
    return any(" where " in f" {text.lower()} " for text in texts) and not any(_AGGREGATE.search(text) for text in texts)


def _optional(annotation: ir.Expr, module: ir.Module) -> bool:
    """`X | None` or `Optional[X]`."""
    if isinstance(annotation, ir.Binary) and annotation.operator == "|":
        return any(isinstance(each, ir.Const) and each.value is None for each in annotation.operands)
    return isinstance(annotation, ir.Index) and (dotted(annotation.value, module) or "") in ("typing.Optional", "Optional")


def _uses(function: ir.Function, may_be_none: CallTest) -> Iterator[tuple[ir.Node, ir.Call]]:
    """Attribute or item taken of such a call's result, at once or through a variable that nobody looked at."""
    for node in _own(function.body):
        if isinstance(node, ir.Attribute | ir.Index) and isinstance(node.value, ir.Call) and may_be_none(node.value):
            yield node, node.value
    yield from _through_names(function.body, may_be_none)


def _through_names(block: tuple[ir.Statement, ...], may_be_none: CallTest) -> Iterator[tuple[ir.Node, ir.Call]]:
    """In one block: the assignment, then the first statement that mentions the name, if that one takes a part of it."""
    for index, statement in enumerate(block):
        for inner in _blocks(statement):
            yield from _through_names(inner, may_be_none)
        if not isinstance(statement, ir.Assign) or not isinstance(statement.value, ir.Call) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        if isinstance(target, ir.Name) and may_be_none(statement.value):
            use = _first_use(block[index + 1 :], target.id)
            if use is not None:
                yield use, statement.value


def _first_use(rest: tuple[ir.Statement, ...], name: str) -> ir.Node | None:
    for statement in rest:
        mentions = [node for node in walk(statement) if isinstance(node, ir.Name) and node.id == name]
        if not mentions:
            if isinstance(statement, ir.Try):
                return None
            continue
        if not isinstance(statement, ir.Assign | ir.ExprStatement | ir.Return):
            return None
        taken = [node for node in walk(statement) if isinstance(node, ir.Attribute | ir.Index) and node.value in mentions]
        looked = any(isinstance(node, ir.Boolean | ir.Conditional | ir.Compare | ir.Lambda) for node in walk(statement))
        return taken[0] if taken and not looked else None
    return None


def _blocks(statement: ir.Statement) -> Iterator[tuple[ir.Statement, ...]]:
    match statement:
        case ir.If():
            yield from (branch.body for branch in statement.branches)
            yield statement.otherwise
        case ir.Loop():
            yield statement.body
        case ir.With():
            yield statement.body
        case _:  # what stands in a `try` is looked after, and nested functions have their own turn
            return


def _own(block: tuple[ir.Statement, ...]) -> Iterator[ir.Node]:
    """Nodes outside `try` blocks, nested functions and conditions that look at the same call first."""
    for statement in block:
        inner = list(_blocks(statement))
        if inner:
            for each in inner:
                yield from _own(each)
        elif not isinstance(statement, ir.Try | ir.Function | ir.Class | ir.Assert) and not _looks(statement):
            yield from walk(statement)


def _looks(statement: ir.Statement) -> bool:
    return any(isinstance(node, ir.Boolean | ir.Conditional | ir.Lambda) for node in walk(statement))


def _claim(place: Location, use: ir.Node, name: str) -> Claim:
    part = use.name if isinstance(use, ir.Attribute) else "an item"
    return Claim(
        kind="None is not expected",
        title=f"the result of {name.rpartition('.')[2]}() may be None here",
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        at=place,
        why=f"{name} gives None when there is nothing to give, and {part} is taken of it at line {use.line} without a look. "
        "The code fails with an AttributeError or a TypeError in just that case.",
        fix="Test the result before it is used, or say what should happen when there is none",
    )
