"""Functions of the project that register routes for their callers: `route("get", "/notes", [login], getNotes)` (A68).

A function whose parameter becomes the path of a route on some router is one, and so is a function that hands its own parameter
on to one. Invariant: what a parameter becomes is read from the function's body; names decide nothing; the search ends.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.polyglot.corpus import SCRIPTS
from counterproof.analysis.polyglot.javascript.modules import FUNCTIONS, Modules
from counterproof.analysis.polyglot.literals import items, known_text
from counterproof.analysis.polyglot.nodes import inside, unwrapped
from counterproof.analysis.polyglot.routers import Key
from counterproof.analysis.polyglot.source import Function, Source

MAX_ROUNDS = 4
Finder = Callable[[Source, Node | None], Key | None]


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A value where it is written."""

    source: Source
    node: Node


Slot = int | Given
"""A parameter by its place, or what the function itself gives."""


@dataclass(frozen=True, slots=True, eq=False)
class Registrar:
    """What a function makes of its parameters. `verb` None: any method."""

    path: Slot
    verb: Slot | str | None
    handler: Slot
    router: Slot | Key
    before: tuple[Slot, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """One call that registers a route, with everything that its route is made of."""

    source: Source
    node: Node
    path: Given
    verb: Given | str | None
    handler: Given
    router: Key
    before: tuple[Given, ...]


def registering_calls(modules: Modules, router_of: Finder, verbs: dict[str, str]) -> Iterator[Call]:
    """Every call of a registrar that names a path."""
    found = dict(_registrars(modules, router_of, verbs))
    calls = [(source, node) for source in modules.corpus.sources(*SCRIPTS) for node in source.calls] if found else []
    for _ in range(MAX_ROUNDS):
        handed_on: dict[tuple[str, int], Registrar] = {}
        for source, node in calls:
            registrar = _called(modules, source, node, found)
            owner = _owner(modules, source, node, registrar) if registrar else None
            if registrar and owner and (source.path, owner.start) not in found:
                handed_on[source.path, owner.start] = _filled(modules, source, node, registrar, owner)
        if not handed_on:
            break
        found.update(handed_on)
    for source, node in calls:
        registrar = _called(modules, source, node, found)
        if registrar and _owner(modules, source, node, registrar) is None and (call := _call(router_of, source, node, registrar)):
            yield call


def _registrars(modules: Modules, router_of: Finder, verbs: dict[str, str]) -> Iterator[tuple[tuple[str, int], Registrar]]:
    """Functions that register a route themselves, with a parameter as its path."""
    for source in modules.corpus.sources(*SCRIPTS):
        for node in source.calls:
            callee = node.child_by_field_name("function")
            given = _arguments(node)
            if callee is None or callee.type not in ("member_expression", "subscript_expression") or len(given) < 2:
                continue
            function, path = _parameter(modules, source, given[0])
            router = router_of(source, callee.child_by_field_name("object")) if function else None
            word = verbs.get(source.text(callee.child_by_field_name("property")))
            if function is None or router is None or (callee.type == "member_expression" and word is None):
                continue
            verb = word or _slot(modules, source, callee.child_by_field_name("index"), function)
            between = (_slot(modules, source, part, function) for each in given[1:-1] for part in items(each))
            before = tuple(slot for slot in between if slot is not None)
            taken = {path, *(slot for slot in (verb, *before) if isinstance(slot, int))}
            handler = _handler(modules, source, given[-1], function, taken)
            if handler is not None:
                yield (source.path, function.start), Registrar(path, verb, handler, _router(function, router), before)


def _router(function: Function, router: Key) -> Slot | Key:
    """The router, or the parameter that holds it."""
    name = router[2].partition(".")[2]
    return function.parameters.index(name) if router[0] == "parameter" and name in function.parameters else router


def _handler(modules: Modules, source: Source, node: Node, function: Function, taken: set[int]) -> Slot | None:
    """The parameter that answers: the last argument itself, or what a function in its place calls or hands on."""
    node = unwrapped(node) or node
    if node.type not in FUNCTIONS:
        return _slot(modules, source, node, function)
    called = [each.child_by_field_name("function") for each in inside(node) if each.type == "call_expression"]
    handed = [argument for each in inside(node) if each.type == "call_expression" for argument in _arguments(each)]
    for each in (*called, *handed):
        owner, place = _parameter(modules, source, each)
        if owner is function and place not in taken:
            return place
    return None


def _parameter(modules: Modules, source: Source, node: Node | None) -> tuple[Function | None, int]:
    """The function whose parameter an expression is, and which one."""
    node = unwrapped(node)
    if node is not None and node.type == "spread_element":
        node = unwrapped(node.named_children[0] if node.named_children else None)
    if node is None or node.type != "identifier":
        return None, -1
    found = modules.meaning(source, node)
    if found is None or found.parameter is None or found.source is not source:
        return None, -1
    function, name = found.parameter
    return function, function.parameters.index(name)


def _slot(modules: Modules, source: Source, node: Node | None, function: Function) -> Slot | None:
    owner, place = _parameter(modules, source, node)
    if owner is function:
        return place
    return Given(source, node) if node is not None else None


def _arguments(call: Node) -> list[Node]:
    given = call.child_by_field_name("arguments")
    return [each for each in given.named_children if each.type != "comment"] if given is not None else []


def _called(modules: Modules, source: Source, node: Node, found: dict[tuple[str, int], Registrar]) -> Registrar | None:
    callee = node.child_by_field_name("function")
    if callee is None or callee.type not in ("identifier", "member_expression"):
        return None
    place = modules.place(source, callee)
    return found.get((place.source.path, place.function.start)) if place else None


def _owner(modules: Modules, source: Source, node: Node, registrar: Registrar) -> Function | None:
    """The function whose own parameter this call hands on as the path."""
    path = _value(source, node, registrar.path)
    return _parameter(modules, path.source, path.node)[0] if path else None


def _value(source: Source, node: Node, slot: Slot) -> Given | None:
    if isinstance(slot, Given):
        return slot
    given = _arguments(node)
    return Given(source, given[slot]) if slot < len(given) else None


def _filled(modules: Modules, source: Source, node: Node, registrar: Registrar, owner: Function) -> Registrar:
    """The registrar that a function is which calls another one."""

    def mapped(slot: Slot) -> Slot:
        value = _value(source, node, slot)
        own = _slot(modules, value.source, value.node, owner) if value and value.source is source else None
        return own if own is not None else value or slot

    verb = mapped(registrar.verb) if isinstance(registrar.verb, int | Given) else registrar.verb
    router = registrar.router if isinstance(registrar.router, tuple) else mapped(registrar.router)
    before = tuple(map(mapped, registrar.before))
    return Registrar(mapped(registrar.path), verb, mapped(registrar.handler), router, before)


def _call(router_of: Finder, source: Source, node: Node, registrar: Registrar) -> Call | None:
    path, handler = _value(source, node, registrar.path), _value(source, node, registrar.handler)
    verb = _value(source, node, registrar.verb) if isinstance(registrar.verb, int | Given) else registrar.verb
    held = registrar.router if isinstance(registrar.router, tuple) else _value(source, node, registrar.router)
    router = router_of(held.source, held.node) if isinstance(held, Given) else held
    if path is None or handler is None or router is None:
        return None
    before = tuple(value for slot in registrar.before if (value := _value(source, node, slot)))
    return Call(source, node, path, verb, handler, router, before)


def method_of(verb: Given | str | None, verbs: dict[str, str]) -> str:
    """The method that a call names, also through a list that is taken apart; ANY where it cannot be told."""
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
