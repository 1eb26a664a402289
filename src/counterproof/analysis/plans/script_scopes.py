"""The names that JavaScript or TypeScript code binds, reads, imports and exports.

Invariant: a text with a syntax error is ignored. Scopes are not distinguished: a name bound anywhere in a text counts as bound in
all of it. Nothing recurses.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from tree_sitter import Node

from counterproof.analysis.plans.script_trees import scripts_of, text_of, tree_of

MAX_NODES = 300_000
_NAMED = ("identifier", "type_identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern")
_NAME = """variable_declarator function_declaration generator_function_declaration function_expression generator_function
    function_signature class_declaration abstract_class_declaration class interface_declaration type_alias_declaration
    enum_declaration internal_module module type_parameter mapped_type_clause index_signature"""
_INHERITED = {"object_assignment_pattern": "left", "assignment_pattern": "left", "pair_pattern": "value"}
"""Parts of patterns: they bind names if the enclosing pattern does."""
_BINDING = {
    **dict.fromkeys(_NAME.split(), "name"),
    **dict.fromkeys(("required_parameter", "optional_parameter"), "pattern"),
    **dict.fromkeys(("arrow_function", "catch_clause"), "parameter"),
    **_INHERITED,
}
"""Nodes that bind names, with the field that contains these names."""
_ONLY = {"nested_type_identifier": "module", "export_specifier": "name"}
"""Nodes in which only one field reads a name."""
_ELEMENTS = ("jsx_opening_element", "jsx_self_closing_element")
_SKIPPED = ("jsx_closing_element", "type_predicate", "asserts", "namespace_export", "meta_property")


@dataclass(slots=True)
class Script:
    """The names of a text. `bound` and `read` give the first line of each, from 1; `imported` gives its module."""

    bound: dict[str, int] = field(default_factory=dict[str, int])
    read: dict[str, int] = field(default_factory=dict[str, int])
    imported: dict[str, str] = field(default_factory=dict[str, str])
    is_module: bool = False
    is_import: bool = False
    """True if the text contains only imports."""

    @property
    def free(self) -> list[str]:
        """The names that are read and bound nowhere, in the order of their lines."""
        return sorted((name for name in self.read if name not in self.bound), key=lambda name: (self.read[name], name))


@lru_cache(maxsize=2_048)
def script_of(text: str, path: str = "") -> Script | None:
    """The names of a text, None if it cannot be parsed. For a page, only those of its scripts."""
    tree = tree_of(scripts_of(text, path))
    if tree is None:
        return None
    script, (source, root) = Script(), tree
    pending: list[tuple[Node, bool]] = [(root, False)]
    for _ in range(MAX_NODES):
        if not pending:
            break
        node, binding = pending.pop()
        if node.type in _NAMED:
            if binding or node.parent is None or node.parent.type != "nested_type_identifier":
                (script.bound if binding else script.read).setdefault(text_of(source, node), node.start_point[0] + 1)
        elif node.type == "import_statement":
            _import(script, source, node)
        elif node.type not in _SKIPPED:
            passed_on = node.type == "export_statement" and node.child_by_field_name("source") is not None
            pending.extend([] if passed_on else reversed(list(_inside(source, node, binding))))
    script.is_module = any(each.type in ("import_statement", "export_statement") for each in root.named_children)
    script.is_import = bool(script.imported) and all(each.type in ("import_statement", "comment") for each in root.named_children)
    return script


def _import(script: Script, source: bytes, node: Node) -> None:
    origin = node.child_by_field_name("source")
    pending = list(node.named_children)
    while pending:
        each = pending.pop()
        if each.type == "identifier":
            script.bound.setdefault(text_of(source, each), each.start_point[0] + 1)
            script.imported.setdefault(text_of(source, each), text_of(source, origin).strip("'\"`") if origin else "")
        local = each.child_by_field_name("alias") or each.child_by_field_name("name") if each.type == "import_specifier" else None
        pending.extend([local] if local else each.named_children)


def _inside(source: bytes, node: Node, binding: bool) -> Iterator[tuple[Node, bool]]:
    """The children of a node that may bind or read names, each with True if it binds them."""
    if node.type in _ONLY:
        part = node.child_by_field_name(_ONLY[node.type])
        yield from [(part, False)] if part else []
        return
    target = node.child_by_field_name(_BINDING[node.type]) if node.type in _BINDING else None
    if node.type == "infer_type":
        target = node.named_child(0)
    elif node.type == "for_in_statement" and node.child_by_field_name("kind"):
        target = node.child_by_field_name("left")
    inner = binding if node.type in _INHERITED else True
    passed = binding and node.type in ("object_pattern", "array_pattern", "rest_pattern")
    for each in node.named_children:
        if not _is_plain(source, node, each):
            yield each, (each == target and inner) if target is not None else passed


def _is_plain(source: bytes, node: Node, part: Node) -> bool:
    """Return True if an identifier reads no name: the tag of an HTML element, or the operand of `typeof`."""
    if part.type != "identifier":
        return False
    tag = node.type in _ELEMENTS and part == node.child_by_field_name("name") and not text_of(source, part)[:1].isupper()
    return tag or (node.type == "unary_expression" and text_of(source, node).startswith("typeof"))
