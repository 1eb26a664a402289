"""Single nodes of a syntax tree: their line, the expression inside a wrapper, and a bounded walk beneath one.

Invariant: nothing recurses and every walk has a bound. Not handled here: text, names, meaning.
"""

from collections.abc import Iterator

from tree_sitter import Node

MAX_NODES = 20_000
"""Nodes looked at inside one function or expression."""
_WRAPPERS = (
    "parenthesized_expression", "await_expression", "as_expression", "satisfies_expression", "non_null_expression",
    "type_assertion", "argument", "literal_element", "spread_element", "variadic_unpacking",
)  # fmt: skip


def line_of(node: Node) -> int:
    return node.start_point[0] + 1


def unwrapped(node: Node | None) -> Node | None:
    """The expression inside parentheses, casts, `await` and argument wrappers."""
    for _ in range(16):
        if node is None or node.type not in _WRAPPERS or not node.named_children:
            return node
        inner = node.child_by_field_name("value")
        last = node.type in ("type_assertion", "argument")
        node = inner or (node.named_children[-1] if last else node.named_children[0])
    return node


def inside(node: Node) -> Iterator[Node]:
    """The node and all beneath it in source order, up to a bound."""
    pending = [node]
    for _ in range(MAX_NODES):
        if not pending:
            return
        current = pending.pop()
        yield current
        pending.extend(reversed(current.named_children))
