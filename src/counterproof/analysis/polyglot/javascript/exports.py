"""What a JavaScript or TypeScript file exports, in both module systems.

Always holds: a name is exported once; the last statement wins, as it does when the module runs. Does not belong here: what the
exported values are.
"""

from dataclasses import dataclass, field

from tree_sitter import Node

from counterproof.analysis.polyglot.literals import literal
from counterproof.analysis.polyglot.nodes import unwrapped
from counterproof.analysis.polyglot.source import Source

_PREFIXES = ("module.exports.", "exports.")


@dataclass(slots=True)
class Exported:
    """`nodes` by name, 'default' among them; `passed_on` names of other modules; `everything_of` modules re-exported whole."""

    nodes: dict[str, Node] = field(default_factory=dict[str, Node])
    passed_on: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    everything_of: list[str] = field(default_factory=list[str])


def exports_of(source: Source) -> Exported:
    found = Exported()
    for each in source.assignments:
        if each.name in ("module.exports", "exports"):
            found.nodes["default"] = each.value
        for prefix in _PREFIXES:
            if each.name.startswith(prefix):
                found.nodes[each.name.removeprefix(prefix)] = each.value
                break
    for node in source.imports:
        if node.type == "export_statement":
            _statement(source, node, found)
    return found


def _statement(source: Source, node: Node, found: Exported) -> None:
    module = literal(source, node.child_by_field_name("source"))
    declaration = node.child_by_field_name("declaration")
    value = node.child_by_field_name("value")
    default = any(child.type == "default" for child in node.children)
    clause = next((child for child in node.named_children if child.type == "export_clause"), None)
    if clause is not None:
        _clause(source, clause, module, found)
    elif module is not None:
        found.everything_of.append(module)
    elif default and (value is not None or declaration is not None):
        inner = unwrapped(value if value is not None else declaration)
        if inner is not None:
            found.nodes["default"] = inner
    elif declaration is not None:
        _declared(source, declaration, found)


def _clause(source: Source, clause: Node, module: str | None, found: Exported) -> None:
    for each in clause.named_children[:500]:
        name = each.child_by_field_name("name")
        if name is None:
            continue
        alias = source.text(each.child_by_field_name("alias")) or source.text(name)
        if module is not None:
            found.passed_on[alias] = (module, source.text(name))
        else:
            found.nodes[alias] = name


def _declared(source: Source, declaration: Node, found: Exported) -> None:
    name = declaration.child_by_field_name("name")
    if name is not None:
        found.nodes[source.text(name)] = declaration
        return
    for each in declaration.named_children[:200]:
        named, value = each.child_by_field_name("name"), unwrapped(each.child_by_field_name("value"))
        if each.type == "variable_declarator" and named is not None and value is not None:
            found.nodes[source.text(named)] = value
