"""The expressions in a handler's response: the returned expression, and the values assigned or appended to its variables.

Invariant: bounded in steps and nodes; follows only operations that keep a value readable (strings, mappings, lists, known
conversions), not a hash, a comparison or the result of an unknown call. Not handled here: which parts must not be exposed.
"""

from collections.abc import Iterator

from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.responses import ANSWERS, filled_with
from counterproof.analysis.program.traversal import called
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_SHOWING = frozenset((*ANSWERS, "str", "dict", "list", "tuple", "sorted", "format", "join", "items", "values", "copy", "encode"))
_FILLING = ("append", "extend", "add", "update", "insert", "setdefault")
MAX_ROUNDS = 4
MAX_NODES = 4_000


def shown(outline: Outline, function: ir.Function) -> Iterator[ir.Expr]:
    """Every expression whose value appears unchanged in the response."""
    given = _given(function)
    pending = list(_answers(function))
    seen: set[str] = set()
    left = MAX_NODES
    for _ in range(MAX_ROUNDS):
        names: set[str] = set()
        while pending and left:
            left -= 1
            node = pending.pop()
            yield node
            if isinstance(node, ir.Name):
                names.add(node.id)
            pending.extend(_parts(node))
        pending = [each for name in sorted(names - seen) for each in given.get(name, ())]
        seen |= names


def _answers(function: ir.Function) -> Iterator[ir.Expr]:
    for node in walk(*function.body):
        if isinstance(node, ir.Return) and node.value is not None:
            yield node.value
        elif isinstance(node, ir.Call) and called(node) in ANSWERS and called(node) not in ("json", "dumps"):
            yield from (each.value for each in node.arguments)
        yield from filled_with(node)


def _given(function: ir.Function) -> dict[str, list[ir.Expr]]:
    """The values assigned to each variable of a function, whole or in parts."""
    found: dict[str, list[ir.Expr]] = {}
    for node in walk(*function.body):
        if isinstance(node, ir.Assign) and node.value is not None:
            for target in node.targets:
                found.setdefault(_root(target), []).append(node.value)
        elif isinstance(node, ir.Augment):
            found.setdefault(_root(node.target), []).append(node.value)
        elif isinstance(node, ir.Loop) and isinstance(node.target, ir.Name) and node.iterable is not None:
            found.setdefault(node.target.id, []).append(node.iterable)
        elif isinstance(node, ir.Call) and isinstance(node.callee, ir.Attribute) and node.callee.name in _FILLING:
            found.setdefault(_root(node.callee.value), []).extend(each.value for each in node.arguments)
    found.pop("", None)
    return found


def _root(target: ir.Expr) -> str:
    while isinstance(target, ir.Index):
        target = target.value
    return target.id if isinstance(target, ir.Name) else ""


def _whole(element: ir.Expr) -> ir.Expr:
    """`row` of `dict(row)`: every field of it."""
    copied = isinstance(element, ir.Call) and called(element) in ("dict", "list", "tuple") and len(element.arguments) == 1
    return element.arguments[0].value if isinstance(element, ir.Call) and copied else element


def _parts(node: ir.Node) -> tuple[ir.Expr, ...]:
    """The parts of an expression whose values appear in its result."""
    match node:
        case ir.Format(parts=parts) | ir.Concat(parts=parts):
            return parts
        case ir.Binary(operands=operands):
            return operands
        case ir.Mapping(entries=entries):
            return tuple(value for _, value in entries)
        case ir.Sequence(items=items):
            return items
        case ir.Spread(value=value) | ir.Await(value=value):
            return (value,)
        case ir.Conditional(then=then, other=other):
            return (then, other)
        case ir.Comprehension(element=element, generators=generators):
            return (element, *(each.iterable for each in generators if isinstance(_whole(element), ir.Name)))
        case ir.Call() if called(node) in _SHOWING:
            receiver = (node.callee.value,) if isinstance(node.callee, ir.Attribute) else ()
            if called(node) == "encode":
                return receiver  # of a string; the argument of `jwt.encode` is the signing key, which is not in the response
            return (*receiver, *(each.value for each in node.arguments))
        case _:
            return ()
