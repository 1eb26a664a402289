"""Definitions that replace each other unseen, and statements that nothing leads to."""

from collections.abc import Iterator
from itertools import pairwise

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import children, walk
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity


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
        domain="logic",
        title=f"{first.name}() is defined twice; the first is lost",
        severity=Severity.MEDIUM,
        confidence=Confidence.HIGH,
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
        domain="logic",
        title="nothing leads to this line",
        severity=Severity.MEDIUM,
        confidence=Confidence.HIGH,
        at=at(path, after.line),
        why=f"Line {before.line} leaves the block in every case, so line {after.line} and what follows it there never runs. "
        "Either it is a leftover, or the exit stands at the wrong place.",
        fix="Remove the lines, or move the exit",
    )
