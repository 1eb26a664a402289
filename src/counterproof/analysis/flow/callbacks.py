"""Functions passed on to be called later: background tasks, threads, executors, job queues.

Invariant: only project functions that are passed as such; their sinks are recorded where they are passed, and their result is
used only if the passing code waits for it. Not handled here: calls.
"""

from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.values import Param, Value, contents, joined
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_FIRST = vocabulary("""add_task submit to_thread apply call_soon call_soon_threadsafe call_later call_at start_soon spawn defer
    enqueue run_sync run_in_threadpool add_job start_new_thread start_background_task spawn_n apply_async add_callback
    spawn_callback call_from_thread callInThread deferToThread schedule every run_in_executor""")
"""Calls that take the function followed by its arguments."""

_AWAITED = vocabulary("to_thread run_sync run_in_threadpool run_in_executor")
"""Calls whose result is the function's result."""

_TARGETS = vocabulary("Thread Process Timer Greenlet")
"""Classes that take `target`, `args` and `kwargs`."""

_ENQUEUING = vocabulary("delay apply_async send send_with_options enqueue defer_async kick kiq")
"""Methods of a task that put its arguments on a queue."""

_PACKED = vocabulary("apply_async send_with_options")
"""Methods that take the arguments as a tuple and a mapping."""

HANDING = _FIRST | _TARGETS | _ENQUEUING
"""Names of calls that take a function to call later."""

_BEFORE = 2
"""Arguments that may precede the function: an executor, a delay."""


def hand_over(frame: Frame, node: ir.Call, name: str, arguments: Arguments) -> Value | None:
    """Follow data into a function that this call runs later; return its result if the call waits for it."""
    task = arguments.receiver
    if name in _ENQUEUING and task is not None and isinstance(task.of, FunctionInfo):
        given = arguments.positional if name not in _PACKED else _items(arguments.at(0, "args"))
        _start(frame, node, task, given, arguments.at(1, "kwargs") if name in _PACKED else None, arguments.keywords)
    elif name in _FIRST:
        return _positional(frame, node, arguments, awaited=name in _AWAITED)
    elif name in _TARGETS:
        target = arguments.at(1, "target") if name != "Timer" else arguments.at(1, "function")
        _start(frame, node, target, _items(arguments.at(3, "args")), arguments.keywords.get("kwargs"))
    return None


def _positional(frame: Frame, node: ir.Call, arguments: Arguments, *, awaited: bool) -> Value | None:
    for position, value in enumerate(arguments.positional[: _BEFORE + 1]):
        if isinstance(value.of, FunctionInfo):
            given = arguments.positional[position + 1 :] or _items(arguments.keywords.get("args"))
            if len(given) == 1 and value.of.node.parameters and given[0].items is not None and _takes_tuple(value):
                given = list(given[0].items)
            if awaited:
                return frame.engine.call(value.of, value.bound, Arguments(given, arguments.keywords), (frame, node))
            _start(frame, node, value, given, None, arguments.keywords)
            break
    return None


def _takes_tuple(value: Value) -> bool:
    """Pools pass the arguments as one tuple; a function with a single parameter may really take the tuple."""
    return isinstance(value.of, FunctionInfo) and len(value.of.node.parameters) > 1


def _items(value: Value | None) -> list[Value]:
    if value is None:
        return []
    if value.items is not None:
        return list(value.items)
    return [value] if contents(value) or value.taints else []


def _start(
    frame: Frame,
    node: ir.Call,
    target: Value | None,
    positional: list[Value],
    spread: Value | None,
    keywords: dict[str, Value] | None = None,
) -> None:
    if target is None or not isinstance(target.of, FunctionInfo):
        return
    named = {name: each for name, each in (keywords or {}).items() if name not in ("args", "kwargs")}
    if spread is not None and spread.entries is not None:
        named.update({key: each for key, each in spread.entries.items() if isinstance(key, str)})
    frame.engine.started(target.of, target.bound, Arguments(positional, named), (frame, node))


PROMISE = "Promise"


def promised(frame: Frame, arguments: Arguments) -> Value | None:
    """`new Promise((resolve) => … resolve(value) …)`: the values it may resolve with. A promise is treated as its resolved value,
    as for function results."""
    first = arguments.at(0)
    info = first.of if first is not None else None
    if not isinstance(info, FunctionInfo) or not info.node.parameters:
        return None
    nodes = list(walk(*info.node.body))
    own = _bound(info.node).union(*(_bound(each) for each in nodes if isinstance(each, ir.Function)))
    result: Value | None = None
    for node in nodes:
        if isinstance(node, ir.Call) and _is_name(node.callee, info.node.parameters[0].name) and node.arguments:
            settled = node.arguments[0].value
            if not any(isinstance(each, ir.Name) and each.id in own for each in walk(settled)):
                value = frame.value(settled)
                result = value if result is None else joined(result, value)
    return _handed(frame, info, result)


def _handed(frame: Frame, info: FunctionInfo, result: Value | None) -> Value | None:
    """The same for values that the function creates itself, from its summary."""
    summary = frame.engine.summary(info)
    for each in summary.later if summary is not None else ():
        if each.called == Param(info.id, 0, ()) and each.given:
            result = each.given[0] if result is None else joined(result, each.given[0])
    return result


def _bound(function: ir.Function) -> frozenset[str]:
    """Names that are local to a function."""
    listed = (each.names for each in function.body if isinstance(each, ir.Scope) and each.outer == "here")
    return frozenset(each.name for each in function.parameters).union(*listed)


def _is_name(expr: ir.Expr, name: str) -> bool:
    return isinstance(expr, ir.Name) and expr.id == name
