"""The lowering state of Python in addition to the walk: imports, top-level and nested, and rebound names."""

from collections.abc import Callable

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.tree_walk import TreeWalk

ExpressionHandler = Callable[["Lowering", Node, int], ir.Expr]
StatementHandler = Callable[["Lowering", Node, int], tuple[ir.Statement, ...]]


class Lowering(TreeWalk):
    """The lowering of one Python file."""

    __slots__ = ("inner_imports", "package", "rebound", "top_imports")

    def __init__(
        self, source: bytes, package: str, expressions: dict[str, ExpressionHandler], statements: dict[str, StatementHandler]
    ) -> None:
        super().__init__(source, expressions, statements)
        self.package = package
        self.top_imports: dict[str, str] = {}
        self.inner_imports: dict[str, str] = {}
        self.rebound: list[str] = []

    def block(self, node: Node | None, depth: int) -> tuple[ir.Statement, ...]:
        """All statements of a block, a module or a broken part of the code."""
        return () if node is None else self.statements_of(node.named_children, depth)
