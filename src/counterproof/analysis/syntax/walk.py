"""Visit every node below a node, in source order, without recursion.

Always holds: each node is visited once, parents before children. Does not belong here: choosing what matters about a node.
"""

from collections.abc import Iterator
from functools import cache

from counterproof.analysis.syntax import ir


@cache
def _fields(kind: type[ir.Node]) -> tuple[str, ...]:
    """The fields of a node type that can hold nodes."""
    own = [name for each in reversed(kind.__mro__) for name in getattr(each, "__slots__", ())]
    return tuple(name for name in own if name not in ("line", "end"))


def walk(*roots: ir.Node) -> Iterator[ir.Node]:
    """The given nodes and everything below them, nested functions and classes included."""
    pending: list[object] = list(reversed(roots))
    while pending:
        current = pending.pop()
        if isinstance(current, ir.Node):
            yield current
            pending.extend(getattr(current, name) for name in reversed(_fields(type(current))))
        elif isinstance(current, tuple):
            pending.extend(reversed(current))  # pyright: ignore[reportUnknownArgumentType]


def calls(module: ir.Module) -> Iterator[ir.Call]:
    """Every call of a file."""
    return (node for node in walk(*module.body) if isinstance(node, ir.Call))
