"""TypeScript parsed for its types: the tree of a text, and the types that are written in it.

Always: a text that does not parse without an error has no tree. A type is known only as one name, one object type, or an array of
either; any other is None, and nobody asks it for members. Nothing recurses.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from counterproof.analysis.syntax.parsing import Unparsable, parsed

MAX_NODES = 200_000
MAX_NESTED = 8
"""Brackets and wrappers around a type that are looked through."""
MAX_OPTIONS = 400
PART = b"_"
"""The name of the class that a part is read in."""
_SAME = frozenset(["Readonly", "Required", "NonNullable"])
_ARRAYS = frozenset(["Array", "ReadonlyArray"])
_NOTHING = frozenset(["null", "undefined"])


@dataclass(frozen=True)
class Source:
    """A text with its tree."""

    root: Node
    text: bytes
    part: bool = False
    """Whether it is a part of a class, read inside of one without a name."""

    def of(self, node: Node | None) -> str:
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace") if node else ""

    def nodes(self, *kinds: str, inside: Node | None = None) -> Iterator[Node]:
        """The nodes of these kinds, in order."""
        pending = [inside or self.root]
        for _ in range(MAX_NODES):
            if not pending:
                return
            node = pending.pop()
            if not kinds or node.type in kinds:
                yield node
            pending.extend(reversed(node.named_children))


@dataclass(frozen=True)
class Type:
    """A type as it is written: a name, or the node of an object type."""

    name: str = ""
    node: Node | None = None
    many: bool = False
    """Whether it is an array of them."""
    later: bool = False
    """Whether it is promised."""
    partial: bool = False
    """Whether every member may be left out."""
    options: frozenset[str] = frozenset()
    """The texts that it consists of, where it is nothing but some texts."""


@cache
def _parser(elements: bool) -> Parser:
    grammar = tree_sitter_typescript.language_tsx() if elements else tree_sitter_typescript.language_typescript()
    return Parser(Language(grammar))


def source_of(text: str) -> Source | None:
    """A text with its tree; None where it does not parse, as a file or as a part of a class."""
    plain = text.encode("utf-8", "replace").replace(b"\x00", b" ")
    for source, part in ((plain, False), (b"class %b {%b\n}" % (PART, plain), True)):
        for elements in (True, False):
            try:
                root = parsed(_parser(elements), source)
            except Unparsable:
                return None
            if not root.has_error:
                return Source(root, source, part)
    return None


def type_of(source: Source, node: Node | None) -> Type | None:
    """The type that is written at an annotation or in a declaration."""
    found = Type()
    for _ in range(MAX_NESTED):
        if node is None or node.type in ("type_identifier", "object_type"):
            break
        if node.type == "generic_type":
            wrapper = source.of(node.child_by_field_name("name"))
            given = node.child_by_field_name("type_arguments")
            wrapped = _wrapped(found, wrapper)
            if wrapped is None:
                return replace(found, name=wrapper) if wrapper.isidentifier() else None
            found, node = wrapped, given.named_children[0] if given else None
        elif node.type == "array_type":
            if found.many:
                return None
            found, node = replace(found, many=True), node.named_children[0]
        elif options := _options(source, node):
            return replace(found, options=options)
        else:
            node = _inner(node)
    if node is None or node.type not in ("type_identifier", "object_type"):
        return None
    return replace(found, name=source.of(node)) if node.type == "type_identifier" else replace(found, node=node)


def _wrapped(found: Type, wrapper: str) -> Type | None:
    """The type with what a generic one says of its argument; None where that one is a type of its own."""
    if wrapper in _ARRAYS and not found.many:
        return replace(found, many=True)
    if wrapper == "Promise" and found == Type():
        return replace(found, later=True)
    if wrapper == "Partial" and not found.many:
        return replace(found, partial=True)
    return found if wrapper in _SAME else None


def _inner(node: Node) -> Node | None:
    """What brackets, `readonly` and `| null` stand around; None where there is more than one thing."""
    if node.type in ("type_annotation", "parenthesized_type", "readonly_type"):
        return node.named_children[0] if node.named_children else None
    if node.type == "union_type":
        parts = [each for each in node.named_children if each.type not in ("comment",) and not _is_nothing(each)]
        return parts[0] if len(parts) == 1 else None
    return None


def _options(source: Source, node: Node) -> frozenset[str]:
    """The texts that a union consists of; none where it has anything else."""
    found: set[str] = set()
    pending = [node] if node.type == "union_type" else []
    for _ in range(MAX_OPTIONS):
        if not pending:
            return frozenset(found)
        each = pending.pop()
        if each.type == "union_type":
            pending.extend(each.named_children)
        elif each.type == "literal_type" and each.children[0].type == "string":
            found.add(source.of(each)[1:-1])
        elif each.type != "comment" and not _is_nothing(each):
            return frozenset()
    return frozenset()


def _is_nothing(node: Node) -> bool:
    return node.type == "literal_type" and bool(node.children) and node.children[0].type in _NOTHING


def imports_of(source: Source) -> dict[str, str]:
    """The modules that a text imports names from, by these names."""
    found: dict[str, str] = {}
    for node in source.root.named_children:
        if node.type == "import_statement":
            module = source.of(node.child_by_field_name("source")).strip("'\"`")
            for each in source.nodes("import_specifier", inside=node):
                found[source.of(each.child_by_field_name("alias") or each.child_by_field_name("name"))] = module
            for each in source.nodes("import_clause", "namespace_import", inside=node):
                found |= {source.of(name): module for name in each.named_children if name.type == "identifier"}
    return found


NOTHING = Source(parsed(_parser(True), b""), b"")
"""A text without anything in it."""
