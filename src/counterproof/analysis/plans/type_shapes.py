"""What the types, classes, functions and components of TypeScript declare: of the repository's files, and of a plan's blocks.

Always: a shape is closed only where all its members are written out: no index, no comment that leaves something out, and bases
that are found. Only what stands at the top of a text counts. Whose declaration a name means does not belong here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from counterproof.analysis.plans.type_trees import Source, Type, type_of

_LEFT_OUT = re.compile(
    r"\.\.\.|…|\b(?:existing|unchanged|rest|others?|more|remaining|etc|as before|same|omitted|add(?:itional)?|new)\b",
    re.IGNORECASE,
)
"""Words of a comment by which a declaration shows a part of itself."""
_DECLARED = (
    *("interface_declaration", "type_alias_declaration", "class_declaration", "abstract_class_declaration"),
    *("function_declaration", "lexical_declaration"),
)
_FUNCTIONS = ("arrow_function", "function_expression")


@dataclass(frozen=True)
class Member:
    """A member of a shape, and its type as it is written."""

    optional: bool
    type: Type | None
    returns: Type | None = None
    """What a method is declared to return."""


@dataclass(frozen=True)
class Shape:
    """What objects of a type have. `bases` are types that add to it."""

    name: str
    place: str
    members: dict[str, Member]
    bases: tuple[Type, ...]
    closed: bool
    source: Source = field(compare=False, repr=False)
    is_class: bool = False
    options: frozenset[str] = frozenset()
    """The texts that the type consists of, where it is nothing but some texts."""


@dataclass(frozen=True)
class Function:
    """What a function is declared to return, and to take."""

    name: str
    place: str
    source: Source = field(compare=False, repr=False)
    returns: Type | None
    takes: tuple[Type | None, ...]


Declared = Shape | Function


def declared_in(source: Source, path: str, first: int) -> Iterator[Declared]:
    """What a text declares at its top. `first` is the number of its first line."""
    for each in source.root.named_children:
        node = each.child_by_field_name("declaration") if each.type == "export_statement" else each
        if node is None or node.type not in _DECLARED:
            continue
        place = f"{path}:{first + node.start_point[0]}"
        if node.type == "lexical_declaration":
            yield from _assigned(source, node, place)
        elif node.type == "function_declaration":
            yield _function(source, source.of(node.child_by_field_name("name")), place, node)
        else:
            yield _shape(source, node, place)


def _assigned(source: Source, node: Node, place: str) -> Iterator[Function]:
    for each in node.named_children:
        value = each.child_by_field_name("value")
        if value is not None and value.type in _FUNCTIONS and each.child_by_field_name("type") is None:
            yield _function(source, source.of(each.child_by_field_name("name")), place, value)


def _function(source: Source, name: str, place: str, node: Node) -> Function:
    given = node.child_by_field_name("parameters")
    taken = [each for each in given.named_children if each.type != "comment"] if given else []
    generic = node.child_by_field_name("type_parameters") is not None
    types = tuple(type_of(source, each.child_by_field_name("type")) if not generic else None for each in taken)
    returned = type_of(source, node.child_by_field_name("return_type")) if not generic else None
    return Function(name, place, source, returned, types)


def _shape(source: Source, node: Node, place: str) -> Shape:
    name = source.of(node.child_by_field_name("name"))
    if node.type == "type_alias_declaration":
        parts = _parts(node.child_by_field_name("value"))
        return joined_shape(source, name, place, parts, node.child_by_field_name("type_parameters") is not None)
    body = node.child_by_field_name("body")
    bases, known = _bases(source, node)
    if body is None:
        return Shape(name, place, {}, (), False, source)
    is_class = node.type.endswith("class_declaration")
    members = _class_members(source, body) if is_class else _members(source, body)
    if node.child_by_field_name("type_parameters"):
        members = {each: Member(member.optional, None) for each, member in members.items()}
    whole = known and _is_whole(source, body, place)
    return Shape(name, place, members, bases, whole, source, is_class)


def inline_shape(source: Source, type_: Type, place: str) -> Shape | None:
    """The shape of an object type that is written where it is used."""
    return joined_shape(source, "", place, [type_.node], False) if type_.node else None


def joined_shape(source: Source, name: str, place: str, parts: list[Node], generic: bool) -> Shape:
    """The shape of an object type, or of several joined by `&`."""
    members: dict[str, Member] = {}
    bases: list[Type] = []
    closed = not generic and bool(parts)
    for each in parts:
        if each.type == "object_type":
            members |= _members(source, each)
            closed = closed and _is_whole(source, each, place)
        elif found := type_of(source, each):
            bases.append(found)
        else:
            closed = False
    options = bases[0].options if len(parts) == len(bases) == 1 else frozenset[str]()
    return Shape(name, place, members, tuple(bases), closed, source, options=options)


def _parts(value: Node | None) -> list[Node]:
    """The types that are joined by `&`; the type itself where there is one."""
    found: list[Node] = []
    pending = [value] if value else []
    while pending and len(found) < 50:
        each = pending.pop()
        if each.type in ("intersection_type", "parenthesized_type"):
            pending.extend(reversed(each.named_children))
        else:
            found.append(each)
    return found


def _bases(source: Source, node: Node) -> tuple[tuple[Type, ...], bool]:
    """The types that a declaration extends, and whether each of them is one plain name."""
    written: list[Node] = []
    for clause in source.nodes("extends_type_clause", "extends_clause", inside=node):
        if clause.parent is not None and node in (clause.parent, clause.parent.parent):
            written += [each for each in clause.named_children if each.type != "type_arguments"]
    names = [source.of(each) for each in written if each.type in ("type_identifier", "identifier")]
    return tuple(Type(name) for name in names), len(names) == len(written)


def _members(source: Source, body: Node) -> dict[str, Member]:
    found: dict[str, Member] = {}
    for each in body.named_children:
        if each.type in ("property_signature", "method_signature"):
            optional = any(child.type == "?" for child in each.children)
            type_, returns = (type_of(source, each.child_by_field_name(name)) for name in ("type", "return_type"))
            found[source.of(each.child_by_field_name("name")).strip("'\"")] = Member(optional, type_, returns)
    return found


def _class_members(source: Source, body: Node) -> dict[str, Member]:
    """Fields and methods of a class, what its constructor declares or any line of it sets on `this`."""
    found: dict[str, Member] = {}
    for each in body.named_children:
        name = source.of(each.child_by_field_name("name")).strip("'\"")
        if name:
            type_, returns = (type_of(source, each.child_by_field_name(field)) for field in ("type", "return_type"))
            getter = any(child.type == "get" for child in each.children)
            found[name] = Member(False, returns if getter else type_, returns)
        if name == "constructor":
            for given in source.nodes("required_parameter", "optional_parameter", inside=each):
                if any(child.type in ("accessibility_modifier", "readonly") for child in given.children):
                    taken = source.of(given.child_by_field_name("pattern"))
                    found[taken] = Member(False, type_of(source, given.child_by_field_name("type")))
    for each in source.nodes("assignment_expression", inside=body):
        owner, _, name = source.of(each.child_by_field_name("left")).partition(".")
        if owner == "this" and name.isidentifier():
            found.setdefault(name, Member(False, None))
    return found


def _is_whole(source: Source, body: Node, place: str) -> bool:
    """Whether a body writes out all that it declares; a plan's may leave that to a comment."""
    kinds = {each.type for each in body.named_children}
    computed = any(
        name.type not in ("property_identifier", "string", "private_property_identifier")
        for each in body.named_children
        if (name := each.child_by_field_name("name"))
    )
    odd = {"index_signature", "call_signature", "construct_signature", "mapped_type_clause"} & kinds
    said = (source.of(each) for each in source.nodes("comment", inside=body) if place.startswith("plan:"))
    return not odd and not computed and not any(_LEFT_OUT.search(each) for each in said)
