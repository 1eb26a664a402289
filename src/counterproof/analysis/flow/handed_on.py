"""Functions passed to a JavaScript function that calls them (`done(null, value)`), and functions that it creates and returns.

Invariant: the target is known only at the caller, so a call of a parameter is stored in the function's summary and followed from
its callers, a few levels up. Not handled here: functions passed to calls outside the project.
"""

from counterproof.analysis.flow.frame import EnginePort, Frame, LaterCall, Summary
from counterproof.analysis.flow.handler_parameters import RESPONSE
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.replay import Replay
from counterproof.analysis.flow.sinks import add, check_call
from counterproof.analysis.flow.sources import REQUEST
from counterproof.analysis.flow.values import Param, Value
from counterproof.analysis.syntax import ir

MAX_LATER = 12
"""Calls of parameters stored per function."""

MAX_FOLLOWED = 3
"""Nesting limit of functions passed on."""

MAX_MADE = 8
"""Functions examined in a function's return value."""

MAX_AROUND = 2
"""Enclosing functions whose variables may be assigned."""

_MAX_ACCESS = 2


def note_call(frame: Frame, node: ir.Call, target: Value, arguments: Arguments) -> None:
    """Record that a parameter, or a part of one, is called."""
    sym = target.sym
    if sym is not None and target.of is None and not target.path and len(sym.access) <= _MAX_ACCESS:
        _note(frame, LaterCall(sym, tuple(arguments.positional), node, frame.function))


def _note(frame: Frame, call: LaterCall) -> None:
    if len(frame.later) < MAX_LATER:
        frame.later.append(call)


def follow(engine: EnginePort, summary: Summary, replay: Replay, site: tuple[Frame, ir.Call]) -> None:
    """Follow the calls that a function makes of the functions passed here."""
    for each in summary.later:
        given = [replay.value(value) for value in each.given]
        if each.called.function != replay.function:  # a parameter of an enclosing function
            _note(site[0], each._replace(given=tuple(given)))
            continue
        actual = replay.argument(each.called)
        if isinstance(actual.of, FunctionInfo) and actual.path != "class":
            engine.followed(actual.of, actual.bound, given, site)
        elif actual.sym is not None:
            _note(site[0], each._replace(called=actual.sym, given=tuple(given)))
        elif actual.path and actual.of is None:
            _check_outside(engine, each, actual, given, site[0])


def _check_outside(engine: EnginePort, call: LaterCall, actual: Value, given: list[Value], frame: Frame) -> None:
    """Record the arguments of an external function, or of a method of an external object, at its call."""
    last = call.called.access[-1][1:] if call.called.access else ""
    if call.function is None or (last and engine.sinks.method(last)):
        return  # recorded there by the method's name
    there = Frame(engine, call.function.module, call.function, None)
    check_call(there, call.node, actual, "", Arguments(given))
    for hit in there.hits.values():
        add(frame, hit)


def pass_on_route(engine: EnginePort, info: FunctionInfo, given: list[Value], site: tuple[Frame, ir.Call]) -> None:
    """If a handler passes its request and response to a function, that function serves the route."""
    function = site[0].function
    if function is not None and [each.path for each in given[:2]] == [REQUEST, RESPONSE]:
        engine.handlers.serve(info, engine.handlers.entries(function))


def take_made(engine: EnginePort, made: Value, replay: Replay, site: tuple[Frame, ir.Call], depth: int = MAX_FOLLOWED) -> None:
    """Replay functions created by this call for later, with the arguments that they keep."""
    for info in _functions(engine, made):
        summary = engine.summary(info)
        if summary is None:
            continue
        for hit in summary.hits:
            if any(isinstance(each.origin, Param) and each.origin.function == replay.function for each in hit.taints):
                seen = replay.hit(hit)
                if seen is not None:
                    add(site[0], seen)
        if depth > 1:
            take_made(engine, summary.returns, replay, site, depth - 1)


def _functions(engine: EnginePort, value: Value) -> list[FunctionInfo]:
    inside = [*(value.entries or {}).values(), *(value.fields or {}).values(), *(value.items or ())]
    found = [each.of for each in (value, *inside) if isinstance(each.of, FunctionInfo) and engine.closure(each.of)]
    return found[:MAX_MADE]


def settle(engine: EnginePort, info: FunctionInfo, replay: Replay) -> None:
    """Update enclosing variables that the function assigned, now that its arguments are known."""
    around = engine.closure(info)
    for _ in range(MAX_AROUND):
        if around is None:
            return
        for name in tuple(around.filled.get(info.id, ())):
            if name in around.env:
                around.fill(name, replay.value(around.env[name]))
        around = around.closure
