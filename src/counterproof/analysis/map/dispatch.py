"""Methods that a handler calls by a name from the request: `getattr(api, name)(…)`. Each of them is an entry point of its own.

Invariant: the object's class is known; a method's decorator counts as a right only if it stores its argument in a table that the
class itself reads. Not handled here: guards of the handler.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.endpoints.understanding import asked_by, written
from counterproof.analysis.map.places import Places, names_in_body
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.syntax.ir import Assign, Call, Class, Const, Function, Index, Name
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.location import at
from counterproof.model.recon import Asks, WrittenGuard

MAX_METHODS = 500


@dataclass(frozen=True, slots=True)
class Dispatched:
    """One method, with the rights its decorators require. `parameter` is the handler's parameter that names it."""

    outline: Outline
    method: Function
    parameter: str
    guards: tuple[WrittenGuard, ...]
    note: str


def dispatched(places: Places, outline: Outline, handler: Function) -> Iterator[Dispatched]:
    """The methods that a handler calls by name."""
    parameters = {each.name for each in handler.parameters}
    for call in places.program.calls_in(handler):
        chosen = call.callee
        if not isinstance(chosen, Call) or not isinstance(chosen.callee, Name) or chosen.callee.id != "getattr":
            continue
        given = [each.value for each in chosen.arguments]
        if len(given) > 1 and isinstance(given[1], Name) and given[1].id in parameters:
            owner = places.program.class_of(places.program.file(outline.path), given[0], handler)
            owner = owner or places.class_of_receiver(outline, handler, given[0])
            if owner is not None and isinstance(owner.node, Class):
                yield from _methods(places, owner, given[1].id, handler)
                return


@dataclass(frozen=True, slots=True)
class _Kept:
    """The data that a decorator stores about a method in tables that the class reads."""

    name: str
    right: str
    line: int
    tables: frozenset[str]

    @property
    def is_right(self) -> bool:
        return "." in self.right or self.right.isupper()


def _methods(places: Places, owner: Definition, parameter: str, handler: Function) -> Iterator[Dispatched]:
    assert isinstance(owner.node, Class)
    methods = [each for each in owner.outline.methods(owner.node).values() if not each.name.startswith("_")][:MAX_METHODS]
    read = frozenset[str]().union(*(names_in_body(each) for each in owner.outline.methods(owner.node).values()))
    kept = {each.qualified: list(_kept(places, owner.outline, each, read)) for each in methods}
    listed = [each for each in methods if kept[each.qualified]] or methods
    rights = {each.name: each.tables for given in kept.values() for each in given if each.is_right}
    for each in listed:
        own = kept[each.qualified]
        guards = tuple(WrittenGuard(at(owner.path, one.line), "", Asks.ROLE, one.right) for one in own if one.is_right)
        bare = [name for name in sorted(rights) if not any(name == one.name for one in own)][:1]
        for name in bare:
            guards += tuple(_asked_without(places, owner, handler, rights[name]))
        asked = sum(any(one.name == name for one in kept[other.qualified]) for name in bare for other in listed)
        note = "".join(f"no @{name}, which {asked} of {len(listed)} methods have" for name in bare)
        yield Dispatched(owner.outline, each, parameter, guards, note)


def _asked_without(places: Places, owner: Definition, handler: Function, tables: frozenset[str]) -> Iterator[WrittenGuard]:
    """The rights that the lookup method requires of methods without a table entry."""
    assert isinstance(owner.node, Class)
    called = {last_name(each.callee) for each in places.program.calls_in(handler)}
    for each in owner.outline.methods(owner.node).values():
        if each.name in called and names_in_body(each) & tables:
            asked = asked_by(places.codebase, owner.outline, each, predicate=True, absent=tables)
            if asked.asks is Asks.ROLE:
                yield WrittenGuard(at(owner.path, each.line), "", asked.asks, asked.right)


def _kept(places: Places, outline: Outline, method: Function, read: frozenset[str]) -> Iterator[_Kept]:
    """Decorators that store something in a table that the class reads."""
    for each in method.decorators:
        value = each.value
        found = places.codebase.meaning(outline, value.callee if isinstance(value, Call) else value)
        argument = written(value.arguments[0].value) if isinstance(value, Call) and value.arguments else ""
        if found and isinstance(found.node, Call):  # `post = http_method("POST")`
            first = found.node.arguments[0].value if found.node.arguments else None
            argument = str(first.value).lower() if isinstance(first, Const) else ""
            found = places.codebase.meaning(found.outline, found.node.callee)
        tables = _tables(found.outline, found.node) & read if found and isinstance(found.node, Function) else frozenset[str]()
        if tables:
            name = value.callee if isinstance(value, Call) else value
            yield _Kept(written(name), argument, each.line, tables)


def _tables(outline: Outline, decorator: Function) -> frozenset[str]:
    """Names of the tables that a decorator writes to."""
    inner = [each for each in outline.module.functions if each.qualified.startswith(f"{decorator.qualified}.")]
    return frozenset(
        target.value.id
        for each in (decorator, *inner)
        for node in walk(*each.body)
        if isinstance(node, Assign)
        for target in node.targets
        if isinstance(target, Index) and isinstance(target.value, Name)
    )
