"""The named units of a file in every supported language: functions, methods, classes and other types.

Invariant: a unit is a grammar node with its own name, from its first decorator to its last line; a function bound to a name
(`const f = () => …`, `f: function …`) is the unit of that name. Lines are those of the text.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.facts.node_types import DEFINITIONS, FUNCTIONS, TARGETS
from counterproof.analysis.facts.trees import first_line, last_line, text_of, tree_of
from counterproof.analysis.project import Project

FUNCTION, TYPE = "function", "type"
_TYPES = frozenset((
    "class_definition", "class_declaration", "abstract_class_declaration", "interface_declaration", "enum_declaration",
    "record_declaration", "type_spec", "class", "module", "trait_declaration", "type_alias_declaration",
))  # fmt: skip
_WRAPPERS = frozenset(("decorated_definition", "export_statement", "lexical_declaration", "variable_declaration",
                       "type_declaration"))  # fmt: skip
MAX_DEPTH = 200


@dataclass(frozen=True, slots=True)
class Unit:
    """`name` is qualified by the enclosing units, with dots."""

    path: str
    name: str
    kind: str
    first: int
    last: int
    body: int = 0
    """The line of its first statement; 0 if there is none."""

    @property
    def short(self) -> str:
        return self.name.rpartition(".")[2]

    def holds(self, line: int) -> bool:
        return self.first <= line <= self.last


def units_of(project: Project, path: str) -> tuple[Unit, ...]:
    """The units of a file in source order, outer before inner; empty without a grammar."""

    def made() -> tuple[Unit, ...]:
        tree = tree_of(project, path)
        return tuple(_units(path, tree.root_node, "", 0)) if tree else ()

    return project.once(f"units {path}", made)


def unit_at(project: Project, path: str, line: int, largest: int = 0) -> Unit | None:
    """The innermost unit that contains a line; with `largest`, the outermost one of at most that many lines."""
    around = [each for each in units_of(project, path) if each.holds(line)]
    if largest:
        fitting = [each for each in around if each.last - each.first < largest]
        return fitting[0] if fitting else None
    return around[-1] if around else None


def _units(path: str, node: Node, within: str, depth: int) -> Iterator[Unit]:
    for child in node.named_children if depth < MAX_DEPTH else ():
        name, kind = _named(child)
        if name:
            whole = _wrapped(child)
            name = f"{within}.{name}".lstrip(".")
            yield Unit(path, name, kind, first_line(whole), last_line(whole), _body(child))
        yield from _units(path, child, name or within, depth + 1)


def _named(node: Node) -> tuple[str, str]:
    if node.type in DEFINITIONS or node.type in _TYPES:
        name = node.child_by_field_name("name")
        kind = TYPE if node.type in _TYPES else FUNCTION
        return (text_of(name), kind) if name and name.type != "string" else ("", "")
    if node.type in TARGETS:
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        target = node.child_by_field_name(TARGETS[node.type])
        if value is not None and target is not None and value.type in FUNCTIONS and value.child_by_field_name("name") is None:
            return text_of(target).rpartition(".")[2], FUNCTION
    return "", ""


def _body(node: Node) -> int:
    """The start of a definition's body, after its decorators and signature."""
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    body = node.child_by_field_name("body") or (value.child_by_field_name("body") if value is not None else None)
    if body is None:
        return 0
    return first_line(body.named_children[0] if body.named_children else body)


def _wrapped(node: Node) -> Node:
    """The node with its decorators, `export`, or `const`."""
    current = node
    while current.parent is not None and current.parent.type in _WRAPPERS and current.parent.named_child_count <= 4:
        current = current.parent
    return current
