"""The lowering state of JavaScript and TypeScript in addition to the walk: definitions inside expressions, `this`, exports.

Invariant: a function inside an expression is defined just before its statement. Not handled here: single node types.
"""

from collections.abc import Callable, Iterable

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.tree_walk import TreeWalk, named

EXPORTS = "<exports>"
"""The module variable that holds its exports, in both module systems."""

ExpressionHandler = Callable[["Lowering", Node, int], ir.Expr]
StatementHandler = Callable[["Lowering", Node, int], tuple[ir.Statement, ...]]
Resolve = Callable[[str], str]
"""Resolves an import's module name to its dotted name."""

_HOISTED = frozenset({"function_declaration", "generator_function_declaration"})


class Lowering(TreeWalk):
    """The lowering of one JavaScript file."""

    __slots__ = ("aliases", "breaks", "imports", "made", "pending", "prototypes", "resolve", "selves", "this")

    def __init__(
        self,
        source: bytes,
        resolve: Resolve,
        expressions: dict[str, ExpressionHandler],
        statements: dict[str, StatementHandler],
    ) -> None:
        super().__init__(source, expressions, statements)
        self.resolve = resolve
        self.imports: dict[str, str] = {"<re>": "re"}
        self.pending: list[ir.Statement] = []
        """Definitions to insert before the statement being lowered."""
        self.prototypes: dict[str, list[tuple[str, Node]]] = {}
        """Constructor functions of the file with their prototype methods."""
        self.breaks: list[str] = []
        """The targets of `break`, innermost last: 'loop' or 'switch'."""
        self.this: list[str] = ["this"]
        """The variable for `this`, innermost function last."""
        self.aliases: list[str] = []
        """Module variables that are the module's exports, in source order."""
        self.selves: list[dict[str, str]] = [{}]
        """Aliases of `this`, as in `const self = this`, innermost function last."""
        self.made = 0

    def fresh(self, purpose: str) -> str:
        """A variable name that no program can contain."""
        self.made += 1
        return f"<{purpose} {self.made}>"

    def block(self, node: Node | None, depth: int) -> tuple[ir.Statement, ...]:
        """All statements of a block or a single one; function declarations come first, because they are hoisted."""
        if node is None:
            return ()
        children = named(node) if node.type in ("statement_block", "program", "class_static_block") else [node]
        return self.statements_of(children, depth)

    def in_order(self, nodes: list[Node]) -> Iterable[Node]:
        return sorted(nodes, key=_is_later)

    def statement(self, node: Node, depth: int) -> tuple[ir.Statement, ...]:
        """One statement, preceded by the definitions in its expressions."""
        outer, self.pending = self.pending, []
        found = super().statement(node, depth)
        before, self.pending = self.pending, outer
        return (*before, *found)


def _is_later(node: Node) -> bool:
    inner = node.child_by_field_name("declaration") if node.type == "export_statement" else node
    return inner is None or inner.type not in _HOISTED
