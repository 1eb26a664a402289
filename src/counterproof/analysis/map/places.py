"""Functions of a project by location, in Python and JavaScript, and the calls between them.

Invariant: a call leads only to a resolved function; a receiver is assigned a class only if exactly one class of the project has
all methods called on it. Not handled here: what functions do.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.endpoints.understanding import spelled
from counterproof.analysis.map.operations import answers_of, dropped_in, literals_of
from counterproof.analysis.polyglot.chains import is_call
from counterproof.analysis.polyglot.corpus import SCRIPTS, Corpus
from counterproof.analysis.polyglot.javascript import modules_of
from counterproof.analysis.polyglot.nodes import inside
from counterproof.analysis.polyglot.source import Source
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Const, Expr, Function, Index, Name
from counterproof.analysis.syntax.walk import walk

MAX_REACHED = 3_000
MAX_DEPTH = 12
MIN_METHODS = 3
"""Methods that must be called on a receiver before its class is inferred."""
TOLERATED = 10
"""One in this many methods may be missing from the class: some are added from outside, such as a translator named `_`."""

Key = tuple[str, int]
"""A function: its file and the line of its name."""


@dataclass(frozen=True, slots=True)
class Called:
    """One call that a function makes. `literals` are the strings and numbers it passes. `counts` is True if the caller stands for
    the function: it passes values, returns the result, or calls it only for its effect."""

    target: Key
    name: str
    line: int
    literals: tuple[str, ...] = ()
    counts: bool = True


class Places:
    """The functions of one project."""

    def __init__(self, project: Project, program: EnteredProgram, corpus: Corpus) -> None:
        self.project = project
        self.program = program
        self.codebase: Codebase = program.codebase
        self.corpus = corpus
        self._python = frozenset(self.codebase.paths)
        self._scripts = frozenset(source.path for source in corpus.sources(*SCRIPTS))
        self._spans: dict[str, tuple[list[int], list[tuple[int, int, int, str]]]] = {}
        self._calls: dict[Key, tuple[Called, ...]] = {}
        self._by_file: dict[str, dict[int, tuple[Called, ...]]] = {}

    def function_at(self, path: str, line: int) -> tuple[Key, str] | None:
        """The innermost function around a line, with its name."""
        starts, spans = self._spans_of(path)
        for index in range(bisect_right(starts, line) - 1, -1, -1):
            start, end, named, name = spans[index]
            if start <= line <= end:
                return (path, named), name
        return None

    def _spans_of(self, path: str) -> tuple[list[int], list[tuple[int, int, int, str]]]:
        if path not in self._spans:
            found = sorted(self._functions(path))
            self._spans[path] = [each[0] for each in found], found
        return self._spans[path]

    def _functions(self, path: str) -> Iterator[tuple[int, int, int, str]]:
        if path in self._python:
            for each in self.codebase.outline(path).module.functions:
                first = min((decorator.line for decorator in each.decorators), default=each.line)
                yield first, each.end, each.line, each.qualified
        elif path in self._scripts:
            for one in self.corpus.source(path).functions:
                yield one.node.start_point[0] + 1, one.node.end_point[0] + 1, one.line, one.qualified or "<anonymous>"

    def calls_of(self, key: Key) -> tuple[Called, ...]:
        """The calls in a function, including its nested functions."""
        if key not in self._calls:
            self._calls[key] = tuple(dict.fromkeys(self._resolved(key)))
        return self._calls[key]

    def _resolved(self, key: Key) -> Iterator[Called]:
        path, line = key
        if path in self._python:
            outline = self.codebase.outline(path)
            function = next((each for each in outline.module.functions if each.line == line), None)
            if function is not None:
                yield from self._python_calls(outline, function)
        elif path in self._scripts:
            source = self.corpus.source(path)
            one = next((each for each in source.functions if each.line == line), None)
            if one is not None:
                yield from self._script_calls(source, one.node)

    def _python_calls(self, outline: Outline, function: Function) -> Iterator[Called]:
        counting = dropped_in(function) | answers_of(function)
        for call in self.program.calls_in(function):
            for path, callee in self._callees(outline, function, call):
                yield Called(
                    (path, callee.line),
                    callee.qualified,
                    call.line,
                    literals_of(call),
                    bool(call.arguments) or id(call) in counting,
                )

    def _callees(self, outline: Outline, function: Function, call: Call) -> Iterator[tuple[str, Function]]:
        callees = self.program.callees(self.program.file(outline.path), call)
        yield from ((callee.ground.path, callee.function) for callee in callees)
        if not callees and isinstance(call.callee, Attribute):
            owner = self.class_of_receiver(outline, function, call.callee.value)
            method = self.codebase.method(owner, call.callee.name) if owner else None
            if method:
                yield method[0].path, method[1]

    def _script_calls(self, source: Source, node: object) -> Iterator[Called]:
        modules = modules_of(self.corpus)
        for each in inside(node):  # pyright: ignore[reportArgumentType]
            place = modules.called(source, each) if is_call(each) else None
            if place is not None:
                yield Called((place.source.path, place.function.line), place.function.qualified, each.start_point[0] + 1)

    # --- receivers ----------------------------------------------------------------------------------------------------

    def class_of_receiver(self, outline: Outline, function: Function | None, receiver: Expr) -> Definition | None:
        """The only class of the project that has every method called on values of the same origin."""
        origin = origin_of(outline, function, receiver)
        if not origin:
            return None
        called = self._called_on().get(origin, set())
        if len(called) < MIN_METHODS:
            return None
        found = [each for each, methods in self._classes() if len(called - methods) * TOLERATED <= len(called)]
        return found[0] if len(found) == 1 else None

    def _called_on(self) -> dict[str, set[str]]:
        """The names of all methods called on values, by the origin of the value."""

        def laid_out() -> dict[str, set[str]]:
            every: dict[str, set[str]] = {}
            for listed in told(self.codebase, _methods_called).values():
                for origin, name in listed:
                    every.setdefault(origin, set()).add(name)
            return every

        return self.project.once("map: methods by origin", laid_out)

    def _classes(self) -> list[tuple[Definition, frozenset[str]]]:
        def laid_out() -> list[tuple[Definition, frozenset[str]]]:
            return [
                (Definition(outline, each), frozenset(self._methods(Definition(outline, each))))
                for outline in self.codebase.outlines()
                for each in outline.module.classes
            ]

        return self.project.once("map: classes", laid_out)

    def _methods(self, found: Definition) -> Iterator[str]:
        for each in self.codebase.ancestry(found).own:
            if isinstance(each.node, Class):
                yield from each.outline.methods(each.node)

    def reached_from(self, key: Key) -> frozenset[Key]:
        """All functions that a call of this function can run."""
        seen = {key}
        front = [key]
        for _ in range(MAX_DEPTH):
            front = [each.target for one in front for each in self.calls_of(one) if each.target not in seen]
            seen.update(front)
            front = list(dict.fromkeys(front))
            if not front or len(seen) > MAX_REACHED:
                break
        return frozenset(seen)


def origin_of(outline: Outline, function: Function | None, receiver: Expr) -> str:
    """The origin of a receiver as text: the expression assigned to a local name, or a chain of attributes."""
    if isinstance(receiver, Name):
        made = outline.visible(function, receiver.id)
        if made is None or made.value is None or isinstance(made.value, Call):
            return ""
        receiver = made.value
    text = spelled_origin(receiver)
    return text if "." in text or "[" in text else ""


def spelled_origin(value: Expr) -> str:
    if isinstance(value, Index) and isinstance(value.key, Const):
        return f"{spelled(value.value)}[{value.key.value!r}]"
    return spelled(value) if isinstance(value, Attribute) else ""


@trait("methods called by origin")
def _methods_called(outline: Outline) -> list[list[str]]:
    found: set[tuple[str, str]] = set()
    for site in outline.of(Call):
        callee = site.node.callee
        if isinstance(callee, Attribute):
            origin = origin_of(outline, site.function, callee.value)
            if origin:
                found.add((origin, callee.name))
    return [list(each) for each in sorted(found)]


def names_in_body(function: Function) -> frozenset[str]:
    """The plain names used in a function."""
    return frozenset(node.id for node in walk(*function.body) if isinstance(node, Name))
