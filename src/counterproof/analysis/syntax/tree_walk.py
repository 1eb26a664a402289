"""The walk that lowering shares in all languages: the current scope and depth, the lines of a node, and deferred code that nests
too deeply.

Invariant: nothing here raises for any input; bounded work and no recursion, whatever the tree; a node nested too deeply is
lowered separately (see `Deferred`). Not handled here: single node types, which are in the tables passed in.
"""

from collections.abc import Callable, Iterable
from typing import Any

from tree_sitter import Node

from counterproof.analysis.syntax import ir

MAX_PROBLEMS = 20
"""Problems recorded per file; a file with more is broken as a whole."""

MAX_NAMES_KEPT = 200
"""Variables kept of an expression that is nested too deeply."""

MAX_DEFERRED = 2_000
"""Deferred pieces per file; a file with more nests deeply on purpose."""

RESUMED = ir.MAX_DEPTH - 20
"""The depth at which a deferred piece is lowered: deeper nodes are deferred again."""

MAX_QUALIFIED = 400
"""Limit on the characters of a definition's qualified scope."""

TOO_DEEP = f"code nested deeper than {ir.MAX_DEPTH} levels, in very many places, is not followed"


class Deferred:
    """Pieces of a file that nest too deeply to be lowered in place.

    An expression becomes a variable assigned just before its statement; a block becomes an `if` after it with an unknown
    condition. So nesting loses nothing, and the intermediate form stays shallow. Invariant: nested pieces are lowered side by
    side, so that the work nests at most twice as deep."""

    __slots__ = ("_made", "_open", "_pieces")

    def __init__(self) -> None:
        self._pieces: list[tuple[str, Node | list[Node]]] = []
        self._open = False
        self._made = 0

    def __bool__(self) -> bool:
        """Return True if there are pieces to lower, and no lowering is in progress."""
        return bool(self._pieces) and not self._open

    @property
    def used(self) -> bool:
        """Return True if anything in this file nests too deeply."""
        return self._made > 0

    def expression(self, node: Node) -> ir.Name | None:
        """The variable for an expression; None if there are too many."""
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
        """The statements before and after the statement that contains the pieces."""
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
    """A qualified name. Of deeply nested definitions only the outermost are named, or names would grow quadratically."""
    return f"{around}.{name}" if len(around) < MAX_QUALIFIED else f"{around[:MAX_QUALIFIED]}….{name}"


def span(node: Node) -> tuple[int, int]:
    """First and last line. A node that ends at column 0 ends on the line before."""
    first = node.start_point[0] + 1
    row, column = node.end_point
    last = row + 1 if column else row
    return first, last if last > first else first  # `max` takes three times as long, and every node passes here


def names_inside(node: Node, text: Callable[[Node], str]) -> tuple[ir.Expr, ...]:
    """The variables in a node, all located on its lines."""
    line, end = span(node)
    names: list[ir.Expr] = []
    pending = [node]
    while pending and len(names) < MAX_NAMES_KEPT:
        current = pending.pop()
        if current.type == "identifier":
            names.append(ir.Name(line, end, text(current)))
        pending.extend(reversed(current.named_children))
    return tuple(names)


NOT_CODE = frozenset(
    {
        "comment", "line_continuation", "pass_statement", "nonlocal", ";",
        "html_comment", "hash_bang_line", "empty_statement", "debugger_statement",
    }
)  # fmt: skip
"""Node types without code in Python's and JavaScript's grammars; none of these names means code in another grammar."""


class TreeWalk:
    """The lowering of one file."""

    __slots__ = (
        "classes", "deferred", "expressions", "functions", "problems", "scopes", "source", "statements", "wildcards", "yields",
    )  # fmt: skip

    def __init__(
        self,
        source: bytes,
        expressions: dict[str, Callable[[Any, Node, int], ir.Expr]],
        statements: dict[str, Callable[[Any, Node, int], tuple[ir.Statement, ...]]],
    ) -> None:
        self.source = source
        self.expressions = expressions
        self.statements = statements
        self.problems: list[ir.Problem] = []
        self.deferred = Deferred()
        self.functions: list[ir.Function] = []
        self.classes: list[ir.Class] = []
        self.wildcards: list[str] = []
        self.scopes: list[tuple[str, str]] = []
        """Enclosing definitions as (kind, qualified name), outermost first."""
        self.yields: list[bool] = [False]
        """Whether the function being lowered yields, innermost last."""

    def text(self, node: Node | None) -> str:
        return "" if node is None else self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def problem(self, node: Node, text: str, unread: bool = False) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(ir.Problem(node.start_point[0] + 1, text, unread))

    def record_errors(self, root: Node) -> None:
        """Record the outermost errors in source order, without recursion, because hostile code may nest arbitrarily deep."""
        pending = [root]
        while pending and len(self.problems) < MAX_PROBLEMS:
            current = pending.pop()
            if current.is_error or current.is_missing:
                self.problem(current, "tree-sitter could not parse this; the code around it is read as far as possible")
            elif current.has_error:
                pending.extend(reversed(current.children))

    def expression(self, node: Node, depth: int) -> ir.Expr:
        if depth >= ir.MAX_DEPTH:
            return self.too_deep(node)
        handler = self.expressions.get(node.type)
        return handler(self, node, depth) if handler else self.unknown(node, depth)

    def optional(self, node: Node | None, depth: int) -> ir.Expr | None:
        return None if node is None else self.expression(node, depth)

    def unknown(self, node: Node, depth: int) -> ir.Expr:
        """A node without its own handler: its parts, in order."""
        children = tuple(self.expression(child, depth + 1) for child in named(node))
        return ir.Unknown(*span(node), children)

    def too_deep(self, node: Node) -> ir.Expr:
        """An expression that is lowered separately; if there are too many, the names in it."""
        if (name := self.deferred.expression(node)) is not None:
            return name
        self.problem(node, TOO_DEEP, unread=True)
        return ir.Unknown(*span(node), names_inside(node, self.text))

    def statements_of(self, nodes: list[Node], depth: int) -> tuple[ir.Statement, ...]:
        if depth >= ir.MAX_DEPTH and nodes:
            if not self.deferred.block(nodes):
                self.problem(nodes[0], TOO_DEEP, unread=True)
            return ()
        lowered: list[ir.Statement] = []
        for child in self.in_order(nodes):
            before = len(lowered)
            lowered.extend(self.statement(child, depth))
            if self.deferred:
                first, last = self.deferred.lowered(self.expression, self.statements_of)
                lowered[before:before] = first
                lowered += last
        return tuple(lowered)

    def in_order(self, nodes: list[Node]) -> Iterable[Node]:
        """Statements in execution order."""
        return nodes

    def statement(self, node: Node, depth: int) -> tuple[ir.Statement, ...]:
        if node.type in NOT_CODE:
            return ()
        handler = self.statements.get(node.type)
        if handler:
            return handler(self, node, depth)
        return () if not node.is_named else (ir.ExprStatement(*span(node), self.expression(node, depth + 1)),)

    def qualified(self, name: str) -> str:
        return joined_name(self.scopes[-1][1], name) if self.scopes else name


def named(node: Node) -> list[Node]:
    """Named children without comments."""
    return [child for child in node.named_children if child.type not in NOT_CODE]


def field(node: Node, name: str) -> Node:
    """A field that the grammar guarantees; in broken code it may be missing, then the node itself is returned."""
    return node.child_by_field_name(name) or node
