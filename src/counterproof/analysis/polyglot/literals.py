"""Strings known without running code: literals, names bound to literals, and concatenations.

Invariant: an unknown part is written `{name}`, so that a path shows where it varies. Not handled here: values from other files.
"""

from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.polyglot.nodes import unwrapped
from counterproof.analysis.polyglot.source import Source

MAX_DEPTH = 8
MAX_ITEMS = 500
_TEXTS = (
    "string", "template_string", "string_literal", "interpreted_string_literal", "raw_string_literal", "encapsed_string",
    "bare_string", "bare_symbol", "delimited_symbol",
)  # fmt: skip
_PIECES = (
    "string_fragment", "string_content", "interpreted_string_literal_content", "raw_string_literal_content", "escape_sequence",
    "multiline_string_fragment",
)  # fmt: skip
_SYMBOLS = ("simple_symbol", "hash_key_symbol")
_NAMES = ("identifier", "field_access", "member_expression", "constant", "variable_name", "selector_expression", "name")
_LISTS = (
    "array", "array_creation_expression", "element_value_array_initializer", "array_initializer", "string_array",
    "symbol_array", "composite_literal",
)  # fmt: skip


def literal(source: Source, node: Node | None) -> str | None:
    """The text of a literal; None for any other node."""
    node = unwrapped(node)
    if node is None:
        return None
    if node.type in _SYMBOLS:
        return source.text(node).strip(":\"'")
    if node.type not in _TEXTS:
        return None
    return "".join(_piece(source, child) for child in node.named_children[:100])


def _piece(source: Source, node: Node) -> str:
    if node.type in _PIECES:
        return source.text(node)
    inner = node.named_children[0] if node.named_children else node
    name = source.text(inner, 60).strip("${}# ")
    return "{" + (name if all(part.isidentifier() for part in name.split(".")) else "…") + "}"


def known_text(source: Source, node: Node | None) -> str | None:
    """A literal, a name bound to one, or a concatenation; None if nothing is known."""
    written = literal(source, node)
    if written is not None:
        return written
    found = _known(source, node, 0)
    return found if found is not None and not (found.startswith("{") and found.endswith("}")) else None


def _known(source: Source, node: Node | None, depth: int) -> str | None:
    node = unwrapped(node)
    if node is None or depth > MAX_DEPTH:
        return None
    text = literal(source, node)
    if text is not None:
        return text
    if node.type == "binary_expression":
        left = _known(source, node.child_by_field_name("left"), depth + 1)
        right = _known(source, node.child_by_field_name("right"), depth + 1)
        if source.text(node.child_by_field_name("operator")) in ("||", "??", "or"):
            return left if right is None else right  # the default of a setting
        return (left or "") + (right or "") if left is not None or right is not None else None
    if node.type in _NAMES:
        name = source.text(node).lstrip("$")
        for spelled in (name, name.rpartition(".")[2]):
            value = source.value_of(spelled, node.start_byte)
            if value is not None and not value.start_byte <= node.start_byte < value.end_byte:
                return _known(source, value, depth + 1)
        return "{" + name + "}"
    return None


def texts(source: Source, node: Node | None) -> tuple[str, ...]:
    """All strings of a list, or the one of a literal."""
    node = unwrapped(node)
    if node is None:
        return ()
    if node.type in _LISTS:
        return tuple(text for item in items(node) if (text := known_text(source, item)) is not None)
    text = known_text(source, node)
    return (text,) if text is not None else ()


def items(node: Node | None) -> tuple[Node, ...]:
    """The values of a list literal, or the single value."""
    node = unwrapped(node)
    if node is None:
        return ()
    if node.type not in _LISTS:
        return (node,)
    body = node.child_by_field_name("body") or node
    found = [_element(each) for each in body.named_children[:MAX_ITEMS]]
    return tuple(each for each in found if each is not None)


def _element(node: Node) -> Node | None:
    if node.type == "array_element_initializer":
        return node.named_children[-1] if node.named_children else None
    return unwrapped(node)


def entries(source: Source, node: Node | None) -> Iterator[tuple[str, Node]]:
    """Keys and values of an object, hash, struct or keyed array literal."""
    node = unwrapped(node)
    for each in node.named_children[:MAX_ITEMS] if node is not None else ():
        if each.type in ("pair", "keyed_element"):
            key, value = each.child_by_field_name("key"), each.child_by_field_name("value")
            value = unwrapped(value) if each.type == "keyed_element" else value
            if key is not None and value is not None:
                yield literal(source, key) or source.text(key).strip("\"'"), value
        elif each.type == "array_element_initializer" and len(each.named_children) == 2:
            yield literal(source, each.named_children[0]) or source.text(each.named_children[0]), each.named_children[1]
        elif each.type in ("shorthand_property_identifier", "method_definition"):
            named = each.child_by_field_name("name") or each
            yield source.text(named), each


def entry(source: Source, node: Node | None, key: str) -> Node | None:
    """The value under a key of such a literal."""
    return next((value for name, value in entries(source, node) if name == key), None)
