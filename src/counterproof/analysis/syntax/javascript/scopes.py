"""Which names a function declares itself, and which nodes are functions and classes.

Invariant: nothing recurses and every walk has a bound. Not handled here: what the names hold.
"""

from tree_sitter import Node

from counterproof.analysis.syntax.javascript.lowering import Lowering

FUNCTIONS = frozenset(
    {"function_declaration", "generator_function_declaration", "function_expression", "generator_function", "arrow_function",
     "method_definition", "function"}
)  # fmt: skip
CLASSES = frozenset({"class_declaration", "class", "abstract_class_declaration"})
MAX_SCANNED = 20_000
"""Nodes looked at for the names that one function declares."""
_DECLARING = frozenset({"variable_declarator", "function_declaration", "generator_function_declaration", "class_declaration",
                        "for_in_statement"})  # fmt: skip


def declared(cx: Lowering, body: Node) -> tuple[str, ...]:
    """Names that a function declares itself, blocks inside it included, functions inside it not."""
    names: dict[str, None] = {}
    pending = [body]
    for _ in range(MAX_SCANNED):
        if not pending:
            break
        current = pending.pop()
        if current.type in _DECLARING:
            target = current.child_by_field_name("left" if current.type == "for_in_statement" else "name")
            names |= dict.fromkeys(_bound(cx, target))
        if current is body or (current.type not in FUNCTIONS and current.type not in CLASSES):
            pending.extend(reversed(current.named_children))
    return tuple(names)


def _bound(cx: Lowering, target: Node | None) -> list[str]:
    """Names that a declaration or a pattern binds."""
    found: list[str] = []
    pending = [target] if target is not None else []
    for _ in range(MAX_SCANNED):
        if not pending:
            break
        current = pending.pop()
        if current.type in ("identifier", "type_identifier", "shorthand_property_identifier_pattern"):
            found.append(cx.text(current))
        pending.extend(current.named_children)
    return found
