"""What names mean across Go files: packages by folder, imports by path, methods by receiver.

Invariant: a method is found by its receiver's type where that is known, otherwise only if no other has its name. Not handled
here: routers.
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
"""Steps from a variable to its type: `x = x.Next()` must not go round for ever."""
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
        """Local names with the import paths."""
        return self.corpus.remembered(("go imports", source.path), lambda: dict(_imported(source)))

    @kept
    def folder_of(self, path: str) -> str | None:
        """The folder that an import path means: the longest one that it ends with."""
        parts = path.split("/")
        for start in range(len(parts)):
            folder = "/".join(parts[start:])
            if folder in self.folders:
                return folder
        matches = [each for each in self.folders if parts and each.endswith("/" + parts[-1])]
        return matches[0] if len(matches) == 1 else None

    @kept
    def functions(self, folder: str) -> dict[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for path in self.folders.get(folder, ()):
            source = self.corpus.source(path)
            for function in source.functions:
                if function.name and function.node.type != "func_literal":
                    found.setdefault(function.name, []).append(Place(source, function))
        return found

    @kept
    def variables(self, folder: str) -> dict[str, tuple[Source, Node]]:
        """Variables that a package declares outside functions."""
        found: dict[str, tuple[Source, Node]] = {}
        for path in self.folders.get(folder, ()):
            source = self.corpus.source(path)
            for each in source.assignments:
                if next(source.around(each.start), None) is None:
                    found.setdefault(each.name, (source, each.value))
        return found

    @kept
    def methods(self, name: str) -> list[Place]:
        """Every method of that name, anywhere."""
        named = (place for folder in sorted(self.folders) for place in self.functions(folder).get(name, ()))
        return [place for place in named if place.function.owner]

    def place(self, source: Source, node: Node | None, depth: int = 0) -> Place | None:
        """The function that an expression is or names."""
        node = unwrapped(node)
        if node is None or depth > MAX_DEPTH:
            return None
        if node.type == "func_literal":
            function = source.function_at(node)
            return Place(source, function) if function else None
        if node.type == "identifier":
            return self._named(source, node)
        if node.type == "selector_expression":
            return self._selected(source, node, depth)
        return None

    def called(self, source: Source, call: Node) -> Place | None:
        return self.place(source, call.child_by_field_name("function"))

    def _named(self, source: Source, node: Node) -> Place | None:
        name = source.text(node)
        value = source.value_of(name, node.start_byte)
        if value is not None and value.type == "func_literal":
            return self.place(source, value)
        plain = [each for each in self.functions(posixpath.dirname(source.path)).get(name, ()) if not each.function.owner]
        return plain[0] if plain else None

    def _selected(self, source: Source, node: Node, depth: int) -> Place | None:
        owner = node.child_by_field_name("operand")
        name = source.text(node.child_by_field_name("field"))
        package = self.imports(source).get(source.text(owner)) if owner is not None and owner.type == "identifier" else None
        if package is not None:
            folder = self.folder_of(package)
            plain = self.functions(folder).get(name, []) if folder is not None else []
            return next((each for each in plain if not each.function.owner), None)
        wanted = self.type_of(source, owner, depth + 1)
        found = [each for each in self.methods(name) if not wanted or each.function.owner == wanted]
        near = [each for each in found if posixpath.dirname(each.source.path) == posixpath.dirname(source.path)]
        return near[0] if len(near) == 1 else found[0] if len(found) == 1 or (wanted and found) else None

    def type_of(self, source: Source, node: Node | None, depth: int = 0) -> str:
        """The type of a variable, '' where it is not plain to see."""
        node = unwrapped(node)
        if node is None:
            return ""
        if node.type == "identifier":
            name = source.text(node)
            for function in source.around(node.start_byte):
                if found := _declared_type(source, function, name):
                    return found
            value = source.value_of(name, node.start_byte)
            return self._made(source, value, depth) if value is not None and value.id != node.id else ""
        return self._made(source, node, depth)

    def _made(self, source: Source, value: Node, depth: int) -> str:
        written = _TYPE.match(source.text(value, 200))
        if written:
            return written[1]
        chain = chain_at(source, value) if is_call(value) else None
        if chain is None or len(chain.links) != 1:
            return ""
        called = self.place(source, value.child_by_field_name("function"), depth + 1)
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


def _declared_type(source: Source, function: Function, name: str) -> str:
    """The type of a parameter or receiver of that name."""
    for field in ("receiver", "parameters"):
        listed = function.node.child_by_field_name(field)
        for each in listed.named_children[:50] if listed is not None else ():
            names = [source.text(part) for part in each.children_by_field_name("name")]
            if name in names:
                return source.text(each.child_by_field_name("type")).lstrip("*").rpartition(".")[2]
    return ""


def parameter_type(source: Source, function: Function, name: str) -> str:
    """The type of a parameter as it is written, package included."""
    listed = function.node.child_by_field_name("parameters")
    for each in listed.named_children[:50] if listed is not None else ():
        if name in [source.text(part) for part in each.children_by_field_name("name")]:
            return source.text(each.child_by_field_name("type")).lstrip("*")
    return ""
