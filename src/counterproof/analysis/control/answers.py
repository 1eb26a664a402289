"""What a handler's answer is made of: its expression, and what the variables in it were given, added or filled with.

Always holds: bounded in steps and nodes; only through what shows a value as it is (texts, mappings, lists, known conversions),
so that a hash, a comparison or the result of an unknown call shows nothing. Does not belong here: which parts must not be shown.
"""

from collections.abc import Iterator

from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.responses import ANSWERS, filled_with
from counterproof.analysis.program.traversal import called
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Augment,
    Await,
    Binary,
    Call,
    Comprehension,
    Concat,
    Conditional,
    Expr,
    Format,
    Function,
    Index,
    Loop,
    Mapping,
    Name,
    Node,
    Return,
    Sequence,
    Spread,
)
from counterproof.analysis.syntax.walk import walk

_SHOWING = frozenset((*ANSWERS, "str", "dict", "list", "tuple", "sorted", "format", "join", "items", "values", "copy", "encode"))
_FILLING = ("append", "extend", "add", "update", "insert", "setdefault")
MAX_ROUNDS = 4
MAX_NODES = 4_000


def shown(outline: Outline, function: Function) -> Iterator[Expr]:
    """Every expression whose value stands in the answer as it is."""
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
            if isinstance(node, Name):
                names.add(node.id)
            pending.extend(_parts(node))
        pending = [each for name in sorted(names - seen) for each in given.get(name, ())]
        seen |= names


def _answers(function: Function) -> Iterator[Expr]:
    for node in walk(*function.body):
        if isinstance(node, Return) and node.value is not None:
            yield node.value
        elif isinstance(node, Call) and called(node) in ANSWERS and called(node) not in ("json", "dumps"):
            yield from (each.value for each in node.arguments)
        yield from filled_with(node)


def _given(function: Function) -> dict[str, list[Expr]]:
    """What each variable of a function is given, directly or piece by piece."""
    found: dict[str, list[Expr]] = {}
    for node in walk(*function.body):
        if isinstance(node, Assign) and node.value is not None:
            for target in node.targets:
                found.setdefault(_root(target), []).append(node.value)
        elif isinstance(node, Augment):
            found.setdefault(_root(node.target), []).append(node.value)
        elif isinstance(node, Loop) and isinstance(node.target, Name) and node.iterable is not None:
            found.setdefault(node.target.id, []).append(node.iterable)
        elif isinstance(node, Call) and isinstance(node.callee, Attribute) and node.callee.name in _FILLING:
            found.setdefault(_root(node.callee.value), []).extend(each.value for each in node.arguments)
    found.pop("", None)
    return found


def _root(target: Expr) -> str:
    while isinstance(target, Index):
        target = target.value
    return target.id if isinstance(target, Name) else ""


def _whole(element: Expr) -> Expr:
    """`row` of `dict(row)`: every field of it."""
    copied = isinstance(element, Call) and called(element) in ("dict", "list", "tuple") and len(element.arguments) == 1
    return element.arguments[0].value if isinstance(element, Call) and copied else element


def _parts(node: Node) -> tuple[Expr, ...]:
    """The parts of an expression that its value shows."""
    match node:
        case Format(parts=parts) | Concat(parts=parts):
            return parts
        case Binary(operands=operands):
            return operands
        case Mapping(entries=entries):
            return tuple(value for _, value in entries)
        case Sequence(items=items):
            return items
        case Spread(value=value) | Await(value=value):
            return (value,)
        case Conditional(then=then, other=other):
            return (then, other)
        case Comprehension(element=element, generators=generators):
            return (element, *(each.iterable for each in generators if isinstance(_whole(element), Name)))
        case Call() if called(node) in _SHOWING:
            receiver = (node.callee.value,) if isinstance(node.callee, Attribute) else ()
            if called(node) == "encode":
                return receiver  # of a text; what `jwt.encode` is given signs the answer and is not in it
            return (*receiver, *(each.value for each in node.arguments))
        case _:
            return ()
