"""Tests whose outcome a variable keeps: `inside = is_within(root, path)`, and later `if not inside: raise`.

Always holds: what a test told counts only while the variable still holds that very outcome, and only if no variable that the
test spoke of was set on any path since. Does not belong here: what a test tells.
"""

from collections.abc import Iterator

from counterproof.analysis.flow.frame import Frame, KeptTest, with_taints
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.values import Value
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_TESTS = (ir.Call, ir.Compare, ir.Boolean, ir.Not, ir.Await)
MAX_KEPT = 40
MAX_NODES = 60
"""A longer test is not kept."""


def keep_test(frame: Frame, node: ir.Assign, value: Value) -> Value:
    """The value to store for `name = test`; of its own, so that it is recognised again."""
    tested = node.value
    if not isinstance(tested, _TESTS) or value.known or len(node.targets) != 1 or not isinstance(node.targets[0], ir.Name):
        return value
    if isinstance(tested, ir.Boolean) and any(isinstance(each, ir.Const) for each in tested.operands):
        return value  # `commit || ""`: a default, and no test
    names: dict[str, int] = {}
    tainted = False
    for each, count in zip(_nodes(frame, tested), range(MAX_NODES + 1), strict=False):
        if count == MAX_NODES:
            return value
        if isinstance(each, ir.Name) and each.id in frame.env:
            names[each.id] = frame.writes.get(each.id, 0)
            tainted = tainted or bool(frame.env[each.id].taints)
    if not tainted or len(frame.tests) >= MAX_KEPT:
        return value
    outcome = with_taints(value, value.taints)
    frame.tests[id(outcome)] = KeptTest(outcome, tested, tuple(names.items()))
    return outcome


def _nodes(frame: Frame, tested: ir.Expr) -> Iterator[ir.Node]:
    """The test, and the functions that are written in it."""
    for each in walk(tested):
        yield each
        made = frame.env.get(each.id) if isinstance(each, ir.Name) else None
        if made is not None and isinstance(made.of, FunctionInfo) and frame.engine.closure(made.of) is frame:
            yield from walk(*made.of.node.body)


def kept_test(frame: Frame, name: ir.Name) -> ir.Expr | None:
    """The test whose outcome a variable holds, where it would still come out the same."""
    value = frame.env.get(name.id)
    kept = frame.tests.get(id(value)) if value is not None and frame.tests else None
    if kept is None or kept.outcome is not value:
        return None
    return kept.test if all(frame.writes.get(each, 0) == count for each, count in kept.written) else None
