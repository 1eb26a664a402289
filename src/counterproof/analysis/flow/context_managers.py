"""The value that `with` binds: the result of a class's enter method, or a generator's yield.

Invariant: if neither is known, the value itself, as for files, locks and connections. Not handled here: running the body.
"""

from counterproof.analysis.flow.access import Place, iterated
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.index import ClassInfo, FunctionInfo
from counterproof.analysis.flow.values import Value
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name

_MAKERS = frozenset({"contextmanager", "asynccontextmanager"})
_ENTERING = ("__enter__", "__aenter__")


def entered(frame: Frame, expr: ir.Expr, value: Value) -> Value:
    """The value of `with expr as target` for its target."""
    if isinstance(value.of, ClassInfo) and value.path != "class":
        method = next((found for name in _ENTERING if (found := value.of.method(name)) is not None), None)
        return frame.engine.call(method, value) if method is not None else value
    if isinstance(expr, ir.Call) and value.rest is not None:
        target = frame.value(expr.callee)
        if isinstance(target.of, FunctionInfo) and _is_manager(target.of.node):
            return iterated(value, Place(frame.path, expr.line))
    return value


def _is_manager(node: ir.Function) -> bool:
    """Return True if a decorator turns a generator into a context manager."""
    values = [each.value for each in node.decorators]
    names = [last_name(each) for each in values]
    return not _MAKERS.isdisjoint(names)
