"""The walk shared by all lowering of Python: where we are, how deep, and what could not be followed.

Always holds: nothing here raises for any input; a node nested too deep is lowered apart (see `nesting`). Does not belong here:
the meaning of single node types; they stand in the tables that are passed in.
"""

from collections.abc import Callable

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.nesting import MAX_PROBLEMS, TOO_DEEP, Deferred, joined_name, names_inside, span

ExpressionHandler = Callable[["Lowering", Node, int], ir.Expr]
StatementHandler = Callable[["Lowering", Node, int], tuple[ir.Statement, ...]]

NOT_CODE = frozenset({"comment", "line_continuation", "pass_statement", "nonlocal", ";"})


class Lowering:
    """One file on its way from syntax tree to intermediate form."""

    __slots__ = (
        "classes",
        "deferred",
        "expressions",
        "functions",
        "inner_imports",
        "package",
        "problems",
        "rebound",
        "scopes",
        "source",
        "statements",
        "top_imports",
        "wildcards",
        "yields",
    )

    def __init__(
        self, source: bytes, package: str, expressions: dict[str, ExpressionHandler], statements: dict[str, StatementHandler]
    ) -> None:
        self.source = source
        self.package = package
        self.expressions = expressions
        self.statements = statements
        self.problems: list[ir.Problem] = []
        self.deferred = Deferred()
        self.functions: list[ir.Function] = []
        self.classes: list[ir.Class] = []
        self.top_imports: dict[str, str] = {}
        self.inner_imports: dict[str, str] = {}
        self.wildcards: list[str] = []
        self.rebound: list[str] = []
        self.scopes: list[tuple[str, str]] = []
        """Enclosing definitions as (kind, qualified name), outermost first."""
        self.yields: list[bool] = [False]
        """Whether the function being lowered yields, innermost last."""

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def problem(self, node: Node, text: str, unread: bool = False) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(ir.Problem(node.start_point[0] + 1, text, unread))

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

    def block(self, node: Node | None, depth: int) -> tuple[ir.Statement, ...]:
        """All statements of a block, a module or a broken stretch of code."""
        return () if node is None else self.statements_of(node.named_children, depth)

    def statements_of(self, nodes: list[Node], depth: int) -> tuple[ir.Statement, ...]:
        if depth >= ir.MAX_DEPTH and nodes:
            if not self.deferred.block(nodes):
                self.problem(nodes[0], TOO_DEEP, unread=True)
            return ()
        lowered: list[ir.Statement] = []
        for child in nodes:
            kind = child.type
            if kind in NOT_CODE:
                continue
            before = len(lowered)
            handler = self.statements.get(kind)
            if handler:
                lowered.extend(handler(self, child, depth))
            elif child.is_named:
                lowered.append(ir.ExprStatement(*span(child), self.expression(child, depth + 1)))
            if self.deferred:
                first, last = self.deferred.lowered(self.expression, self.statements_of)
                lowered[before:before] = first
                lowered += last
        return tuple(lowered)

    def qualified(self, name: str) -> str:
        return joined_name(self.scopes[-1][1], name) if self.scopes else name


def named(node: Node) -> list[Node]:
    """Named children without comments."""
    return [child for child in node.named_children if child.type not in NOT_CODE]


def field(node: Node, name: str) -> Node:
    """A field that the grammar promises; broken code may lack it, then the node itself stands in."""
    return node.child_by_field_name(name) or node
