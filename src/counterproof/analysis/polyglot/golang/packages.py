"""Name resolution across Go files: packages by folder, imports by path, methods by receiver.

Invariant: a method is found by its receiver's type if known, otherwise only if its name is unique. Not handled here: routers.
"""

import posixpath
import re
from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.kept import kept
from counterproof.analysis.polyglot.chains import chain_at, is_call
from counterproof.analysis.polyglot.corpus import Corpus, Place
from counterproof.analysis.polyglot.literals import literal
from counterproof.analysis.polyglot.nodes import unwrapped
from counterproof.analysis.polyglot.source import Function, Source
from counterproof.model.survey import Language

MAX_DEPTH = 8
"""Steps from a variable to its type, because `x = x.Next()` is a cycle."""
_VERSION = re.compile(r"v[0-9]{1,3}")
_TYPE = re.compile(r"[&*]?(?:[A-Za-z_]\w{0,80}\.)?([A-Za-z_]\w{0,80})\{")


class Packages:
    """The packages of one project."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.folders: dict[str, list[str]] = {}
        for path in corpus.paths[Language.GO]:
            self.folders.setdefault(posixpath.dirname(path), []).append(path)

    def imports(self, source: Source) -> dict[str, str]:
        """Local names with their import paths."""
        return self.corpus.remembered(("go imports", source.path), lambda: dict(_imported(source)))

    @kept
    def folder_of(self, path: str) -> str | None:
        """The folder of an import path: the longest one that it ends with."""
        parts = path.split("/")
        ends = ("/".join(parts[start:]) for start in range(len(parts)))
        near = [each for each in self.folders if each.endswith("/" + parts[-1])]
        return next((each for each in ends if each in self.folders), near[0] if len(near) == 1 else None)

    @kept
    def functions(self, folder: str) -> dict[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for source in map(self.corpus.source, self.folders.get(folder, ())):
            for function in source.functions:
                if function.name and function.node.type != "func_literal":
                    found.setdefault(function.name, []).append(Place(source, function))
        return found

    @kept
    def variables(self, folder: str) -> dict[str, tuple[Source, Node]]:
        """Variables that a package declares outside functions."""
        found: dict[str, tuple[Source, Node]] = {}
        for source in map(self.corpus.source, self.folders.get(folder, ())):
            for each in source.assignments:
                if next(source.around(each.start), None) is None:
                    found.setdefault(each.name, (source, each.value))
        return found

    @kept
    def methods(self, name: str) -> list[Place]:
        """Every method of that name."""
        named = (place for folder in sorted(self.folders) for place in self.functions(folder).get(name, ()))
        return [place for place in named if place.function.owner]

    def methods_of(self, owner: str) -> list[Place]:
        """The exported methods of a type."""
        every = (place for folder in sorted(self.folders) for places in self.functions(folder).values() for place in places)
        return [each for each in every if owner and each.function.owner == owner and each.function.name[:1].isupper()]

    def place(self, source: Source, node: Node | None, depth: int = 0) -> Place | None:
        """The function that an expression is or refers to."""
        node = unwrapped(node)
        if node is None or depth > MAX_DEPTH:
            return None
        if node.type == "func_literal":
            function = source.function_at(node)
            return Place(source, function) if function else None
        if node.type == "identifier":
            value = source.value_of(source.text(node), node.start_byte)
            made = value is not None and value.type == "func_literal"
            return (
                self.place(source, value, depth + 1) if made else self._plain(posixpath.dirname(source.path), source.text(node))
            )
        return self._selected(source, node, depth) if node.type == "selector_expression" else None

    def called(self, source: Source, call: Node) -> Place | None:
        return self.place(source, call.child_by_field_name("function"))

    def _plain(self, folder: str | None, name: str) -> Place | None:
        """A function of a package, not a method."""
        found = self.functions(folder).get(name, ()) if folder is not None else ()
        return next((each for each in found if not each.function.owner), None)

    def _selected(self, source: Source, node: Node, depth: int) -> Place | None:
        owner = node.child_by_field_name("operand")
        name = source.text(node.child_by_field_name("field"))
        package = self.imports(source).get(source.text(owner)) if owner is not None and owner.type == "identifier" else None
        if package is not None:
            return self._plain(self.folder_of(package), name)
        wanted = self.type_of(source, owner, depth + 1)
        found = [each for each in self.methods(name) if not wanted or each.function.owner == wanted]
        near = [each for each in found if posixpath.dirname(each.source.path) == posixpath.dirname(source.path)]
        return near[0] if len(near) == 1 else found[0] if len(found) == 1 or (wanted and found) else None

    def type_of(self, source: Source, node: Node | None, depth: int = 0) -> str:
        """The type of a variable, '' if not evident."""
        node = unwrapped(node)
        if node is None or node.type != "identifier":
            return self._made(source, node, depth) if node is not None else ""
        name = source.text(node)
        declared = (declared_type(source, each, name) for each in source.around(node.start_byte))
        if found := next((each for each in declared if each), ""):
            return found.rpartition(".")[2]
        value = source.value_of(name, node.start_byte)
        return self._made(source, value, depth) if value is not None and value.id != node.id else ""

    def _made(self, source: Source, value: Node, depth: int) -> str:
        written = _TYPE.match(source.text(value, 200))
        if written:
            return written[1]
        chain = chain_at(source, value) if is_call(value) else None
        called = self.place(source, value.child_by_field_name("function"), depth + 1) if chain and len(chain.links) == 1 else None
        if called is None:
            return ""
        result = called.source.text(called.function.node.child_by_field_name("result"))
        return re.split(r"[,\s]", result.strip("() "))[0].lstrip("*").rpartition(".")[2]


def _imported(source: Source) -> Iterator[tuple[str, str]]:
    for node in source.imports:
        path = literal(source, node.child_by_field_name("path")) or ""
        parts = [part for part in path.split("/") if part and not _VERSION.fullmatch(part)]
        name = source.text(node.child_by_field_name("name")) or (parts[-1] if parts else "")
        yield name.removeprefix("go-"), path


def declared_type(source: Source, function: Function, name: str) -> str:
    """The type of a parameter or receiver of that name as written, including its package."""
    for field in ("receiver", "parameters"):
        listed = function.node.child_by_field_name(field)
        for each in listed.named_children[:50] if listed is not None else ():
            if name in [source.text(part) for part in each.children_by_field_name("name")]:
                return source.text(each.child_by_field_name("type")).lstrip("*")
    return ""
