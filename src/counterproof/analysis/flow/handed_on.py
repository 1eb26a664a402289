"""Functions that a JavaScript function is handed and calls itself (`done(null, value)`), and those that it makes and returns.

Invariant: what a function calls is only known where it is called; so a call of a parameter is kept with the function's summary
and followed from its callers, a few levels up. Not handled here: functions that calls outside the project are handed.
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
"""Calls of parameters that one function is remembered for."""

MAX_FOLLOWED = 3
"""Functions handed on to one another."""

MAX_MADE = 8
"""Functions looked at in what a function returns."""

MAX_AROUND = 2
"""Functions around a function whose variables it may have filled."""

_MAX_ACCESS = 2


def note_call(frame: Frame, node: ir.Call, target: Value, arguments: Arguments) -> None:
    """Remember that a parameter, or a part of one, is called."""
    sym = target.sym
    if sym is not None and target.of is None and not target.path and len(sym.access) <= _MAX_ACCESS:
        _note(frame, LaterCall(sym, tuple(arguments.positional), node, frame.function))


def _note(frame: Frame, call: LaterCall) -> None:
    if len(frame.later) < MAX_LATER:
        frame.later.append(call)


def follow(engine: EnginePort, summary: Summary, replay: Replay, site: tuple[Frame, ir.Call]) -> None:
    """The calls that a function makes of what it is handed here."""
    for each in summary.later:
        given = [replay.value(value) for value in each.given]
        if each.called.function != replay.function:  # a parameter of a function around it
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
    """What a function outside the project, or a method of something from there, is given; recorded where it is called."""
    last = call.called.access[-1][1:] if call.called.access else ""
    if call.function is None or (last and engine.sinks.method(last)):
        return  # recorded there, by the name of the method
    there = Frame(engine, call.function.module, call.function, None)
    check_call(there, call.node, actual, "", Arguments(given))
    for hit in there.hits.values():
        add(frame, hit)


def pass_on_route(engine: EnginePort, info: FunctionInfo, given: list[Value], site: tuple[Frame, ir.Call]) -> None:
    """A handler that hands its request and its answer on to a function: that one serves the route."""
    function = site[0].function
    if function is not None and [each.path for each in given[:2]] == [REQUEST, RESPONSE]:
        engine.handlers.serve(info, engine.handlers.entries(function))


def take_made(engine: EnginePort, made: Value, replay: Replay, site: tuple[Frame, ir.Call], depth: int = MAX_FOLLOWED) -> None:
    """What functions that are made here for later will do with the arguments of this call, which they keep."""
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
    """What the function put into variables around it, now that its arguments are known."""
    around = engine.closure(info)
    for _ in range(MAX_AROUND):
        if around is None:
            return
        for name in tuple(around.filled.get(info.id, ())):
            if name in around.env:
                around.fill(name, replay.value(around.env[name]))
        around = around.closure
