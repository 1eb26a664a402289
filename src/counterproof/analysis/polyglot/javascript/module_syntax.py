"""Imports and exports of a JavaScript or TypeScript file, in both module systems: local names with module and exported name.

Invariant: '*' is the module itself, 'default' its default export; a name is exported once, and the last statement wins, as at run
time. Not handled here: exported values.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from counterproof.analysis.polyglot.chains import chain_at
from counterproof.analysis.polyglot.literals import literal
from counterproof.analysis.polyglot.nodes import unwrapped
from counterproof.analysis.polyglot.source import Source

_PREFIXES = ("module.exports.", "exports.")

MAX_WRAPPED = 6
"""Nested parentheses and similar wrappers around one import."""


def first_text(source: Source, call: Node) -> str | None:
    passed = call.child_by_field_name("arguments")
    return literal(source, passed.named_children[0]) if passed is not None and passed.named_children else None


def imported_names(source: Source) -> Iterator[tuple[str, tuple[str, str]]]:
    for node in source.imports:
        if node.type == "import_statement":
            yield from _import_statement(source, node)
    for each in source.assignments:
        chain = chain_at(source, _awaited(source, each.value))
        module = None
        if chain and chain.base is None and len(chain.links) == 1 and chain.links[0].name in ("require", "import"):
            module = first_text(source, chain.links[0].node)
        if module:
            yield from _bound(each.name, module)
        elif each.value.type == "member_expression":
            owner = chain_at(source, each.value.child_by_field_name("object"))
            if owner and owner.base is None and owner.links[0].name == "require" and len(owner.links) == 1:
                module = first_text(source, owner.links[0].node)
                if module:
                    yield each.name, (module, source.text(each.value.child_by_field_name("property")))


def with_parts(source: Source, known: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Imported names, and those taken from an imported module later: `const { Router } = express`."""
    for each in source.assignments:
        module, name = known.get(source.text(each.value, 100), ("", ""))
        if each.name.startswith("{") and name in ("*", "default"):
            known |= dict(_bound(each.name, module))
    return known


def _awaited(source: Source, value: Node) -> Node:
    """The call in `await import("x")` and `(await import("x")).default`."""
    current: Node | None = value
    for _ in range(MAX_WRAPPED):
        if current is None:
            break
        if current.type == "member_expression" and source.text(current.child_by_field_name("property")) == "default":
            current = current.child_by_field_name("object")
        elif current.type in ("await_expression", "parenthesized_expression"):
            current = current.named_children[0] if current.named_children else None
        else:
            return current
    return value


def _import_statement(source: Source, node: Node) -> Iterator[tuple[str, tuple[str, str]]]:
    module = literal(source, node.child_by_field_name("source"))
    for clause in node.named_children:
        if clause.type == "import_require_clause" and clause.named_children:
            module = literal(source, clause.child_by_field_name("source")) or ""
            yield source.text(clause.named_children[0]), (module, "*")
        if clause.type != "import_clause" or module is None:
            continue
        for part in clause.named_children:
            if part.type == "identifier":
                yield source.text(part), (module, "default")
            elif part.type == "namespace_import" and part.named_children:
                yield source.text(part.named_children[0]), (module, "*")
            elif part.type == "named_imports":
                for each in part.named_children[:500]:
                    name = source.text(each.child_by_field_name("name"))
                    yield source.text(each.child_by_field_name("alias")) or name, (module, name)


def _bound(left: str, module: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """`const x = require(m)` and `const {a, b: c} = require(m)`, from the left side's text."""
    if not left.startswith("{"):
        yield left, (module, "*")
        return
    for part in left.strip("{} \n").split(",")[:100]:
        name, _, local = part.strip().partition(":")
        if name.strip():
            yield (local or name).strip(), (module, name.strip())


@dataclass(slots=True)
class Exported:
    """`nodes` by name, including 'default'; `passed_on` re-exported names; `everything_of` modules re-exported completely."""

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
