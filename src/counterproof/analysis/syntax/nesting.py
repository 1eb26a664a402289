"""What every lowering shares: the lines of a node, and what is kept of code that nests too deep to be followed.

Always holds: bounded work and no recursion, whatever the tree. Does not belong here: what nodes mean in a language.
"""

from collections.abc import Callable

from tree_sitter import Node

from counterproof.analysis.syntax import ir

MAX_PROBLEMS = 20
"""Places recorded per file; a file with more is broken as a whole."""

MAX_NAMES_KEPT = 200
"""Variables kept of an expression that is nested too deep."""

TOO_DEEP = f"code nested deeper than {ir.MAX_DEPTH} levels is not followed"


def span(node: Node) -> tuple[int, int]:
    """First and last line. A node that ends at column 0 really ends on the line before."""
    first = node.start_point[0] + 1
    row, column = node.end_point
    last = row + 1 if column else row
    return first, last if last > first else first  # `max` takes three times as long, and every node comes through here


def names_inside(node: Node, text: Callable[[Node], str]) -> tuple[ir.Expr, ...]:
    """The variables that stand in a node, all placed on its lines."""
    line, end = span(node)
    names: list[ir.Expr] = []
    pending = [node]
    while pending and len(names) < MAX_NAMES_KEPT:
        current = pending.pop()
        if current.type == "identifier":
            names.append(ir.Name(line, end, text(current)))
        pending.extend(reversed(current.named_children))
    return tuple(names)
