"""Lists and mappings of a module that its functions fill: a store that lives as long as the process.

Always holds: only containers that some function changes count. Does not belong here: containers that are only read.
"""

from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.rows import stored
from counterproof.analysis.flow.store_writes import record_write
from counterproof.analysis.flow.values import UNSET, Constant, Value, joined
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

FILLING = vocabulary("append insert extend add update setdefault appendleft")
_MAKERS = vocabulary("list dict set deque defaultdict OrderedDict")


def kept_names(module: ir.Module) -> frozenset[str]:
    """Variables of a module that hold a container which some function fills."""
    containers = {
        target.id
        for node in module.body
        if isinstance(node, ir.Assign) and _is_container(node.value)
        for target in node.targets
        if isinstance(target, ir.Name)
    }
    if not containers:
        return frozenset()
    outermost = [each for each in module.functions if not each.within]  # walking these meets all that they enclose
    changing = (node for node in walk(*outermost) if isinstance(node, (ir.Call, ir.Assign)))
    return frozenset(name for node in changing if (name := _filled(node)) in containers)


def _is_container(value: ir.Expr | None) -> bool:
    if isinstance(value, ir.Call):
        callee = value.callee
        return (callee.id if isinstance(callee, ir.Name) else getattr(callee, "name", "")) in _MAKERS
    return isinstance(value, (ir.Sequence, ir.Mapping))


def _filled(node: ir.Call | ir.Assign) -> str:
    """The variable whose container this node changes."""
    if isinstance(node, ir.Assign):
        return next((root_of(each.value) for each in node.targets if isinstance(each, ir.Index)), "")
    if isinstance(node.callee, ir.Attribute) and node.callee.name in FILLING:
        return root_of(node.callee.value)
    return ""


def root_of(expr: ir.Expr) -> str:
    while isinstance(expr, (ir.Attribute, ir.Index)):
        expr = expr.value
    return expr.id if isinstance(expr, ir.Name) else ""


def keep(frame: Frame, node: ir.Node, owner: ir.Expr, values: list[Value]) -> None:
    """Record that a function puts these values into a container of its module."""
    name = root_of(owner)
    if frame.function is None or not name or name in frame.env or name not in frame.engine.filled_names(frame.module):
        return
    place = place_of(frame.path, name)
    for value in values:
        inner = {**(value.entries or {}), **(value.fields or {})}
        for column, each in inner.items():
            record_write(frame, node, place, str(column), [each])
        if not inner:
            record_write(frame, node, place, "", [value])


def place_of(path: str, name: str) -> str:
    return f"{name} of {path}"


def read_back(value: Value, name: str, path: str, line: int) -> Value:
    """The module's container with what functions may have put into it."""
    kept = stored(place_of(path, name), "", path, line)
    entries: dict[Constant, Value] | None = None
    if value.entries is not None:
        entries = {key: _with(each, kept) if _holds(each) else each for key, each in value.entries.items()}
    whole = _with(value, kept)
    return Value(UNSET, (), whole.origin, whole.open, whole.path, whole.items, entries, whole.rest, whole.fields)


def _holds(value: Value) -> bool:
    return value.items is not None or value.entries is not None or value.rest is not None


def _with(value: Value, kept: Value) -> Value:
    rest = joined(value.rest, kept) if value.rest else kept
    return Value(UNSET, value.taints, value.origin, value.open, value.path, value.items, value.entries, rest, value.fields)
