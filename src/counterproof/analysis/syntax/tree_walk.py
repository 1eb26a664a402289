"""The walk that lowering shares in all languages: where we are, how deep, and what could not be followed.

Always holds: nothing here raises for any input; a node nested too deep is lowered apart (see `nesting`). Does not belong here:
the meaning of single node types; they stand in the tables that are passed in.
"""

from collections.abc import Callable, Iterable
from typing import Any

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.nesting import MAX_PROBLEMS, TOO_DEEP, Deferred, joined_name, names_inside, span

NOT_CODE = frozenset(
    {
        "comment", "line_continuation", "pass_statement", "nonlocal", ";",
        "html_comment", "hash_bang_line", "empty_statement", "debugger_statement",
    }
)  # fmt: skip
"""In Python's grammar and in those of scripts; no name means code in another one."""


class TreeWalk:
    """One file on its way from syntax tree to intermediate form."""

    __slots__ = (
        "classes",
        "deferred",
        "expressions",
        "functions",
        "problems",
        "scopes",
        "source",
        "statements",
        "wildcards",
        "yields",
    )

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
        """Outermost errors in source order, without recursion: hostile code nests as deep as it likes."""
        pending = [root]
        while pending and len(self.problems) < MAX_PROBLEMS:
            current = pending.pop()
            if current.is_error or current.is_missing:
                self.problem(current, "syntax error; the code around it is read as far as possible")
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
        """Whatever has no handler of its own: its parts, in order."""
        children = tuple(self.expression(child, depth + 1) for child in named(node))
        return ir.Unknown(*span(node), children)

    def too_deep(self, node: Node) -> ir.Expr:
        """An expression that is lowered apart; where there are too many of them, the names in it."""
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
        """Statements as they run."""
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
    """A field that the grammar promises; broken code may lack it, then the node itself stands in."""
    return node.child_by_field_name(name) or node
