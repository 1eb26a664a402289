"""Functions that are checks: `if not is_allowed(x): return`.

Always holds: the function is run on the values at hand and tells only about those; what it does otherwise is not recorded
here. Does not belong here: tests written in place.
"""

from counterproof.analysis.flow.assignments import is_place, put
from counterproof.analysis.flow.execute import answers, run
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.marks import mark_origins
from counterproof.analysis.flow.repeated_reads import keep_answer, question
from counterproof.analysis.flow.values import INTERNAL, Taint, Value
from counterproof.analysis.syntax import ir

_OF_ALL = ("host check", "prefix check")
"""What a test of a part tells about all that comes from the same origin, as `allowed(urlparse(url))` does about `url`."""

MAX_STATEMENTS = 30
"""A longer function does more than check."""


def check(frame: Frame, info: FunctionInfo, bound: Value | None, test: ir.Call, truth: bool) -> None:
    """Narrow the arguments of a check to what holds where it answers `truth`."""
    if len(info.node.body) > MAX_STATEMENTS:
        return
    places = [each.value for each in test.arguments if not each.keyword and not each.spread]
    names = [each.name for each in info.node.parameters[1 if bound is not None else 0 :] if each.kind == "positional"]
    given = {name: frame.value(place) for name, place in zip(names, places, strict=False)}
    inner = Frame(frame.engine, info.module, info, frame.engine.closure(info))
    inner.exits = []
    inner.env.update({each.name: INTERNAL for each in info.node.parameters})
    if bound is not None and info.node.parameters:
        inner.env[info.node.parameters[0].name] = bound
    inner.env.update(given)
    run(inner, info.node.body)
    env = answers(inner, truth)
    if env is None:
        return
    for name, place in zip(names, places, strict=False):
        after = env.get(name, given[name])
        if after is not given[name] and (is_place(place) or question(place)):
            _narrow(frame, place, given[name], after)


def _had(before: Value, taint: Taint, label: str) -> bool:
    return any(label in each.passed for each in before.taints if each.origin == taint.origin)


def _narrow(frame: Frame, place: ir.Expr, before: Value, after: Value) -> None:
    origins = [taint.origin for taint in before.taints]
    if not all(taint.origin in origins for taint in after.taints):
        return  # the check works on a changed copy of its argument
    for name, other in frame.env.items():
        if other is before:
            frame.env[name] = after
    for label in _OF_ALL:
        learnt = tuple(new for new in after.taints if label in new.passed and not _had(before, new, label))
        mark_origins(frame, learnt, label)
    keep_answer(frame, place, after) if question(place) else put(frame, place, after)
