"""JavaScript expressions that read, list and check the keys of objects. Not handled here: whole functions."""

from collections.abc import Callable, Iterable

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import children, last_name

_OWN = frozenset(
    {"has_key", "hasOwnProperty", "hasOwn", "propertyIsEnumerable", "has", "own", "hasOwnProp", "getOwnPropertyDescriptor"}
)
_KEYS = frozenset({"keys", "getOwnPropertyNames", "ownKeys"})


def with_tests(node: ir.Node, tests: tuple[ir.Expr, ...]) -> list[tuple[ir.Node, tuple[ir.Expr, ...]]]:
    """The direct children of a node, with the conditions for reaching them: a later branch runs if earlier ones failed."""
    if isinstance(node, ir.If):
        found: list[tuple[ir.Node, tuple[ir.Expr, ...]]] = []
        for branch in node.branches:
            tests = (*tests, branch.test)
            found += [(branch.test, tests), *((each, tests) for each in branch.body)]
        return [*found, *((each, tests) for each in node.otherwise)]
    inner = (*tests, node.test) if isinstance(node, ir.Conditional) else (*tests, node) if isinstance(node, ir.Boolean) else tests
    return [(child, inner) for child in children(node)]


def asks_own(node: ir.Node, holder: str) -> bool:
    if not isinstance(node, ir.Call):
        return False
    parts = _parts(node.callee)
    if not parts & _OWN:
        return False
    asked = node.callee.value if isinstance(node.callee, ir.Attribute) else None
    first = node.arguments[0].value if node.arguments else None
    return any(isinstance(each, ir.Name) and each.id == holder for each in (asked, first))


def _parts(callee: ir.Expr) -> frozenset[str]:
    found: set[str] = set()
    while isinstance(callee, ir.Attribute):
        found.add(callee.name)
        callee = callee.value
    return frozenset(found | ({callee.id} if isinstance(callee, ir.Name) else set()))


def entered(value: ir.Expr, entries: dict[str, str], is_name: Callable[[ir.Expr], bool]) -> str:
    """The variable of which a value is an entry, including alternatives: `object[key] || {}`."""
    pending: list[ir.Expr] = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, ir.Index) and isinstance(each.value, ir.Name) and is_name(each.key):
            return each.value.id
        if isinstance(each, ir.Name) and each.id in entries:
            return entries[each.id]
        if isinstance(each, ir.Boolean):
            pending.extend(each.operands)
        elif isinstance(each, ir.Conditional):
            pending += [each.then, each.other]
        elif isinstance(each, ir.Bind):
            pending += [each.target, each.value]
    return ""


def listed(value: ir.Expr) -> str:
    """The object in `Object.keys(object)` and similar calls."""
    if isinstance(value, ir.Call) and last_name(value.callee) in _KEYS and len(value.arguments) == 1:
        given = value.arguments[0].value
        return given.id if isinstance(given, ir.Name) else ""
    return ""


def is_default(value: ir.Expr | None) -> bool:
    """`object[key] || {}`."""
    return isinstance(value, ir.Boolean) and isinstance(value.operands[-1], ir.Mapping | ir.Sequence)


def is_nameless(function: ir.Function) -> bool:
    return function.qualified.rpartition(".")[2].startswith("function at") and bool(function.within)


def texts_of(nodes: Iterable[ir.Node]) -> frozenset[str]:
    return frozenset(node.value for node in nodes if isinstance(node, ir.Const) and isinstance(node.value, str))
