"""Project functions that pass a parameter directly to a dangerous call: calling them is as dangerous.

Invariant: one step, from a call to a function resolved by name or import, and only if that function does not check the parameter.
Not handled here: which calls are dangerous.
"""

from collections.abc import Iterator

from counterproof.analysis.config.open_sinks import Receives, no_receiver, open_sinks
from counterproof.analysis.program.callees import OWN, called_function
from counterproof.analysis.program.open_values import MAX_HOPS, is_asked_about
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.routes import handles_route
from counterproof.analysis.program.traversal import argument
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Await, Call, Expr, Function, Name
from counterproof.model.survey import Language

_Handed = dict[str, list[tuple[int, str]]]


def sinks_and_wrappers(
    project: Project, outline: Outline, kind: str, language: Language, receives: Receives = no_receiver
) -> Iterator[tuple[Site[Call], Expr]]:
    """Calls of a kind with each dangerous argument, and calls of project functions that pass it on to one."""
    yield from open_sinks(outline, kind, language, receives)
    yield from wrapped_sinks(project, outline, kind, language, receives)


def wrapped_sinks(
    project: Project, outline: Outline, kind: str, language: Language, receives: Receives = no_receiver
) -> Iterator[tuple[Site[Call], Expr]]:
    for site, where, function in project.once(
        f"calls of own functions in {outline.path}", lambda: _own_calls(project, outline, language)
    ):
        for position, name in _handed(project, where, kind, language, receives).get(function.qualified, ()):
            given = argument(site.node, position, name)
            if given is not None:
                yield site, given


def _own_calls(project: Project, outline: Outline, language: Language) -> tuple[tuple[Site[Call], Outline, Function], ...]:
    """The calls in a file to other functions of the project, outside handlers."""
    given = (each for each in outline.of(Call) if each.function is not None and each.node.arguments)
    meant = ((each, *called_function(project, outline, each, language)) for each in given if not handles_route(each.function))
    return tuple((site, where, found) for site, where, found in meant if found is not None and found is not site.function)


def _handed(project: Project, outline: Outline, kind: str, language: Language, receives: Receives) -> _Handed:
    """The parameters that functions of a file pass on unchanged, with their locations."""
    return project.once(f"handed on to {kind} in {outline.path}", lambda: _handing(outline, kind, language, receives))


def _handing(outline: Outline, kind: str, language: Language, receives: Receives) -> _Handed:
    found: _Handed = {}
    for site, given in open_sinks(outline, kind, language, receives):
        given = given.value if isinstance(given, Await) else given
        function = _taking(outline, site.function, given.id) if isinstance(given, Name) else None
        if function is not None and isinstance(given, Name) and not is_asked_about(outline, site, given):
            names = [each.name for each in function.parameters if each.name not in OWN]
            found.setdefault(function.qualified, []).append((names.index(given.id), given.id))
    return found


def _taking(outline: Outline, function: Function | None, name: str) -> Function | None:
    """The innermost function around a location that has a parameter of this name."""
    for _ in range(MAX_HOPS):
        if function is None or any(each.name == name for each in function.parameters if name not in OWN):
            return function
        function = outline.functions.get(function.within)
    return None
