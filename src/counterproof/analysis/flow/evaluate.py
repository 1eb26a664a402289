"""Expressions on abstract values, one small function per node type, collected in `EVALUATORS`.

Invariant: every part of an expression is evaluated, so that no sink inside it is missed; the result of a comparison carries no
taint. Not handled here: calls, and narrowing by conditions.
"""

from dataclasses import replace
from typing import Any

from counterproof.analysis.flow import constant_folding
from counterproof.analysis.flow.access import Place, attribute, element, iterated, overlaid
from counterproof.analysis.flow.assignments import assign
from counterproof.analysis.flow.frame import ASKED, Evaluator, Frame, joined_env
from counterproof.analysis.flow.guards import narrow
from counterproof.analysis.flow.hits import RELATIVE, STATEMENT, starts_statement
from counterproof.analysis.flow.marks import known_entry, narrowed_value
from counterproof.analysis.flow.models import ESCAPED, is_markup
from counterproof.analysis.flow.positions import (
    FIXED,
    first_behind_host,
    glued_parts,
    is_rooted,
    joined_parts,
    percent_fixed,
    starts_fixed,
)
from counterproof.analysis.flow.sources import PLAIN_TEXT, REQUEST, in_column
from counterproof.analysis.flow.text_parts import cut, percent_parts
from counterproof.analysis.flow.values import (
    INTERNAL,
    LITERAL,
    MAX_ITEMS,
    UNSET,
    Constant,
    Source,
    Step,
    StepKind,
    Taint,
    Trusted,
    Value,
    gathered,
    joined,
    literal,
    origins,
    united_taints,
)
from counterproof.analysis.syntax import ir

COMPARED = "$eq"
"""The MongoDB operator whose value is only compared, whatever it contains."""


def _const(frame: Frame, node: ir.Const) -> Value:
    return literal(node.value)


def _name(frame: Frame, node: ir.Name) -> Value:
    return frame.lookup(node.id)


def _attribute(frame: Frame, node: ir.Attribute) -> Value:
    owner = frame.value(node.value)
    asks_path = node.name in ("path", "path_info") and owner.path == REQUEST
    if asks_path and frame.function and frame.engine.handlers.has_fixed_path(frame.function):
        return INTERNAL  # without route parameters, the request's path is the route
    found = in_column(attribute(frame.engine, owner, node.name, Place(frame.path, node.line)), node.name)
    return _read_here(frame, node, found) if owner.path == REQUEST and found.taints else found


def _read_here(frame: Frame, node: ir.Attribute, part: Value) -> Value:
    """`req.body` stored with its labels: it is read again at this location."""

    def moved(taint: Taint) -> Taint:
        origin, step = taint.origin, taint.step
        fresh = isinstance(origin, Source) and not origin.parameter and isinstance(step, Step) and step.kind is StepKind.SOURCE
        if not fresh or not isinstance(step, Step) or step.line == node.line or step.path != frame.path:
            return taint
        return taint._replace(origin=origin._replace(line=node.line), step=step._replace(line=node.line))

    taints = tuple(map(moved, part.taints))
    return part if taints == part.taints else replace(part, taints=taints)


def _index(frame: Frame, node: ir.Index) -> Value:
    value = frame.value(node.value)
    if isinstance(node.key, ir.Slice):
        return _sliced(frame, value, node.key)
    if ASKED in frame.env and (known := known_entry(frame, node, value)) is not None:
        return known
    key, at = frame.value(node.key).const, Place(frame.path, node.line)
    if frame.engine.scripts and value.path and isinstance(key, str):
        return attribute(frame.engine, value, key, at)
    found = element(value, key, at)
    return cut(node, found) if isinstance(node.value, ir.Call) else found


def _sliced(frame: Frame, value: Value, key: ir.Slice) -> Value:
    bounds = [frame.value(each).const if each else None for each in (key.lower, key.upper)]
    if value.known and UNSET not in bounds:
        folded = constant_folding.sliced(value.const, bounds[0], bounds[1])  # pyright: ignore[reportArgumentType]
        return Value(origin=value.origin) if folded is UNSET else literal(folded)
    if value.items is not None:
        lower, upper = bounds
        if (lower is None or isinstance(lower, int)) and (upper is None or isinstance(upper, int)) and key.step is None:
            return Value(origin=value.origin, items=value.items[lower:upper])
        return Value(origin=value.origin, rest=iterated(value, Place(frame.path, key.line)))
    cut_off = Value(taints=value.taints, origin=value.origin, open=value.open, rest=value.rest)
    if isinstance(bounds[1], int) and bounds[1] >= 0:
        return narrowed_value(cut_off, "measured")
    return narrowed_value(cut_off, "without ..", RELATIVE) if bounds == [1, None] and is_rooted(value) else cut_off


def _slice(frame: Frame, node: ir.Slice) -> Value:
    for each in (node.lower, node.upper, node.step):
        if each:
            frame.value(each)
    return INTERNAL


def mixed(values: list[Value]) -> Value:
    """One value combined from several."""
    taints: tuple[Any, ...] = ()
    origin = Trusted.NONE
    broken = None
    for value in values:
        taints = united_taints(taints, gathered(value))
        more, more_broken = origins(value)
        origin |= more
        broken = broken or more_broken
    return Value(taints=taints, origin=origin, open=broken)


def _concat(frame: Frame, node: ir.Concat) -> Value:
    values = [frame.value(part) for part in node.parts]
    if all(value.known for value in values):
        total: Any = values[0].const
        for value in values[1:]:
            total = constant_folding.binary("+", total, value.const) if total is not UNSET else UNSET  # pyright: ignore[reportArgumentType]
        if total is not UNSET:
            return Value(const=total, origin=mixed(values).origin)
    if all(value.items is not None for value in values):
        items = tuple(item for value in values for item in value.items or ())
        if len(items) <= MAX_ITEMS:
            return Value(origin=Trusted.LITERAL, items=items)
    return put_together(frame, values, node.line, "put together with other text")


def put_together(frame: Frame, parts: list[Value], line: int, note: str, symbol: str = "") -> Value:
    """A string of these parts in this order; `symbol` is the concatenating method, if any."""
    built = glued_parts(parts, addressed(mixed(_behind_host(parts)), starts_fixed(parts)))
    if built.taints:
        statement = isinstance(parts[0].const, str) and starts_statement(parts[0].const)
        made = {PLAIN_TEXT, STATEMENT} if statement else {PLAIN_TEXT}
        built.taints = tuple(taint._replace(passed=taint.passed | made) for taint in built.taints)
    return frame.stepped(built, StepKind.BUILD, line, note, symbol=symbol)


def _behind_host(parts: list[Value]) -> list[Value]:
    """`target + "?" + query`: the sender controls the host, but not the part after `?`."""
    first = first_behind_host(parts)
    return [*parts[:first], *(narrowed_value(each, FIXED) for each in parts[first:])]


def addressed(value: Value, fixed: bool) -> Value:
    """The value, marked as a URL with a fixed host if `fixed`."""
    if fixed and value.taints:
        value.taints = tuple(taint._replace(passed=taint.passed | {FIXED}) for taint in value.taints)
    return value


def _format(frame: Frame, node: ir.Format) -> Value:
    values = [frame.value(part) for part in node.parts]
    pieces = [constant_folding.piece(value.const) if value.known else None for value in values]  # pyright: ignore[reportArgumentType]
    known = [each for each in pieces if each is not None]
    if len(known) == len(pieces):
        folded = constant_folding.text(known)
        if folded is not UNSET:
            return Value(const=folded, origin=mixed(values).origin)
    return put_together(frame, values, node.line, "put into a text")


def _binary(frame: Frame, node: ir.Binary) -> Value:
    values = [frame.value(part) for part in node.operands]
    if all(value.known for value in values):
        total: Any = values[0].const
        for value in values[1:]:
            total = constant_folding.binary(node.operator, total, value.const) if total is not UNSET else UNSET  # pyright: ignore[reportArgumentType]
        if total is not UNSET:
            return literal(total)
    if frame.engine.scripts:  # in JavaScript all operators but `+` are arithmetic
        return narrowed_value(mixed(values), "numeric")
    parts = percent_parts(*values) if node.operator == "%" and len(values) == 2 and not is_markup(values[0]) else None
    if parts:
        return put_together(frame, parts, node.line, "put into a text")
    result = addressed(mixed(values), node.operator == "%" and percent_fixed(values[0], values[1]))
    if node.operator == "/":
        result = joined_parts(values, result)
        result.path = values[0].path
    elif node.operator == "%" and is_markup(values[0]):
        result.taints = tuple(taint._replace(passed=taint.passed | {ESCAPED}) for taint in result.taints)
    return frame.stepped(result, StepKind.BUILD, node.line, "put together with other text")


def _unary(frame: Frame, node: ir.Unary) -> Value:
    frame.value(node.operand)
    return INTERNAL


def _compare(frame: Frame, node: ir.Compare) -> Value:
    values = [frame.value(each) for each in node.operands]
    outcome: object = True
    for operator, left, right in zip(node.operators, values, values[1:], strict=False):
        result = _compared(operator, left, right)
        if result is UNSET:
            return INTERNAL
        outcome = outcome and result
    return literal(bool(outcome))


def _compared(operator: str, left: Value, right: Value) -> object:
    if left.known and right.known:
        return constant_folding.compare(operator, left.const, right.const)  # pyright: ignore[reportArgumentType]
    if operator in ("in", "not in") and left.known and right.items is not None and right.rest is None:
        constants = [item.const for item in right.items]
        if all(item.known for item in right.items):
            return (left.const in constants) is (operator == "in")
    return UNSET


def _boolean(frame: Frame, node: ir.Boolean) -> Value:
    """`and` and `or` return one of their operands; each operand is evaluated only if the earlier ones allow it."""
    before = frame.env
    result: Value | None = None
    truth = node.operator == "and"
    for operand in node.operands:
        frame.env = dict(frame.env)
        value = frame.value(operand)
        if value.known and bool(value.const) is not truth:
            result = joined(result, value) if result else value
            break
        last = operand is node.operands[-1]
        if not value.known or last:
            value = Value(origin=value.origin) if truth and not last else value  # `and` stops only at an empty value
            result = joined(result, value) if result else value
        narrow(frame, operand, truth)
    frame.env = joined_env(before, frame.env)
    return result or INTERNAL


def _not(frame: Frame, node: ir.Not) -> Value:
    value = frame.value(node.operand)
    return literal(not value.const) if value.known else INTERNAL


def _sequence(frame: Frame, node: ir.Sequence) -> Value:
    if any(isinstance(each, ir.Spread) for each in node.items) or len(node.items) > MAX_ITEMS:
        rest: Value | None = None
        for each in node.items:
            value = frame.value(each.value if isinstance(each, ir.Spread) else each)
            value = iterated(value, Place(frame.path, node.line)) if isinstance(each, ir.Spread) else value
            rest = joined(rest, value) if rest else value
        return Value(origin=Trusted.LITERAL, rest=rest)
    return Value(origin=Trusted.LITERAL, items=tuple(frame.value(each) for each in node.items))


def _spread(frame: Frame, node: ir.Spread) -> Value:
    return frame.value(node.value)


def _mapping(frame: Frame, node: ir.Mapping) -> Value:
    entries: dict[Constant, Value] = {}
    rest: Value | None = None
    for key, value_node in node.entries:
        value = frame.value(value_node)
        name = frame.value(key).const if key else UNSET
        if name == COMPARED and value.taints:
            value = narrowed_value(value, COMPARED)
        if key is None:
            entries = overlaid(entries, value, Place(frame.path, node.line))
            entries.update(value.entries or {})
            if frame.engine.scripts:
                entries.update(value.fields or {})
            closed = value.entries is not None and value.rest is None and not value.taints
            value = INTERNAL if closed else element(value, UNSET, Place(frame.path, node.line))
        if key is not None and isinstance(name, (str, int, bytes)) and len(entries) < MAX_ITEMS * 5:
            entries[name] = value
        elif value is not INTERNAL:
            rest = joined(rest, value) if rest else value
    return Value(origin=Trusted.LITERAL, entries=entries, rest=rest)


def _lambda(frame: Frame, node: ir.Lambda) -> Value:
    outer = frame.env
    frame.env = {**outer, **{each.name: INTERNAL for each in node.parameters}}
    result = frame.value(node.body)
    frame.env = outer
    info = frame.engine.index.lambda_of(node, frame.module, frame.qualified)
    frame.engine.define(info, frame)
    return Value(origin=Trusted.INTERNAL, rest=result if result.taints else None, of=info)


def _conditional(frame: Frame, node: ir.Conditional) -> Value:
    test = frame.value(node.test)
    if test.known:
        return frame.value(node.then if test.const else node.other)
    outer = frame.env
    frame.env = dict(outer)
    narrow(frame, node.test, True)
    then = frame.value(node.then)
    frame.env = dict(outer)
    narrow(frame, node.test, False)
    other = frame.value(node.other)
    frame.env = outer
    return joined(then, other)


def _await(frame: Frame, node: ir.Await) -> Value:
    return frame.value(node.value)


def _yield(frame: Frame, node: ir.Yield) -> Value:
    if node.value:
        value = frame.value(node.value)
        frame.yields(iterated(value, Place(frame.path, node.line)) if node.delegate else value)
    return INTERNAL


def _bind(frame: Frame, node: ir.Bind) -> Value:
    value = frame.value(node.value)
    assign(frame, node.target, value)
    return value


def _comprehension(frame: Frame, node: ir.Comprehension) -> Value:
    outer = frame.env
    frame.env = dict(outer)
    for generator in node.generators:
        assign(frame, generator.target, iterated(frame.value(generator.iterable), Place(frame.path, generator.line)))
        for condition in generator.conditions:
            frame.value(condition)
            narrow(frame, condition, True)
    if node.key:
        frame.value(node.key)
    result = frame.value(node.element)
    frame.env = outer
    return Value(origin=Trusted.INTERNAL, rest=result)


def _unknown(frame: Frame, node: ir.Unknown) -> Value:
    return mixed([frame.value(each) for each in node.children]) if node.children else LITERAL


EVALUATORS: dict[type, Evaluator] = {
    ir.Const: _const,
    ir.Name: _name,
    ir.Attribute: _attribute,
    ir.Index: _index,
    ir.Slice: _slice,
    ir.Concat: _concat,
    ir.Format: _format,
    ir.Binary: _binary,
    ir.Unary: _unary,
    ir.Compare: _compare,
    ir.Boolean: _boolean,
    ir.Not: _not,
    ir.Sequence: _sequence,
    ir.Spread: _spread,
    ir.Mapping: _mapping,
    ir.Lambda: _lambda,
    ir.Conditional: _conditional,
    ir.Await: _await,
    ir.Yield: _yield,
    ir.Bind: _bind,
    ir.Comprehension: _comprehension,
    ir.Unknown: _unknown,
}
