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

MAX_DEFERRED = 2_000
"""Pieces of a file that are lowered apart because they nest too deep; a file with more was written to be that."""

RESUMED = ir.MAX_DEPTH - 20
"""The depth from which a piece that was put off is lowered: what nests deeper is put off again."""

MAX_QUALIFIED = 400
"""Characters of the name of a definition's surroundings."""

TOO_DEEP = f"code nested deeper than {ir.MAX_DEPTH} levels, in very many places, is not followed"


class Deferred:
    """Pieces of a file that nest too deep to be lowered where they stand.

    An expression becomes a variable that is set just before the statement it stands in; a block becomes an `if` behind it of
    which nobody knows when it holds. So nothing is lost by nesting, and the intermediate form stays shallow. Always holds: pieces
    inside pieces come out side by side, so that the work nests no deeper than twice.
    """

    __slots__ = ("_made", "_open", "_pieces")

    def __init__(self) -> None:
        self._pieces: list[tuple[str, Node | list[Node]]] = []
        self._open = False
        self._made = 0

    def __bool__(self) -> bool:
        """Whether there is something to be lowered, and nobody who does it already."""
        return bool(self._pieces) and not self._open

    @property
    def used(self) -> bool:
        """Whether anything in this file nests too deep."""
        return self._made > 0

    def expression(self, node: Node) -> ir.Name | None:
        """The variable that stands for an expression; None where there were too many."""
        name = f"<deep {self._made}>"
        return ir.Name(*span(node), name) if self._put(name, node) else None

    def block(self, nodes: list[Node]) -> bool:
        return self._put("", nodes)

    def _put(self, name: str, piece: "Node | list[Node]") -> bool:
        self._made += 1
        if self._made <= MAX_DEFERRED:
            self._pieces.append((name, piece))
        return self._made <= MAX_DEFERRED

    def lowered(
        self,
        expression: "Callable[[Node, int], ir.Expr]",
        block: "Callable[[list[Node], int], tuple[ir.Statement, ...]]",
    ) -> "tuple[list[ir.Statement], list[ir.Statement]]":
        """What comes before the statement that the pieces stand in, and what comes after it."""
        before: list[ir.Statement] = []
        after: list[ir.Statement] = []
        self._open = True
        while self._pieces:
            name, piece = self._pieces.pop()
            if isinstance(piece, list):
                first, last = span(piece[0])[0], span(piece[-1])[1]
                body = block(piece, RESUMED)
                after.append(ir.If(first, last, (ir.Branch(first, last, ir.Unknown(first, first), body),), ()))
            else:
                where = span(piece)
                before.insert(0, ir.Assign(*where, (ir.Name(*where, name),), expression(piece, RESUMED)))
        self._open = False
        return before, after


def joined_name(around: str, name: str) -> str:
    """A qualified name. Of definitions nested without end only the outermost are named, or names would grow with the square."""
    return f"{around}.{name}" if len(around) < MAX_QUALIFIED else f"{around[:MAX_QUALIFIED]}….{name}"


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
