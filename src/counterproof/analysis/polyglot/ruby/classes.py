"""Classes of Ruby programs by name, their ancestors and included modules, and Rails filters as written.

Invariant: a class is found by its full name, or by its last part if unique; filters of ancestors and included modules come first,
and `skip_before_action` removes one. Not handled here: routes, and whether a filter rejects a caller.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from counterproof.analysis.endpoints.verdict import Verdict, as_written, strongest
from counterproof.analysis.polyglot.chains import Chain, Link
from counterproof.analysis.polyglot.corpus import Corpus, Place
from counterproof.analysis.polyglot.literals import known_text, texts
from counterproof.analysis.polyglot.source import Class, Source
from counterproof.model.survey import Language

MAX_ANCESTORS = 24
_BEFORE = ("before_action", "before_filter", "prepend_before_action", "append_before_action")
_SKIP = ("skip_before_action", "skip_before_filter", "skip_authentication", "allow_unauthenticated_access")
_DEMANDS = (
    "load_and_authorize_resource", "authorize_resource", "http_basic_authenticate_with", "authenticate_with",
    "authorize_actions_for",
)  # fmt: skip
"""Class-level calls that run something before the actions."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A class or module with its full name."""

    source: Source
    node: Class
    name: str

    @property
    def start(self) -> int:
        return self.node.node.start_byte

    @property
    def end(self) -> int:
        return self.node.node.end_byte


@dataclass(frozen=True, slots=True, eq=False)
class _Filter:
    name: str
    verdict: Verdict
    only: frozenset[str]
    skipped: frozenset[str]


class Classes:
    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._known: dict[str, list[tuple[str, int]]] = {}
        self._last: dict[str, set[str]] = {}
        for source in corpus.sources(Language.RUBY):
            for index, name in enumerate(_full_names(source)):
                self._known.setdefault(name, []).append((source.path, index))
                self._last.setdefault(name.rpartition("::")[2], set()).add(name)

    def find(self, name: str, within: str = "") -> Found | None:
        """A class by the name that code inside another class uses."""
        bare = name.removeprefix("::")
        scope = within.split("::") if within else []
        spelled = ("::".join([*scope[:count], bare]) for count in range(len(scope), -1, -1))
        full = next((each for each in spelled if each in self._known), None)
        others = sorted(self._last.get(bare.rpartition("::")[2], ()))
        if full is None and len(others) == 1 and others[0].endswith(bare):
            full = others[0]
        if full is None:
            return None
        path, index = self._known[full][0]
        source = self.corpus.source(path)
        return Found(source, source.classes[index], full)

    def names(self) -> list[str]:
        return sorted(self._known)

    def parent(self, found: Found) -> str:
        node = found.node.node.child_by_field_name("superclass")
        return found.source.text(node.named_children[0]) if node is not None and node.named_children else ""

    def _above(self, found: Found) -> Found | None:
        """The superclass, if it is in the project."""
        parent = self.parent(found)
        above = self.find(parent, found.name.rpartition("::")[0]) if parent else None
        return above if above is not None and above.name != found.name else None

    def included(self, found: Found, *how: str) -> list[str]:
        calls = (chain.links[0] for chain in self._calls_in(found) if chain.base is None)
        return [found.source.text(each) for link in calls if link.name in (how or ("include",)) for each in link.arguments]

    def _lineage(self, found: Found) -> list[Found]:
        """A class and its included modules, then the same for its ancestors; nearest first."""
        return self.corpus.remembered(("lineage", found.name), lambda: self._line(found))

    def _line(self, found: Found) -> list[Found]:
        line: dict[str, Found] = {}
        queue = [found]
        while queue and len(line) < MAX_ANCESTORS:
            current = queue.pop(0)
            if current.name not in line:
                line[current.name] = current
                named = self.included(current, "include", "extend", "prepend")
                above = [*(self.find(each, current.name) for each in named), self._above(current)]
                queue += [each for each in above if each is not None]
        return list(line.values())

    def foreign_parent(self, found: Found) -> str:
        """The first superclass outside the project, '' if none."""
        for _ in range(MAX_ANCESTORS):
            above = self._above(found)
            if above is None:
                return self.parent(found)
            found = above
        return ""

    def _calls_in(self, found: Found) -> Iterator[Chain]:
        """Calls that run in the class body: not those inside methods."""
        for chain in self.corpus.chains(found.source):
            if found.start <= chain.start < found.end and next(found.source.around(chain.start), None) is None:
                yield chain

    def method(self, found: Found, name: str) -> Place | None:
        """A method of a class, or of the nearest ancestor or module that defines it."""
        own = ((each, function) for each in self._lineage(found) for function in each.source.by_name.get(name, ()))
        return next((Place(each.source, function) for each, function in own if each.start <= function.start < each.end), None)

    def before(self, found: Found, action: str) -> Verdict:
        """The filters before one action of a controller."""
        filters = self.corpus.remembered(("filters", found.name), lambda: self._filters(found))
        met = (each for each in filters if (not each.only or action in each.only) and action not in each.skipped)
        return strongest(each.verdict for each in met)

    def _filters(self, found: Found) -> list[_Filter]:
        active: list[_Filter] = []
        for each in reversed(self._lineage(found)):
            for link in (chain.links[0] for chain in self._calls_in(each) if chain.base is None):
                if link.name in _BEFORE:
                    active += _added(each.source, link)
                elif link.name in _SKIP:
                    active = [left for one in active for left in _without(one, each.source, link)]
                elif link.name in _DEMANDS:
                    active.append(
                        _Filter(link.name, as_written(each.source.path, link.line, link.name), *_limits(each.source, link))
                    )
        return active


def _full_names(source: Source) -> Iterator[str]:
    """Names of nested classes and modules spelled out, in the order of `source.classes`."""
    open_: list[tuple[int, str]] = []
    for each in source.classes:
        while open_ and open_[-1][0] <= each.node.start_byte:
            open_.pop()
        full = "::".join([name for _, name in open_[-1:]] + [each.name])
        open_.append((each.node.end_byte, full))
        yield full


def _added(source: Source, link: Link) -> list[_Filter]:
    """The filters of one line, each with its condition."""
    limits = _limits(source, link)
    names = [known_text(source, each) or source.text(each, 60) for each in link.arguments]
    names += [f"a block of {link.name}"] if link.block is not None else []
    asked = ((word, link.keyword(word)) for word in ("if", "unless"))
    condition = "".join(f" {word} {source.text(each, 60)}" for word, each in asked if each is not None)
    return [_Filter(name, as_written(source.path, link.line, name + condition), *limits) for name in names]


def _limits(source: Source, link: Link) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(texts(source, link.keyword("only"))), frozenset(texts(source, link.keyword("except")))


def _without(each: _Filter, source: Source, link: Link) -> list[_Filter]:
    """A filter after a line that skips some, for all actions or for those named."""
    names = {known_text(source, given) for given in link.arguments} or {"require_authentication"}  # Rails' own filter
    only, skipped = _limits(source, link)
    if each.name not in names:
        return [each]
    if only:
        return [replace(each, skipped=each.skipped | only)]
    return [replace(each, only=skipped)] if skipped else []
