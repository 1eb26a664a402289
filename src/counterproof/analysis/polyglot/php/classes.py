"""Classes and functions of PHP programs by name, for resolving handlers.

Invariant: a class is found by its name and, if two share it, by the namespace matching its folder; otherwise not at all. Not
handled here: routes.
"""

from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.polyglot.chains import is_call
from counterproof.analysis.polyglot.corpus import Corpus, Place
from counterproof.analysis.polyglot.literals import items, known_text
from counterproof.analysis.polyglot.source import Class, Source
from counterproof.model.survey import Language

FUNCTIONS = ("anonymous_function", "arrow_function")


class Classes:
    """The classes of one project."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.known: dict[str, list[str]] = {}
        self.functions: dict[str, list[str]] = {}
        for source in corpus.sources(Language.PHP):
            for each in source.classes:
                if each.name:
                    self.known.setdefault(each.name, []).append(source.path)
            for function in source.functions:
                if function.name and not function.owner and function.node.type == "function_definition":
                    self.functions.setdefault(function.name, []).append(source.path)

    def find(self, name: str) -> tuple[Source, Class] | None:
        """A class by name, with or without a namespace."""
        parts = [part for part in name.replace("/", "\\").split("\\") if part]
        found = self.known.get(parts[-1], []) if parts else []
        for count in range(min(len(parts) - 1, 4), 0, -1):
            if len(found) <= 1:
                break
            ending = "/".join(parts[-1 - count :]).lower() + ".php"
            near = [each for each in found if each.lower().endswith("/" + ending)]
            found = near or found
        source = self.corpus.source(found[0]) if len(found) == 1 else None
        return next(((source, each) for each in source.classes if each.name == parts[-1]), None) if source is not None else None

    def imported(self, source: Source, name: str) -> str:
        """A class name as expanded by `use` statements."""
        bare = name.lstrip("\\")
        for node in source.imports:
            alias = source.text(node.child_by_field_name("alias"))
            full = source.text(next(iter(node.named_children), None)).lstrip("\\")
            if bare in (alias, full.rpartition("\\")[2]):
                return full
        return bare

    def method(self, name: str, method: str) -> Place | None:
        """The method of a class or of its nearest ancestor that has it."""
        own = (
            (source, each)
            for source, owner in self.ancestry(name)
            for each in source.by_name.get(method, ())
            if each.owner == owner.name
        )
        return next((Place(*each) for each in own), None)

    def parent(self, source: Source, owner: Class) -> str:
        """The name of a class's parent."""
        for child in owner.node.named_children:
            if child.type == "base_clause" and child.named_children:
                return self.imported(source, source.text(child.named_children[0]))
        return ""

    def ancestry(self, name: str) -> Iterator[tuple[Source, Class]]:
        """A class and its ancestors in the project."""
        found = self.find(name)
        for _ in range(8):
            if found is None:
                return
            yield found
            parent = self.parent(*found)
            found = self.find(parent) if parent else None

    def place(self, source: Source, node: Node | None) -> Place | None:
        """The function that a handler expression refers to."""
        if node is None:
            return None
        if node.type in FUNCTIONS:
            function = source.function_at(node)
            return Place(source, function) if function else None
        text = known_text(source, node) or ""
        paths = self.functions.get(text, [])
        there = self.corpus.source(paths[0]) if len(paths) == 1 else None
        return next((Place(there, each) for each in there.by_name.get(text, ()) if not each.owner), None) if there else None

    def named(self, source: Source, node: Node | None) -> tuple[str, str]:
        """Class and method of `[C::class, "m"]`, `"C@m"`, `"C::m"`, `"C:m"`, `C::class`."""
        if node is None:
            return "", ""
        listed = items(node) if node.type == "array_creation_expression" else ()
        if len(listed) == 2:
            return self._class(source, listed[0]), known_text(source, listed[1]) or ""
        text = known_text(source, node) if not is_call(node) else None
        for mark in ("@", "::", ":"):
            if text and mark in text:
                owner, _, method = text.partition(mark)
                return owner, method
        owner = self._class(source, node)
        return (owner, "__invoke") if owner else ("", "")

    def _class(self, source: Source, node: Node) -> str:
        written = source.text(node)
        if written.endswith("::class"):
            return self.imported(source, written.removesuffix("::class"))
        text = known_text(source, node) or ""
        return text if text[:1].isupper() or "\\" in text else ""
