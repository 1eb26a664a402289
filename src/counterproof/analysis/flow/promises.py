"""What a promise that JavaScript code makes itself will hold.

Always holds: a promise is the value that it settles with, as for those that functions return. Does not belong here: functions
that wait for promises.
"""

from counterproof.analysis.flow.arguments import Arguments
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.values import Param, Value, joined
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

PROMISE = "Promise"


def promised(frame: Frame, arguments: Arguments) -> Value | None:
    """`new Promise((resolve) => … resolve(value) …)`: the values from around the function that it may settle with."""
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
    """The same for values that the function makes itself, as its summary tells."""
    summary = frame.engine.summary(info)
    for each in summary.later if summary is not None else ():
        if each.called == Param(info.id, 0, ()) and each.given:
            result = each.given[0] if result is None else joined(result, each.given[0])
    return result


def _bound(function: ir.Function) -> frozenset[str]:
    """Names that belong to a function."""
    listed = (each.names for each in function.body if isinstance(each, ir.Scope) and each.outer == "here")
    return frozenset(each.name for each in function.parameters).union(*listed)


def _is_name(expr: ir.Expr, name: str) -> bool:
    return isinstance(expr, ir.Name) and expr.id == name
