"""Definitions across files: the function, class or value that a dotted name refers to in the file that uses it.

Every lookup is bounded; a name that cannot be resolved is None, never a guess between two candidates. Not handled here: which
file an import refers to.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from counterproof.analysis.libraries import public_name, serves_requests
from counterproof.analysis.notes import Noted
from counterproof.analysis.program.file import File
from counterproof.analysis.program.modules import Modules
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Expr, Function, Name
from counterproof.analysis.syntax.walk import module_name, spelled
from counterproof.model.survey import Language

T = TypeVar("T")

MAX_HOPS = 8
"""Re-exports and assignments that a lookup follows."""

MAX_SEEN = 200
"""Limit on the module names that one lookup visits."""


@dataclass(frozen=True, slots=True)
class Definition:
    """The definition of a name and its location. A value is the expression assigned to the name."""

    outline: Outline
    node: Function | Class | Expr

    @property
    def path(self) -> str:
        return self.outline.path


Seen = dict[tuple[str, str], Definition | None]
"""Module names that a lookup visited, with their definitions."""


class Codebase:
    """Every Python module under review, without tests."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.paths = tuple(file.path for file in project.of_language(Language.PYTHON) if not file.test)
        self._outlines: dict[str, File] = {}
        self._modules = Modules((path, module_name(path)[0]) for path in self.paths)
        self._members: dict[tuple[str, str, int], tuple[Definition | None, Noted]] = {}
        self._looking: Seen | None = None
        self._memory: dict[tuple[object, ...], tuple[Any, Noted]] = {}

    def remembered(self, key: tuple[object, ...], compute: Callable[[], T]) -> T:
        """A result cached under this key, so that recursive code is read only once."""
        known = self._memory.get(key)
        if known is None:
            known = self._memory[key] = self.project.notes.watched(compute)
        else:
            self.project.notes.again(known[1])
        return known[0]

    def outline(self, path: str) -> File:
        self.project.notes.file(path)
        if path not in self._outlines:
            self._outlines[path] = File(self.project.module(path))
        return self._outlines[path]

    def outlines(self) -> Iterator[File]:
        """All outlines, in path order; the time limit is checked between files."""
        for path in self.paths:
            self.project.checkpoint()
            yield self.outline(path)

    def find_module(self, dotted: str, origin: str) -> str | None:
        """The file of a module, as an import in `origin` would find it."""
        return self._modules.find(dotted, origin)

    def define(self, dotted: str, origin: str, hops: int = 0) -> Definition | None:
        """The definition of a dotted name, in the project only."""
        for path, rest in self._modules.prefixes(dotted, origin):
            found = self.member(self.outline(path), rest, hops + 1)
            if found or (path != origin and rest):
                return found  # a package's own name takes precedence over its submodule
        return self.member(self.outline(origin), dotted.split("."), hops + 1) if origin in self._modules else None

    def member(self, outline: Outline, parts: list[str], hops: int = 0) -> Definition | None:
        """A name inside a module: its own definition, or an import.

        Each lookup starts afresh and visits a name of a module once; while it is being resolved, that name counts as not found.
        So star imports in a cycle end instead of multiplying, and the result does not depend on earlier lookups."""
        if not parts or hops > MAX_HOPS:
            return None
        if self._looking is not None:
            return self._further(self._looking, outline, parts, hops)
        key = (outline.path, ".".join(parts), hops)
        known = self._members.get(key)
        if known is None:
            known = self._members[key] = self.project.notes.watched(lambda: self._looked_up(outline, parts, hops))
        else:
            self.project.notes.again(known[1])
        return known[0]

    def _looked_up(self, outline: Outline, parts: list[str], hops: int) -> Definition | None:
        self._looking = {}
        try:
            return self._further(self._looking, outline, parts, hops)
        finally:
            self._looking = None

    def _further(self, seen: Seen, outline: Outline, parts: list[str], hops: int) -> Definition | None:
        key = (outline.path, ".".join(parts))
        if key not in seen and len(seen) < MAX_SEEN:
            seen[key] = None
            seen[key] = self._member(outline, parts, hops)
        return seen.get(key)

    def _member(self, outline: Outline, parts: list[str], hops: int) -> Definition | None:
        qualified = ".".join(parts)
        if qualified in outline.functions:
            return Definition(outline, outline.functions[qualified])
        if qualified in outline.classes:
            return Definition(outline, outline.classes[qualified])
        if parts[0] in outline.classes and len(parts) == 2:
            return self._class_attribute(outline, parts)
        return self._assigned_or_imported(outline, parts, hops)

    def _class_attribute(self, outline: Outline, parts: list[str]) -> Definition | None:
        value = outline.attributes(outline.classes[parts[0]]).get(parts[1])
        return Definition(outline, value) if value is not None else None

    def _assigned_or_imported(self, outline: Outline, parts: list[str], hops: int) -> Definition | None:
        if parts[0] in outline.module.imports:
            target = ".".join([outline.module.imports[parts[0]], *parts[1:]])
            return self.define(target, outline.path, hops + 1)
        assigned = outline.top_level.get(parts[0])
        if assigned and assigned.value is not None and len(parts) == 1:
            return self._followed(outline, assigned.value, hops)
        for module in outline.module.wildcards:
            path = self.find_module(module, outline.path)
            found = self.member(self.outline(path), parts, hops + 1) if path and path != outline.path else None
            if found:
                return found
        return None

    def _followed(self, outline: Outline, value: Expr, hops: int) -> Definition | None:
        if isinstance(value, Name | Attribute) and hops < MAX_HOPS:
            dotted = outline.dotted(value)
            parts = dotted.split(".") if dotted else []
            onward = self.define(dotted, outline.path, hops + 1) if parts and parts[0] else None
            return onward or Definition(outline, value)
        return Definition(outline, value)

    def meaning(self, outline: Outline, expr: Expr, function: Function | None = None) -> Definition | None:
        """The definition an expression refers to: a local value, a definition of this module, or an import."""
        if isinstance(expr, Name):
            local = outline.local(function, expr.id)
            if local and local.value is not None:
                if isinstance(local.value, Name) and local.value.id != expr.id:
                    return self.meaning(outline, local.value, None)
                return Definition(outline, local.value)
            inner = self._enclosed(outline, function, expr.id)
            if inner:
                return inner
        dotted = outline.dotted(expr)
        if not dotted:
            return Definition(outline, expr) if isinstance(expr, Call) else None
        own = self.member(outline, spelled(expr).split("."))
        return own or self.define(dotted, outline.path)

    def _enclosed(self, outline: Outline, function: Function | None, name: str) -> Definition | None:
        scope = function.qualified if function else ""
        while scope:
            if scope in outline.classes:  # methods see class attributes only through `self.`
                scope = scope.rpartition(".")[0]
                continue
            found = outline.functions.get(f"{scope}.{name}") or outline.classes.get(f"{scope}.{name}")
            if found:
                return Definition(outline, found)
            assigned = outline.local(outline.functions.get(scope), name)
            if assigned and assigned.value is not None:
                return Definition(outline, assigned.value)
            scope = scope.rpartition(".")[0]
        return None

    def constructor(self, outline: Outline, expr: Expr, function: Function | None = None) -> str:
        """The dotted name of an object's constructor: "flask.Flask" for `app` after `app = Flask(…)`."""
        found = Definition(outline, expr) if isinstance(expr, Call) else self.meaning(outline, expr, function)
        return self.name(found.outline, found.node.callee) if found and isinstance(found.node, Call) else ""

    def name(self, outline: Outline, expr: Expr, function: Function | None = None) -> str:
        """The name under which a package publishes what an expression refers to, through aliases, star imports, submodules and
        the project's re-exports: "flask.Blueprint" for `blueprints.Blueprint`. As written if the project defines it."""
        local = outline.visible(function, expr.id) if function is not None and isinstance(expr, Name) else None
        if local is not None and isinstance(local.value, Name | Attribute) and local.value is not expr:
            return self.name(outline, local.value)
        written = spelled(expr)
        known = ("published", outline.path, written)
        foreign = (
            self.remembered(known, lambda: self._published(outline, written.split("."), 0, set()))
            if written[:1] not in ".<"
            else ""
        )
        return public_name(foreign) if foreign else outline.dotted(expr)

    def _published(self, outline: Outline, parts: list[str], hops: int, asked: set[tuple[str, ...]]) -> str:
        """The name outside the project that a name of a module stands for; '' if the project defines it."""
        head, rest = parts[0], parts[1:]
        question = (outline.path, *parts)
        if hops > MAX_HOPS or question in asked or head in outline.functions or head in outline.classes:
            return ""
        asked.add(question)
        if head in outline.module.imports:
            target = ".".join([outline.module.imports[head], *rest])
            for path, inner in self._modules.prefixes(target, outline.path):
                return self._published(self.outline(path), inner, hops + 1, asked) if inner else ""
            return target
        assigned = outline.top_level.get(head)
        if assigned is not None:
            alias = assigned.value if isinstance(assigned.value, Name | Attribute) else None
            return self._published(outline, [*spelled(alias).split("."), *rest], hops + 1, asked) if alias is not None else ""
        starred = [(self.find_module(each, outline.path), each) for each in outline.module.wildcards]
        for path, _ in starred:
            if (
                path is not None
                and path != outline.path
                and (found := self._published(self.outline(path), parts, hops + 1, asked))
            ):
                return found
        candidates = (".".join([module, *parts]) for path, module in starred if path is None)
        return next((each for each in candidates if serves_requests((each,))), "")

    def ancestry(self, found: Definition) -> "Ancestry":
        """The project classes that a class inherits from, nearest first, and the external names among its bases."""
        own: list[Definition] = []
        foreign: list[str] = []
        queue = [found]
        while queue and len(own) < 64:
            current = queue.pop(0)
            if not isinstance(current.node, Class) or any(current.node is each.node for each in own):
                continue
            own.append(current)
            for base in current.node.bases:
                target = self.meaning(current.outline, base)
                if target and isinstance(target.node, Class):
                    queue.append(target)
                else:
                    foreign.append(self.name(current.outline, base))
        return Ancestry(tuple(own), tuple(dict.fromkeys(name for name in foreign if name)))

    def method(self, found: Definition, name: str) -> "tuple[Outline, Function] | None":
        """A method of a class or of the nearest ancestor in the project that defines it."""
        for each in self.ancestry(found).own:
            if isinstance(each.node, Class):
                method = each.outline.methods(each.node).get(name)
                if method:
                    return each.outline, method
        return None


@dataclass(frozen=True, slots=True)
class Ancestry:
    """The ancestors of a class; `own` starts with the class itself."""

    own: tuple[Definition, ...]
    foreign: tuple[str, ...]


@lru_cache(maxsize=4)
def codebase_of(project: Project) -> Codebase:
    """The codebase of a project, built once."""
    return Codebase(project)
