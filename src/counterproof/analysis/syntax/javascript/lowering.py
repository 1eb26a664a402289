"""The walk shared by all lowering of JavaScript and TypeScript: where we are, how deep, and what could not be followed.

Always holds: nothing here raises for any input; a node nested too deep is lowered apart (see `nesting`); a function inside an
expression is defined just before the statement it stands in. Does not belong here: the meaning of single node types; they stand
in the tables that are passed in.
"""

from collections.abc import Callable

from tree_sitter import Node

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.nesting import MAX_PROBLEMS, TOO_DEEP, Deferred, joined_name, names_inside, span

EXPORTS = "<exports>"
"""The variable of a module that holds what it exports, in both module systems."""

ExpressionHandler = Callable[["Lowering", Node, int], ir.Expr]
StatementHandler = Callable[["Lowering", Node, int], tuple[ir.Statement, ...]]
Resolve = Callable[[str], str]
"""From a module's name as an import writes it to its dotted name."""

NOT_CODE = frozenset({"comment", "html_comment", "hash_bang_line", "empty_statement", "debugger_statement"})
_HOISTED = frozenset({"function_declaration", "generator_function_declaration"})


class Lowering:
    """One file on its way from syntax tree to intermediate form."""

    __slots__ = (
        "aliases",
        "breaks",
        "classes",
        "deferred",
        "expressions",
        "functions",
        "imports",
        "made",
        "pending",
        "problems",
        "prototypes",
        "resolve",
        "scopes",
        "selves",
        "source",
        "statements",
        "this",
        "wildcards",
        "yields",
    )

    def __init__(
        self,
        source: bytes,
        resolve: Resolve,
        expressions: dict[str, ExpressionHandler],
        statements: dict[str, StatementHandler],
    ) -> None:
        self.source = source
        self.resolve = resolve
        self.expressions = expressions
        self.statements = statements
        self.problems: list[ir.Problem] = []
        self.deferred = Deferred()
        self.functions: list[ir.Function] = []
        self.classes: list[ir.Class] = []
        self.imports: dict[str, str] = {"<re>": "re"}
        self.wildcards: list[str] = []
        self.scopes: list[tuple[str, str]] = []
        """Enclosing definitions as (kind, qualified name), outermost first."""
        self.pending: list[ir.Statement] = []
        """Definitions that must stand before the statement that is being lowered."""
        self.prototypes: dict[str, list[tuple[str, Node]]] = {}
        """Constructor functions of the file with the methods that are put on their prototypes."""
        self.breaks: list[str] = []
        """What `break` leaves, innermost last: 'loop' or 'switch'."""
        self.yields: list[bool] = [False]
        self.this: list[str] = ["this"]
        """The variable that `this` stands for, innermost function last."""
        self.aliases: list[str] = []
        """Variables of the module that are what it exports, in the order in which that is said."""
        self.selves: list[dict[str, str]] = [{}]
        """Further names of `this`, as in `const self = this`, innermost function last."""
        self.made = 0

    def text(self, node: Node | None) -> str:
        return "" if node is None else self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def problem(self, node: Node, text: str, unread: bool = False) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(ir.Problem(node.start_point[0] + 1, text, unread))

    def fresh(self, purpose: str) -> str:
        """A variable that no program can name."""
        self.made += 1
        return f"<{purpose} {self.made}>"

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
        """All statements of a block or a single one; function declarations come first, as they do when it runs."""
        if node is None:
            return ()
        children = named(node) if node.type in ("statement_block", "program", "class_static_block") else [node]
        return self.statements_of(children, depth)

    def statements_of(self, nodes: list[Node], depth: int) -> tuple[ir.Statement, ...]:
        if depth >= ir.MAX_DEPTH and nodes:
            if not self.deferred.block(nodes):
                self.problem(nodes[0], TOO_DEEP, unread=True)
            return ()
        lowered: list[ir.Statement] = []
        for child in sorted(nodes, key=_is_later):
            before = len(lowered)
            lowered.extend(self.statement(child, depth))
            if self.deferred:
                first, last = self.deferred.lowered(self.expression, self.statements_of)
                lowered[before:before] = first
                lowered += last
        return tuple(lowered)

    def statement(self, node: Node, depth: int) -> tuple[ir.Statement, ...]:
        """One statement, with the definitions that its expressions need before it."""
        if node.type in NOT_CODE:
            return ()
        outer, self.pending = self.pending, []
        handler = self.statements.get(node.type)
        found = handler(self, node, depth) if handler else self._plain(node, depth)
        before, self.pending = self.pending, outer
        return (*before, *found)

    def _plain(self, node: Node, depth: int) -> tuple[ir.Statement, ...]:
        return (ir.ExprStatement(*span(node), self.expression(node, depth + 1)),)

    def qualified(self, name: str) -> str:
        return joined_name(self.scopes[-1][1], name) if self.scopes else name


def _is_later(node: Node) -> bool:
    inner = node.child_by_field_name("declaration") if node.type == "export_statement" else node
    return inner is None or inner.type not in _HOISTED


def named(node: Node) -> list[Node]:
    """Named children without comments."""
    return [child for child in node.named_children if child.type not in NOT_CODE]


def field(node: Node, name: str) -> Node:
    """A field that the grammar promises; broken code may lack it, then the node itself stands in."""
    return node.child_by_field_name(name) or node
