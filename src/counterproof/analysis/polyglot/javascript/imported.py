"""What a JavaScript or TypeScript file imports, in both module systems: local names with the module and the exported name.

Always holds: '*' stands for the module itself, 'default' for its default export. Does not belong here: what the names mean.
"""

from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.polyglot.chains import chain_at
from counterproof.analysis.polyglot.literals import literal
from counterproof.analysis.polyglot.source import Source

MAX_WRAPPED = 6
"""Parentheses and the like around one import."""


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
    """`const x = require(m)` and `const {a, b: c} = require(m)`, from the left side as it is written."""
    if not left.startswith("{"):
        yield left, (module, "*")
        return
    for part in left.strip("{} \n").split(",")[:100]:
        name, _, local = part.strip().partition(":")
        if name.strip():
            yield (local or name).strip(), (module, name.strip())
