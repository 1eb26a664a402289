"""Methods that a handler calls by a name from the request: `getattr(api, name)(…)`. Each of them is an entry point of its own.

Always holds: the object's class is known; a decorator of a method is a right only where it keeps its argument in a table that the
class itself reads. Does not belong here: guards of the handler.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.endpoints.understanding import written
from counterproof.analysis.map.places import Places, names_in_body
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.syntax.ir import Assign, Call, Class, Const, Function, Index, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import at
from counterproof.model.recon import Asks, WrittenGuard

MAX_METHODS = 500


@dataclass(frozen=True, slots=True)
class Dispatched:
    """One method, with what its decorators ask for. `parameter` is the handler's parameter that names it."""

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
                yield from _methods(places, owner, given[1].id)
                return


def _methods(places: Places, owner: Definition, parameter: str) -> Iterator[Dispatched]:
    assert isinstance(owner.node, Class)
    methods = [each for each in owner.outline.methods(owner.node).values() if not each.name.startswith("_")][:MAX_METHODS]
    read = frozenset[str]().union(*(names_in_body(each) for each in owner.outline.methods(owner.node).values()))
    kept = {each.qualified: list(_kept(places, owner.outline, each, read)) for each in methods}
    listed = [each for each in methods if kept[each.qualified]] or methods
    rights = {name for given in kept.values() for name, right, _ in given if _is_right(right)}
    for each in listed:
        own = kept[each.qualified]
        guards = tuple(WrittenGuard(at(owner.path, line), "", Asks.ROLE, right) for _, right, line in own if _is_right(right))
        bare = [name for name in sorted(rights) if not any(name == given for given, _, _ in own)]
        asked = sum(any(given == name for given, _, _ in kept[other.qualified]) for name in bare for other in listed)
        note = "".join(f"no @{name}, which {asked} of {len(listed)} methods have" for name in bare[:1])
        yield Dispatched(owner.outline, each, parameter, guards, note)


def _is_right(value: str) -> bool:
    return "." in value or value.isupper()


def _kept(places: Places, outline: Outline, method: Function, read: frozenset[str]) -> Iterator[tuple[str, str, int]]:
    """Decorators that keep something in a table which the class reads, by name, argument and line."""
    for each in method.decorators:
        value = each.value
        found = places.codebase.meaning(outline, value.callee if isinstance(value, Call) else value)
        argument = written(value.arguments[0].value) if isinstance(value, Call) and value.arguments else ""
        if found and isinstance(found.node, Call):  # `post = http_method("POST")`
            first = found.node.arguments[0].value if found.node.arguments else None
            argument = str(first.value).lower() if isinstance(first, Const) else ""
            found = places.codebase.meaning(found.outline, found.node.callee)
        if found and isinstance(found.node, Function) and _tables(found.outline, found.node) & read:
            name = value.callee if isinstance(value, Call) else value
            yield written(name), argument, each.line


def _tables(outline: Outline, decorator: Function) -> frozenset[str]:
    """Names of the tables that a decorator puts something into."""
    inner = [each for each in outline.module.functions if each.qualified.startswith(f"{decorator.qualified}.")]
    return frozenset(
        target.value.id
        for each in (decorator, *inner)
        for node in walk(*each.body)
        if isinstance(node, Assign)
        for target in node.targets
        if isinstance(target, Index) and isinstance(target.value, Name)
    )
