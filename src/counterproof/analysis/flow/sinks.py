"""Recognising sinks: calls that rules list, and results of web handlers.

Invariant: every matching call is recorded, harmless or not, because the record proves how thorough the search was. Not handled
here: whether the data is harmful; hits decide that.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.handlers import sends_other
from counterproof.analysis.flow.hits import STATEMENT, Arguments, Hit, starts_statement
from counterproof.analysis.flow.index import ClassInfo
from counterproof.analysis.flow.sources import REQUEST
from counterproof.analysis.flow.values import (
    STORED,
    Param,
    Source,
    StepKind,
    Taint,
    Value,
    gathered,
    hops,
    origins,
    united_taints,
)
from counterproof.analysis.libraries import names
from counterproof.analysis.libraries.concepts import PAGE, POLYNOMIAL, SQL_TEXT, Sink
from counterproof.analysis.libraries.matcher import (
    Demand,
    applies,
    dangerous_arguments,
    deciding,
    is_certain,
)
from counterproof.analysis.patterns import Ambiguity, ambiguity
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.flow import Break

_GROUP_NAME = re.compile(r"\(\?<(?=[A-Za-z_])")

RETURN = Sink("<return>")
_RESPONSES = names("response", "package")
"""Packages whose calls build a response; those calls are separate sinks where needed."""

_OTHER_RECEIVERS = names("receiver", "other")
"""Origins of receivers whose methods share names with database methods and do something else."""

_TEXT_MAKERS = ("str", "repr", "format", "join")
"""Step symbols of calls that convert their argument to text."""


def _applies(frame: Frame, sink: Sink, arguments: Arguments, node: ir.Node) -> bool:
    def around(demand: Demand) -> bool:
        if demand == PAGE:
            return frame.function is None or not sends_other(frame.function.node)
        if demand == SQL_TEXT:
            return isinstance(node, ir.Call) and _is_statement(frame, node, arguments)
        return takes_polynomial_time(arguments) if demand == POLYNOMIAL else takes_exponential_time(arguments)

    return applies(sink, arguments, around)


def still_applies(sink: Sink, arguments: Arguments) -> bool:
    """Return True if the caller's actual arguments meet the sink's demands."""
    return applies(sink, arguments, lambda _: True)


def decided_by_caller(sink: Sink, arguments: Arguments) -> bool:
    """Return True if an argument that only callers know decides whether the sink applies."""
    return any(each.sym is not None for each in deciding(sink, arguments))


def _is_statement(frame: Frame, call: ir.Call, arguments: Arguments) -> bool:
    """Return True if the first argument starts like an SQL statement, as a literal or where it was built."""
    if any(STATEMENT in taint.passed for value in arguments.every()[:1] for taint in value.taints):
        return True
    for node in walk(frame.written(call.arguments[0].value)) if call.arguments else ():
        if isinstance(node, ir.Const) and isinstance(node.value, str):
            return starts_statement(node.value)
    return False


def check_call(frame: Frame, node: ir.Call, target: Value, method: str, arguments: Arguments) -> None:
    """Record the sinks that this call matches."""
    table = frame.engine.sinks
    found = table.exact(target.path)
    if not found and isinstance(target.of, ClassInfo) and target.path == "class":  # `class Quiet(subprocess.Popen)`
        found = next((each for base in target.of.outside() if (each := table.exact(base))), ())
    is_method = False
    if not found and method and target.of is None:
        found = table.method(method)
        is_method = True
        if _is_given(arguments.receiver):
            _await_receiver(frame, node, method, arguments)
    if not found:
        return
    for rule, sink in found:
        if not _applies(frame, sink, arguments, node):
            continue
        certain = not is_method or is_certain(sink, arguments.receiver.path if arguments.receiver else "")
        waiting = not certain and sink.only_certain
        if is_method and not certain and (_other_kind(arguments.receiver) or (waiting and not _is_given(arguments.receiver))):
            continue
        dangerous = dangerous_arguments(sink, arguments)
        if dangerous:
            receiver = arguments.receiver.sym if is_method and arguments.receiver and not certain else None
            asked = arguments if decided_by_caller(sink, arguments) else None
            record(frame, rule, sink, node, dangerous, certain=certain, receiver=receiver, asked=asked, waiting=waiting)


def _await_receiver(frame: Frame, node: ir.Call, method: str, arguments: Arguments) -> None:
    """Record a method of a parameter that becomes a sink if a caller passes a receiver of the right type."""
    receiver = arguments.receiver.sym if arguments.receiver else None
    for rule, sink in frame.engine.sinks.method_of_made(method):
        dangerous = dangerous_arguments(sink, arguments) if _applies(frame, sink, arguments, node) else []
        if dangerous:
            asked = arguments if decided_by_caller(sink, arguments) else None
            record(frame, rule, sink, node, dangerous, certain=False, receiver=receiver, asked=asked, waiting=True)


def is_meant(sink: Sink, receiver: Value) -> bool:
    """Return True if a receiver is of the sink's type."""
    if sink.call.startswith("*."):
        return bool(receiver.path and receiver.path.startswith(sink.receiver_from))
    owner = sink.call.rpartition(".")[0]
    outside = receiver.of.outside() if isinstance(receiver.of, ClassInfo) else ()
    return receiver.path == owner or any(f"{each}()" == owner for each in outside)


def check_field(frame: Frame, target: ir.Attribute, owner: Value, value: Value) -> None:
    """Record `response.text = value` if a rule lists it as a sink."""
    for rule, sink in frame.engine.sinks.field(owner.path, target.name):
        if _applies(frame, sink, Arguments([value], receiver=owner), target):
            record(frame, rule, sink, target, [value])


def check_element(frame: Frame, target: ir.Index, owner: Value, key: Value, value: Value) -> None:
    """Record `response.headers["Location"] = value` if a rule lists it as a sink."""
    if not isinstance(key.const, str):
        return
    member = target.value.name if isinstance(target.value, ir.Attribute) else ""
    for rule, sink in frame.engine.sinks.element(owner.path, member, key.const):
        record(frame, rule, sink, target, [value])


def _is_given(receiver: Value | None) -> bool:
    """Return True if the receiver is an unchanged parameter."""
    return receiver is not None and receiver.sym is not None and not receiver.sym.access and not receiver.path


def _other_kind(receiver: Value | None) -> bool:
    """A receiver known to be of another type: a string, a list, a mapping, untrusted data itself, a GraphQL schema."""
    if receiver is None or receiver.known or receiver.items is not None or receiver.entries is not None:
        return True
    return receiver.path.startswith((REQUEST, *_OTHER_RECEIVERS))


def record(
    frame: Frame,
    rule: FlowRule,
    sink: Sink,
    node: ir.Node,
    dangerous: list[Value],
    *,
    certain: bool = True,
    receiver: Param | None = None,
    asked: Arguments | None = None,
    waiting: bool = False,
) -> None:
    taints: tuple[object, ...] = ()
    total = Value()
    for value in dangerous:
        taints = united_taints(total.taints, gathered(value))
        origin, broken = origins(value)
        total = Value(taints=taints, origin=total.origin | origin, open=total.open or broken)
    straight = len(dangerous) == 1 and dangerous[0].sym is not None and not dangerous[0].sym.access
    add(
        frame,
        Hit(
            rule, sink, frame.path, node.line, node.end, frame.qualified, sink.call, total.taints, total.origin, total.open,
            certain, frame.path, node.line, node.end, receiver, straight, None, asked, waiting,
            last_name(node.callee) if isinstance(node, ir.Call) else "",
        ),
    )  # fmt: skip


def add(frame: Frame, hit: Hit) -> None:
    """Store a hit; the same sink on another path adds its origins."""
    known = frame.hits.get(hit.key)
    if known is None:
        frame.hits[hit.key] = hit
        return
    known.taints = united_taints(known.taints, hit.taints)
    known.origin |= hit.origin
    known.open = known.open or hit.open
    known.certain = known.certain or hit.certain
    known.waiting = known.waiting and hit.waiting


def _is_whole_object(frame: Frame, taint: Taint) -> bool:
    """Model objects returned unchanged: a framework serializes them to JSON or rejects them, but never renders a page."""
    origin = taint.origin
    if not isinstance(origin, Source) or origin.channel != STORED or origin.parameter:
        return False
    for step in hops(taint.step):
        if step.kind is StepKind.BUILD or (step.kind is StepKind.CALL and step.symbol in _TEXT_MAKERS):
            return False
    return origin.name in frame.engine.index.models()


def check_return(frame: Frame, node: ir.Return, value: Value) -> None:
    """Record a web handler's result if a rule lists it as a sink."""
    rules = frame.engine.sinks.returns
    if not rules or frame.function is None:
        return
    framework = frame.engine.handlers.framework(frame.function)
    if not framework:
        return
    body = value.items[0] if value.items else value
    if body.entries is not None or body.items is not None or body.path.startswith(_RESPONSES):
        return
    kept = (each for each in body.taints if each.broken is not Break.EXTERNAL_LIBRARY)
    taints = tuple(each for each in kept if not _is_whole_object(frame, each))
    shown = Value(taints=taints, origin=body.origin, open=body.open)
    for rule in rules:
        if framework in rule.handler_returns:
            record(frame, rule, RETURN, node, [shown])


def takes_exponential_time(arguments: Arguments) -> bool:
    """Return True if the receiver or the first argument is such an expression.

    Invariant: only literal patterns are checked."""
    return any(_ambiguity(text).exponential for text in _patterns(arguments))


def takes_polynomial_time(arguments: Arguments) -> bool:
    """The same for expressions that can match from many positions, or split a text in many ways."""
    return any(_ambiguity(text).searched > 1 for text in _patterns(arguments))


def _patterns(arguments: Arguments) -> Iterator[str]:
    for value in (arguments.receiver, arguments.at(0)):
        found = (value.fields or {}).get("pattern", value) if value is not None else None
        if found is not None and isinstance(found.const, str) and (found is not value or value is arguments.at(0)):
            yield found.const


def _ambiguity(pattern: str) -> Ambiguity:
    """JavaScript's group names differ from Python's by one letter."""
    return ambiguity(_GROUP_NAME.sub("(?P<", pattern))
