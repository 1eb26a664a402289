"""Classes of Ruby programs by name: controllers, their ancestors and the modules they include.

Invariant: a class is found by its full name, or by its last part if only one has it. Not handled here: routes, filters.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.polyglot.chains import Chain
from counterproof.analysis.polyglot.corpus import Corpus, Place
from counterproof.analysis.polyglot.source import Class, Source
from counterproof.model.survey import Language

MAX_ANCESTORS = 24


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A class or module with its full name."""

    source: Source
    node: Class
    name: str


class Classes:
    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._known: dict[str, list[tuple[str, int]]] = {}
        self._last: dict[str, list[str]] = {}
        for source in corpus.sources(Language.RUBY):
            for index, name in enumerate(_full_names(source)):
                self._known.setdefault(name, []).append((source.path, index))
                self._last.setdefault(name.rpartition("::")[2], []).append(name)

    def find(self, name: str, within: str = "") -> Found | None:
        """A class as code inside another one would name it."""
        bare = name.removeprefix("::")
        scope = within.split("::") if within else []
        for count in range(len(scope), -1, -1):
            full = "::".join([*scope[:count], bare])
            if full in self._known:
                return self._at(full)
        others = sorted(set(self._last.get(bare.rpartition("::")[2], ())))
        return self._at(others[0]) if len(others) == 1 and others[0].endswith(bare) else None

    def _at(self, name: str) -> Found:
        path, index = self._known[name][0]
        source = self.corpus.source(path)
        return Found(source, source.classes[index], name)

    def names(self) -> Iterator[str]:
        yield from sorted(self._known)

    def parent(self, found: Found) -> str:
        node = found.node.node.child_by_field_name("superclass")
        return found.source.text(node.named_children[0]) if node is not None and node.named_children else ""

    def lineage(self, found: Found) -> list[Found]:
        """A class, what it includes, and the same for those above it; nearest first."""
        return self.corpus.remembered(("lineage", found.name), lambda: self._lineage(found))

    def _lineage(self, found: Found) -> list[Found]:
        line: list[Found] = []
        queue = [found]
        while queue and len(line) < MAX_ANCESTORS:
            current = queue.pop(0)
            if any(current.name == each.name for each in line):
                continue
            line.append(current)
            for chain in self.calls_in(current):
                if chain.base is None and chain.links[0].name in ("include", "extend", "prepend"):
                    named = [self.find(current.source.text(each), current.name) for each in chain.links[0].arguments]
                    queue += [each for each in named if each]
            above = self.find(self.parent(current), current.name.rpartition("::")[0]) if self.parent(current) else None
            queue += [above] if above and above.name != current.name else []
        return line

    def foreign_parent(self, found: Found) -> str:
        """The first superclass outside the project, '' without one."""
        current = found
        for _ in range(MAX_ANCESTORS):
            parent = self.parent(current)
            above = self.find(parent, current.name.rpartition("::")[0]) if parent else None
            if above is None or above.name == current.name:
                return parent
            current = above
        return ""

    def calls_in(self, found: Found) -> list[Chain]:
        """Calls that run while the class body does: not those inside methods."""
        start, end = found.node.node.start_byte, found.node.node.end_byte
        return [
            chain
            for chain in self.corpus.chains(found.source)
            if start <= chain.start < end and next(found.source.around(chain.start), None) is None
        ]

    def method(self, found: Found, name: str) -> Place | None:
        """A method of a class or of the nearest in its lineage that has it."""
        for each in self.lineage(found):
            own = [
                function
                for function in each.source.by_name.get(name, ())
                if each.node.node.start_byte <= function.start < each.node.node.end_byte
            ]
            if own:
                return Place(each.source, own[0])
        return None


def _full_names(source: Source) -> Iterator[str]:
    """Names of nested classes and modules spelled out, in the order of `source.classes`."""
    open_: list[tuple[int, str]] = []
    for each in source.classes:
        while open_ and open_[-1][0] <= each.node.start_byte:
            open_.pop()
        full = "::".join([name for _, name in open_[-1:]] + [each.name])
        open_.append((each.node.end_byte, full))
        yield full
