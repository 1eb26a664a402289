"""What lowering of JavaScript and TypeScript keeps besides the walk: definitions inside expressions, `this`, exports.

Invariant: a function inside an expression is defined just before the statement it stands in. Not handled here: the meaning of
single node types.
"""

from collections.abc import Callable, Iterable

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.tree_walk import TreeWalk, named

EXPORTS = "<exports>"
"""The variable of a module that holds what it exports, in both module systems."""

ExpressionHandler = Callable[["Lowering", Node, int], ir.Expr]
StatementHandler = Callable[["Lowering", Node, int], tuple[ir.Statement, ...]]
Resolve = Callable[[str], str]
"""From a module's name as an import writes it to its dotted name."""

_HOISTED = frozenset({"function_declaration", "generator_function_declaration"})


class Lowering(TreeWalk):
    """One file of a script on its way from syntax tree to intermediate form."""

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
        """Definitions that must stand before the statement that is being lowered."""
        self.prototypes: dict[str, list[tuple[str, Node]]] = {}
        """Constructor functions of the file with the methods that are put on their prototypes."""
        self.breaks: list[str] = []
        """What `break` leaves, innermost last: 'loop' or 'switch'."""
        self.this: list[str] = ["this"]
        """The variable that `this` stands for, innermost function last."""
        self.aliases: list[str] = []
        """Variables of the module that are what it exports, in the order in which that is said."""
        self.selves: list[dict[str, str]] = [{}]
        """Further names of `this`, as in `const self = this`, innermost function last."""
        self.made = 0

    def fresh(self, purpose: str) -> str:
        """A variable that no program can name."""
        self.made += 1
        return f"<{purpose} {self.made}>"

    def block(self, node: Node | None, depth: int) -> tuple[ir.Statement, ...]:
        """All statements of a block or a single one; function declarations come first, as they do when it runs."""
        if node is None:
            return ()
        children = named(node) if node.type in ("statement_block", "program", "class_static_block") else [node]
        return self.statements_of(children, depth)

    def in_order(self, nodes: list[Node]) -> Iterable[Node]:
        return sorted(nodes, key=_is_later)

    def statement(self, node: Node, depth: int) -> tuple[ir.Statement, ...]:
        """One statement, with the definitions that its expressions need before it."""
        outer, self.pending = self.pending, []
        found = super().statement(node, depth)
        before, self.pending = self.pending, outer
        return (*before, *found)


def _is_later(node: Node) -> bool:
    inner = node.child_by_field_name("declaration") if node.type == "export_statement" else node
    return inner is None or inner.type not in _HOISTED
