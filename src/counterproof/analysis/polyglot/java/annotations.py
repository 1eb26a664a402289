"""Annotations of Java classes and methods, with the texts in them; constants are looked up across files.

Invariant: a value that is not known is shown as `{name}`. Not handled here: what an annotation means.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tree_sitter import Node

from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.literals import items, known_text, literal
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.source import Source
from counterproof.model.survey import Language

_CONSTANT = re.compile(r"\{([A-Za-z_][\w.]{0,200}\.[A-Za-z_]\w{0,100})\}")


@dataclass(frozen=True, slots=True, eq=False)
class Annotation:
    """`values` by element name; the unnamed element is 'value'."""

    name: str
    line: int
    source: Source
    values: dict[str, Node]

    def texts(self, constants: "Constants", *names: str) -> tuple[str, ...]:
        """All texts of the first of these elements that is given."""
        node = next((self.values[name] for name in names if name in self.values), None)
        return tuple(constants.text(self.source, each) for each in items(node)) if node is not None else ()

    def written(self, name: str = "value") -> str:
        return self.source.text(self.values.get(name))


class Constants:
    """Text constants of all classes, by `Class.FIELD`."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def text(self, source: Source, node: Node) -> str:
        found = known_text(source, node)
        if found is None:
            found = "{" + source.text(node) + "}"
        return _CONSTANT.sub(lambda each: self._all.get(".".join(each[1].split(".")[-2:]), each[0]), found)

    @cached_property
    def _all(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for source in self.corpus.sources(Language.JAVA):
            for each in source.classes:
                for name, value in _texts(source, each.body):
                    found.setdefault(f"{each.name}.{name}", value)
        return found


def _texts(source: Source, body: Node | None) -> Iterator[tuple[str, str]]:
    for child in body.named_children[:2_000] if body is not None else ():
        if child.type in ("field_declaration", "constant_declaration"):
            for each in child.children_by_field_name("declarator"):
                value = literal(source, each.child_by_field_name("value"))
                if value is not None:
                    yield source.text(each.child_by_field_name("name")), value


def annotations(source: Source, node: Node) -> tuple[Annotation, ...]:
    """The annotations on a declaration, in order."""
    modifiers = next((child for child in node.named_children if child.type == "modifiers"), None)
    found: list[Annotation] = []
    for each in modifiers.named_children[:100] if modifiers is not None else ():
        if each.type in ("annotation", "marker_annotation"):
            name = source.text(each.child_by_field_name("name")).rpartition(".")[2]
            found.append(Annotation(name, line_of(each), source, dict(_values(source, each))))
    return tuple(found)


def _values(source: Source, node: Node) -> Iterator[tuple[str, Node]]:
    listed = node.child_by_field_name("arguments")
    for each in listed.named_children[:100] if listed is not None else ():
        if each.type == "element_value_pair":
            value = each.child_by_field_name("value")
            if value is not None:
                yield source.text(each.child_by_field_name("key")), value
        elif each.type not in ("line_comment", "block_comment"):
            yield "value", each
