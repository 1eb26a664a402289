"""Check functions: `if not is_allowed(x): return`.

Invariant: the function is run on the actual values and narrows only those; its other effects are not recorded here. Not handled
here: inline conditions.
"""

from dataclasses import replace
from itertools import islice

from counterproof.analysis.flow.access import Place, iterated
from counterproof.analysis.flow.assignments import is_place, put
from counterproof.analysis.flow.element_functions import ElementTest, tested_elements
from counterproof.analysis.flow.execute import answers, run
from counterproof.analysis.flow.frame import Env, Frame
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.marks import keep_answer, mark_origins, narrowed_value, question
from counterproof.analysis.flow.values import INTERNAL, Taint, Value
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_OF_ALL = ("host check", "prefix check")
"""Labels of a part that apply to all data of the same origin: `allowed(urlparse(url))` checks `url`."""

MAX_NODES = 600
"""A longer function does more than check: about thirty statements, at any depth."""
MAX_ELEMENTS = 12
"""Elements of a list that are tracked separately."""


def check(frame: Frame, info: FunctionInfo, bound: Value | None, test: ir.Call, truth: bool) -> None:
    """Narrow the arguments of a check to the values for which it returns `truth`."""
    if (tested := tested_elements(test)) is not None:
        _check_elements(frame, info, bound, tested, truth)
        return
    places = [each.value for each in test.arguments if not each.keyword and not each.spread]
    values = [frame.value(each) for each in places]
    env = answered(frame, info, bound, values, truth)
    for name, place, value in zip(_own(info, bound), places, values, strict=False):
        after = env.get(name, value) if env is not None else value
        if after is not value:
            _narrow(frame, place, value, after)


def answered(frame: Frame, info: FunctionInfo, bound: Value | None, values: list[Value], truth: bool) -> Env | None:
    """The variables of a function, and of its enclosing function, where it returns `truth` for these values."""
    if any(islice(walk(*info.node.body), MAX_NODES, None)):
        return None
    if frame.engine.closure(info) is frame:
        return answers(_ran(frame, info, bound, values), truth)
    return answers(frame.engine.ran(info, bound, values, lambda: _ran(frame, info, bound, values)), truth)


def _ran(frame: Frame, info: FunctionInfo, bound: Value | None, values: list[Value]) -> Frame:
    around = frame.engine.closure(info)
    inner = Frame(frame.engine, info.module, info, around)
    inner.exits = []
    inner.env.update(frame.env if around is frame else {})
    inner.env.update({each.name: INTERNAL for each in info.node.parameters})
    if bound is not None and info.node.parameters:
        inner.env[info.node.parameters[0].name] = bound
    inner.env.update(zip(_own(info, bound), values, strict=False))
    run(inner, info.node.body)
    return inner


def _check_elements(frame: Frame, info: FunctionInfo, bound: Value | None, tested: ElementTest, truth: bool) -> None:
    """Narrow the elements and the enclosing variables to the values for which the test is `truth`."""
    listed, own = frame.value(tested.elements), _own(info, bound)
    of_all = tested.every is truth
    ones = listed.items if of_all and listed.items else (iterated(listed, Place(frame.path, tested.elements.line)),)
    for one in ones[:MAX_ELEMENTS]:
        before = dict(frame.env)
        env = answered(frame, info, bound, [one], truth)
        if env is None:
            continue
        _narrow_around(frame, info, before, env)
        after = env.get(own[0], one) if own else one
        if of_all and after is not one and after.taints and is_place(tested.elements):
            _narrow_elements(frame, tested.elements, one, after)


def _narrow_around(frame: Frame, info: FunctionInfo, before: Env, env: Env) -> None:
    """Copy what the function learnt about enclosing variables; its other effects on them are ignored."""
    hidden = {each.name for each in info.node.parameters}.union(
        *(each.names for each in info.node.body if isinstance(each, ir.Scope) and each.outer == "here")
    )
    if frame.engine.closure(info) is not frame:
        return
    for name, value in before.items():
        after = env.get(name)
        if after is None or after is value or name in hidden or not value.taints:
            continue
        if {each.origin for each in after.taints} == {each.origin for each in value.taints}:
            frame.env[name] = after


def _narrow_elements(frame: Frame, place: ir.Expr, one: Value, after: Value) -> None:
    before = {each.origin: each.passed for each in one.taints}
    learnt = [each.passed - before[each.origin] for each in after.taints if each.origin in before]
    if learnt and {each.origin for each in after.taints} == set(before):
        for label in sorted(learnt[0].intersection(*learnt[1:])):
            put(frame, place, _labelled(frame.value(place), label))


def _labelled(value: Value, label: str) -> Value:
    """A list whose elements all have `label`."""
    items = tuple(narrowed_value(each, label) for each in value.items) if value.items is not None else None
    rest = narrowed_value(value.rest, label) if value.rest is not None else None
    return replace(narrowed_value(value, label), items=items, rest=rest)


def _own(info: FunctionInfo, bound: Value | None) -> list[str]:
    """The parameters that a call fills by position."""
    return [each.name for each in info.node.parameters[1 if bound is not None else 0 :] if each.kind == "positional"]


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
    if question(place):
        keep_answer(frame, place, after)
    elif is_place(place):
        put(frame, place, after)
