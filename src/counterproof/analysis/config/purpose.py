"""The purpose of a computed value, by the names at its uses: where it is assigned, stored, passed and returned.

The value is followed through assignments inside its function, a few steps at most. Names are hints, not proof, so a rule that
relies on them lowers its confidence. A scope is indexed once, so that many values in one function cost only their own uses.
"""

from functools import lru_cache
from itertools import pairwise

from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import paths_calling
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import laid_out
from counterproof.analysis.program.traversal import children, text_of
from counterproof.analysis.program.words import words, words_in
from counterproof.analysis.syntax import ir

MAX_STEPS = 4
MAX_NODES = 50_000
MAX_USES = 64
"""Uses of one value that are examined."""

MAX_ENTRIES = 500
"""Entries of a mapping whose keys are still read; a larger one is a table, not settings."""

_STORING = ("append", "add", "insert", "setdefault", "update", "set", "put", "push", "extend")


class _Scope:
    """One function, or a module without its functions: the parent of each node, and the uses of each name."""

    def __init__(self, outline: Outline, function: ir.Function | None) -> None:
        self.parents: dict[int, ir.Node] = {}
        self.mentions: dict[str, list[ir.Name]] = {}
        texts: set[str] = set()
        stack: list[ir.Node] = list(reversed(function.body if function else outline.module.body))
        left = MAX_NODES
        while stack and left:
            left -= 1
            node = stack.pop()
            if isinstance(node, ir.Name):
                self.mentions.setdefault(node.id, []).append(node)
            texts.update(words(text_of(node) or ""))
            if function is None and isinstance(node, ir.Function):
                continue
            inside = children(node)
            self.parents.update((id(each), node) for each in inside)
            stack.extend(reversed(inside))
        self.texts = frozenset(texts)

    def path_to(self, node: ir.Node) -> list[ir.Node]:
        """The nodes from the enclosing statement down to the node."""
        path = [node]
        while not isinstance(path[-1], ir.Assign | ir.Augment | ir.ExprStatement | ir.Return) and id(path[-1]) in self.parents:
            path.append(self.parents[id(path[-1])])
        return path[::-1]


@lru_cache(maxsize=32)
def _scope(outline: Outline, function: ir.Function | None) -> _Scope:
    return _Scope(outline, function)


class Purpose:
    """The words around one call."""

    def __init__(self, outline: Outline, site: Site[ir.Call]) -> None:
        self.site = site
        self.scope = _scope(outline, site.function)

    def given(self) -> frozenset[str]:
        """The words of the arguments' names."""
        return words_in(*self.site.node.arguments)

    def texts(self) -> frozenset[str]:
        """Words of the strings in the same function: file names, queries, messages."""
        return self.scope.texts

    def around(self) -> frozenset[str]:
        """Name words of the value's destinations: targets, keywords, keys, calls, and the function's own name if it is
        returned."""
        return self._followed()[0]

    def fed(self) -> frozenset[str]:
        """Name words of the data added to a hash object: `digest.update(password)`."""
        named = _targets(self.scope.path_to(self.site.node)[0])
        mentioned = [node for name in sorted(named) for node in self.scope.mentions.get(name, ())][:MAX_USES]
        methods = [self.scope.parents.get(id(node)) for node in mentioned]
        calls = [self.scope.parents.get(id(each)) for each in methods if isinstance(each, ir.Attribute) and each.name == "update"]
        return words_in(*(part for each in calls if isinstance(each, ir.Call) for part in each.arguments))

    def of_callers(self, codebase: Codebase) -> frozenset[str]:
        """The same words for the returned value and the arguments in callers of the function."""
        function = self.site.function
        if function is None or function.owner or not self._followed()[1]:
            return frozenset()
        found: set[str] = set()
        for outline in laid_out(codebase, paths_calling(codebase, function.name)):
            for site in outline.calls_of(function.name)[:MAX_USES]:
                meant = codebase.meaning(outline, site.node.callee, site.function)
                if meant is not None and meant.node is function:
                    purpose = Purpose(outline, site)
                    found |= purpose.around() | purpose.given()
        return frozenset(found)

    def _followed(self) -> tuple[frozenset[str], bool]:
        """The words, and whether the value is returned."""
        found: set[str] = set()
        returned = False
        carriers: set[str] = set()
        pending: list[ir.Node] = [self.site.node]
        for _ in range(MAX_STEPS):
            fresh: set[str] = set()
            for node in pending[:MAX_USES]:
                path = self.scope.path_to(node)
                if not _is_target(path):
                    found |= self._said_by(path)
                    returned = returned or isinstance(path[0], ir.Return)
                    fresh |= _targets(path[0])
            fresh -= carriers
            carriers |= fresh
            pending = [node for name in sorted(fresh) for node in self.scope.mentions.get(name, ())]
            if not pending:
                break
        return frozenset(found), returned

    def _said_by(self, path: list[ir.Node]) -> set[str]:
        statement = path[0]
        found = _context(path)
        if isinstance(statement, ir.Assign):
            found |= words_in(*statement.targets)
        elif isinstance(statement, ir.Augment):
            found |= words_in(statement.target)
        elif isinstance(statement, ir.Return) and self.site.function:
            found |= set(words(self.site.function.name))
        return found


def _is_target(path: list[ir.Node]) -> bool:
    """Return True if the node is the assignment target, not the value."""
    statement = path[0]
    inner = path[1] if len(path) > 1 else None
    return isinstance(statement, ir.Assign) and any(inner is target for target in statement.targets)


def _targets(statement: ir.Node) -> set[str]:
    if isinstance(statement, ir.Assign):
        return {target.id for target in statement.targets if isinstance(target, ir.Name)}
    return {statement.target.id} if isinstance(statement, ir.Augment) and isinstance(statement.target, ir.Name) else set()


def _context(path: list[ir.Node]) -> set[str]:
    """Name words on the path: the callee, the keyword, the key for storing."""
    found: set[str] = set()
    for outer, inner in pairwise(path):
        if isinstance(outer, ir.Call) and isinstance(inner, ir.Argument):
            found |= _callee_words(outer.callee)
            found |= set(words(inner.keyword))
            found |= {word for each in outer.arguments[:1] for word in words(text_of(each.value) or "")}
        elif isinstance(outer, ir.Mapping) and len(outer.entries) <= MAX_ENTRIES:
            found |= {word for key, value in outer.entries if value is inner for word in words(text_of(key) or "")}
    return found


def _callee_words(callee: ir.Expr) -> set[str]:
    """The method's name; for storing methods, also the receiver's names. A session with `add` is a database session."""
    if isinstance(callee, ir.Attribute):
        into = set(words_in(callee.value)) if callee.name in _STORING else set[str]()
        return set(words(callee.name)) | (into - {"session"} if callee.name == "add" else into)
    return set(words(callee.id)) if isinstance(callee, ir.Name) else set()
