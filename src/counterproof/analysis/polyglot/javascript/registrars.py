"""Project functions that register routes for their callers: `route("get", "/notes", [login], getNotes)` (A68).

A route whose path is a parameter is written out for every call of its function, with the call's arguments in place of the
parameters, until the path is no parameter any more. Invariant: the use of a parameter is read from the function's body; names
decide nothing; the search terminates.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from counterproof.analysis.polyglot.corpus import SCRIPTS
from counterproof.analysis.polyglot.javascript.modules import FUNCTIONS, Modules
from counterproof.analysis.polyglot.literals import items, known_text
from counterproof.analysis.polyglot.nodes import inside, unwrapped
from counterproof.analysis.polyglot.routers import Key
from counterproof.analysis.polyglot.source import Function, Source

MAX_HANDED_ON = 4
Finder = Callable[[Source, Node | None], Key | None]


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A value and its location."""

    source: Source
    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """One call that registers a route, with all parts of the route. `verb` None: any method."""

    source: Source
    node: Node
    path: Given
    verb: Given | str | None
    handler: Given
    router: Key
    before: tuple[Given, ...]


def registering_calls(modules: Modules, router_of: Finder, verbs: dict[str, str]) -> Iterator[Call]:
    """Every call of a registering function, at any distance, that says the path."""
    return _Registrars(modules, router_of, verbs).calls()


class _Registrars:
    def __init__(self, modules: Modules, router_of: Finder, verbs: dict[str, str]) -> None:
        self.modules = modules
        self.router_of = router_of
        self.verbs = verbs

    def calls(self) -> Iterator[Call]:
        for source in self.modules.corpus.sources(*SCRIPTS):
            for node in source.calls:
                written = self._written(source, node)
                function = self._parameter(written.path)[0] if written else None
                if written is not None and function is not None:
                    yield from self._written_out(written, function, 0)

    def _written(self, source: Source, node: Node) -> Call | None:
        """`router[method](path, …, handler)` in a function whose parameter is the path."""
        callee, given = node.child_by_field_name("function"), _arguments(node)
        if callee is None or callee.type not in ("member_expression", "subscript_expression") or len(given) < 2:
            return None
        path = Given(source, given[0])
        function, place = self._parameter(path)
        router = self.router_of(source, callee.child_by_field_name("object")) if function else None
        word = self.verbs.get(source.text(callee.child_by_field_name("property")))
        if function is None or router is None or (callee.type == "member_expression" and word is None):
            return None
        index = callee.child_by_field_name("index")
        verb = word or (Given(source, index) if index is not None else None)
        before = tuple(Given(source, part) for each in given[1:-1] for part in items(each))
        taken = {place, *(self._parameter(each)[1] for each in (verb, *before) if isinstance(each, Given))}
        handler = self._handler(source, given[-1], function, taken)
        return Call(source, node, path, verb, handler, router, before) if handler is not None else None

    def _handler(self, source: Source, node: Node, function: Function, taken: set[int]) -> Given | None:
        """The last argument itself, or the parameter that a function in its place calls or passes on."""
        node = unwrapped(node) or node
        if node.type not in FUNCTIONS:
            return Given(source, node)
        inner = [each for each in inside(node) if each.type == "call_expression"]
        called = [callee for each in inner if (callee := each.child_by_field_name("function"))]
        for each in (*called, *(argument for call in inner for argument in _arguments(call))):
            owner, place = self._parameter(Given(source, each))
            if owner is function and place not in taken:
                return Given(source, unwrapped(each) or each)
        return None

    def _parameter(self, given: Given) -> tuple[Function | None, int]:
        """The function and index of the parameter that an expression refers to."""
        node = unwrapped(given.node)
        found = self.modules.meaning(given.source, node) if node is not None and node.type == "identifier" else None
        if found is None or found.parameter is None or found.source is not given.source:
            return None, -1
        function, name = found.parameter
        return function, function.parameters.index(name)

    def _written_out(self, route: Call, function: Function, depth: int) -> Iterator[Call]:
        """The route for every call of its function."""
        for source, node in self._calls_of(route.path.source, function):
            given = _arguments(node)

            def filled(part: Given, source: Source = source, given: list[Node] = given) -> Given | None:
                owner, place = self._parameter(part)
                if owner is not function:
                    return part
                return Given(source, given[place]) if place < len(given) else None

            path, handler = filled(route.path), filled(route.handler)
            verb = filled(route.verb) if isinstance(route.verb, Given) else route.verb
            router = self._router(route, function, source, given)
            if path is None or handler is None or router is None:
                continue
            before = tuple(part for each in route.before if (part := filled(each)))
            call = replace(route, source=source, node=node, path=path, verb=verb, handler=handler, router=router, before=before)
            owner = self._parameter(path)[0]
            if owner is None:
                yield call
            elif depth < MAX_HANDED_ON and owner is not function:
                yield from self._written_out(call, owner, depth + 1)

    def _router(self, route: Call, function: Function, source: Source, given: list[Node]) -> Key | None:
        """The router, or the argument for the parameter that holds it."""
        kind, path, held = route.router
        start, _, name = held.partition(".")
        if (kind, path, start) != (
            "parameter",
            route.path.source.path,
            f"{function.start:09}",
        ) or name not in function.parameters:
            return route.router
        place = function.parameters.index(name)
        return self.router_of(source, given[place]) if place < len(given) else None

    def _calls_of(self, source: Source, function: Function) -> list[tuple[Source, Node]]:
        """All calls of a function of the project."""
        every = self.modules.corpus.remembered(("calls of functions",), self._every_call)
        return every.get((source.path, function.start), [])

    def _every_call(self) -> dict[tuple[str, int], list[tuple[Source, Node]]]:
        found: dict[tuple[str, int], list[tuple[Source, Node]]] = {}
        for source in self.modules.corpus.sources(*SCRIPTS):
            for node in source.calls:
                callee = node.child_by_field_name("function")
                plain = callee is not None and callee.type in ("identifier", "member_expression")
                place = self.modules.place(source, callee) if plain else None
                if place is not None:
                    found.setdefault((place.source.path, place.function.start), []).append((source, node))
        return found


def _arguments(call: Node) -> list[Node]:
    given = call.child_by_field_name("arguments")
    return [each for each in given.named_children if each.type != "comment"] if given is not None else []


def method_of(verb: Given | str | None, verbs: dict[str, str]) -> str:
    """The HTTP method in a call, also through a destructured list; ANY if unknown."""
    if verb is None or isinstance(verb, str):
        return verb or "ANY"
    said = known_text(verb.source, verb.node) or _taken_apart(verb)
    return verbs.get(said.lower(), said.upper() if said.isalpha() else "ANY")


def _taken_apart(verb: Given) -> str:
    """`const [GET, POST] = ["get", "post"]`."""
    name = verb.source.text(verb.node)
    for each in inside(verb.source.root):
        if each.type == "array_pattern":
            names = [verb.source.text(part) for part in each.named_children]
            value = each.parent.child_by_field_name("value") if each.parent is not None else None
            if name in names and value is not None and len(given := items(value)) > names.index(name):
                return known_text(verb.source, given[names.index(name)]) or ""
    return ""
