"""Definitions that do not do what they seem to: functions that replace each other unseen, statements that nothing leads to, and
defaults that are made once and shared by every call or every instance.
"""

from collections.abc import Iterator
from itertools import pairwise

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import children, dotted, walk
from counterproof.model.location import at
from counterproof.model.severity import Severity


def shadowed(view: View) -> Iterator[Claim]:
    """Two plain functions of one name in one block: the first is gone."""
    for module in view.modules():
        for block in (module.body, *(each.body for each in module.classes)):
            seen: dict[str, ir.Function] = {}
            for each in block:
                if not isinstance(each, ir.Function) or each.decorators:
                    continue
                first = seen.get(each.name)
                seen[each.name] = each
                touched = view.touches(module.path, each.line, each.line) or (
                    first is not None and view.touches(module.path, first.line, first.line)
                )
                if first is not None and touched and not _used_between(block, first, each):
                    yield _twice(view, module.path, first, each)


def _used_between(block: tuple[ir.Statement, ...], first: ir.Function, second: ir.Function) -> bool:
    between = [each for each in block if first.end < each.line < second.line and not isinstance(each, ir.Function | ir.Class)]
    return any(isinstance(node, ir.Name) and node.id == first.name for node in walk(*between))


def _twice(view: View, path: str, first: ir.Function, second: ir.Function) -> Claim:
    line = second.line if view.touches(path, second.line, second.line) else first.line
    return Claim(
        kind="definition is replaced",
        title=f"{first.name}() is defined twice; the first is lost",
        severity=Severity.MEDIUM,
        at=at(path, line),
        why=f"The definition at line {first.line} is replaced by the one at line {second.line} before anything uses it. Where it "
        "is a test, it never runs; where it is code, nobody gets what it does.",
        fix="Give one of them another name, or remove the one that is not meant",
    )


def unreachable(view: View) -> Iterator[Claim]:
    """Statements after a return, raise, break or continue of the same block."""
    for module in view.modules():
        pending: list[ir.Node] = [*module.body]
        while pending:
            node = pending.pop()
            pending += children(node)
            for block in _blocks(node):
                for before, after in pairwise(block):
                    if isinstance(before, ir.Return | ir.Raise | ir.Jump) and view.touches(module.path, after.line, after.line):
                        if not _makes_generator(after):
                            yield _dead(module.path, before, after)
                        break


def _blocks(node: ir.Node) -> list[tuple[ir.Statement, ...]]:
    names = ("body", "otherwise", "final")
    return [block for name in names if isinstance(block := getattr(node, name, None), tuple)]


def _makes_generator(node: ir.Node) -> bool:
    """`return` before a `yield` is how an empty generator is written."""
    return any(isinstance(each, ir.Yield) for each in walk(node))


def _dead(path: str, before: ir.Node, after: ir.Node) -> Claim:
    return Claim(
        kind="code that never runs",
        title="nothing leads to this line",
        severity=Severity.MEDIUM,
        at=at(path, after.line),
        why=f"Line {before.line} leaves the block in every case, so line {after.line} and what follows it there never runs. "
        "Either it is a leftover, or the exit stands at the wrong place.",
        fix="Remove the lines, or move the exit",
    )


_CHANGING = ("append", "extend", "insert", "add", "update", "setdefault", "pop", "remove", "clear", "popitem", "discard")
_MOMENT = (
    "datetime.datetime.now",
    "datetime.datetime.utcnow",
    "datetime.date.today",
    "django.utils.timezone.now",
    "time.time",
    "uuid.uuid4",
    "uuid.uuid1",
    "random.random",
    "secrets.token_hex",
    "secrets.token_urlsafe",
)


def shared(view: View) -> Iterator[Claim]:
    """Mutable defaults that the function changes, and values of the moment that are taken once."""
    for module, function in view.functions():
        for each in function.parameters:
            if each.default is not None and view.touches(module.path, each.line, each.end):
                yield from _parameter(module, function, each)
    for module in view.modules():
        for each in module.classes:
            if _is_dataclass(each, module):
                yield from _fields(view, module, each)


def _parameter(module: ir.Module, function: ir.Function, each: ir.Parameter) -> Iterator[Claim]:
    default = each.default
    mutable = isinstance(default, ir.Mapping) or (isinstance(default, ir.Sequence) and default.kind != "tuple")
    line = _changed_at(function, each.name) if mutable else 0
    if line:
        why = (
            f"The default of {each.name} is made once, when the function is defined, and line {line} changes it. What one call "
            "puts in, every later call without the argument finds there."
        )
        yield _claim(f"{function.name}() keeps what it puts into its default {each.name}", module.path, each.line, why)
    elif isinstance(default, ir.Call) and (dotted(default.callee, module) or "") in _MOMENT:
        yield _claim(f"the default of {each.name} is taken once", module.path, each.line, _ONCE)


_ONCE = (
    "The call runs once, when the module is imported, and not each time. Every use of this default gets the value of that one "
    "moment for as long as the process lives."
)


def _changed_at(function: ir.Function, name: str) -> int:
    for node in walk(*function.body):
        if isinstance(node, ir.Assign) and any(isinstance(each, ir.Name) and each.id == name for each in node.targets):
            return 0
        if isinstance(node, ir.Call) and _changes(node, name):
            return node.line
        if isinstance(node, ir.Assign) and any(_item_of(each, name) for each in node.targets):
            return node.line
    return 0


def _changes(call: ir.Call, name: str) -> bool:
    callee = call.callee
    if not isinstance(callee, ir.Attribute) or callee.name not in _CHANGING:
        return False
    return isinstance(callee.value, ir.Name) and callee.value.id == name


def _item_of(target: ir.Expr, name: str) -> bool:
    return isinstance(target, ir.Index) and isinstance(target.value, ir.Name) and target.value.id == name


def _is_dataclass(each: ir.Class, module: ir.Module) -> bool:
    marks = [mark.value.callee if isinstance(mark.value, ir.Call) else mark.value for mark in each.decorators]
    return any((dotted(mark, module) or "").startswith(("dataclasses.dataclass", "attr.", "attrs.")) for mark in marks)


def _fields(view: View, module: ir.Module, each: ir.Class) -> Iterator[Claim]:
    for node in each.body:
        if not isinstance(node, ir.Assign) or not isinstance(node.value, ir.Call) or node.annotation is None:
            continue
        if (dotted(node.value.callee, module) or "") in _MOMENT and view.touches(module.path, node.line, node.end):
            yield _claim(f"a field of {each.name} takes its default once", module.path, node.line, _ONCE)


def _claim(title: str, path: str, line: int, why: str) -> Claim:
    fix = "Use None (or a default_factory) and make the value where it is needed"
    return Claim("shared default", title[:200], Severity.MEDIUM, at(path, line), why, fix=fix)
