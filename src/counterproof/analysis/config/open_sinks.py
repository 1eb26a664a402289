"""Calls that do harm with what they are given, as the library files name them, in code whose callers are not known.

Invariant: handlers of routes are left out, because requests are followed from there; names are those that imports give. Not
handled here: whether the value is harmful there.
"""

from collections.abc import Callable, Iterator
from functools import cache

from counterproof.analysis.config.checks import opened, script_file, script_outline
from counterproof.analysis.config.offered import is_loaded, is_packed
from counterproof.analysis.endpoints.public_api import OWN_PROGRAMS, is_aside, packaged_folders
from counterproof.analysis.libraries import sinks
from counterproof.analysis.libraries.matcher import UNKNOWN, SinkTable, Unknown, applies, dangerous_arguments
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.routes import handles_route
from counterproof.analysis.program.traversal import called
from counterproof.analysis.program.written_calls import WrittenCall
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Name
from counterproof.model.survey import Language


def installed_outline(project: Project, path: str) -> Outline | None:
    """A file of something that can be installed, laid out; None for any other."""
    script = script_file(path)
    own = project.scripts().installable(path) is not None if script else path.startswith(packaged_folders(project))
    return own_outline(project, path) if own else None


def own_outline(project: Project, path: str) -> Outline | None:
    """A file of what is installed or served, laid out; None for one that only developers run."""
    if path.rpartition("/")[2] in OWN_PROGRAMS or is_aside(path):
        return None
    if script_file(path):
        return script_outline(project, path) if not is_packed(project.text(path)) and is_loaded(project, path) else None
    return opened(project, path)[1]


Receives = Callable[[Outline, Site[Call], Expr], bool]


def no_receiver(outline: Outline, site: Site[Call], receiver: Expr) -> bool:
    """Of a method nothing is known but its name."""
    return False


def open_sinks(
    outline: Outline, kind: str, language: Language, receives: Receives = no_receiver
) -> Iterator[tuple[Site[Call], Expr]]:
    """Calls of a kind with each argument that does the harm, outside of handlers, whose requests are followed. `receives` says of
    what a method is called on whether it is such a thing, where the library files ask for that."""
    table = _table(kind, language)
    for site in outline.of(Call):
        if site.function is None or handles_route(site.function):
            continue
        name = outline.dotted(site.node.callee).removeprefix("node:")
        method = called(site.node) if isinstance(site.node.callee, Attribute) else ""
        candidates = table.exact(name) or table.method(method)
        if not candidates:
            continue
        given = _CertainCall(outline, site)
        found: dict[int, Expr] = {}
        for _, sink in candidates:
            if sink.question or sink.only_remote or not applies(sink, given, lambda _: False):
                continue
            if not sink.receiver_from or (given.receiver is not None and receives(outline, site, given.receiver)):
                found |= {id(each): each for each in dangerous_arguments(sink, given)}
        yield from ((site, each) for each in found.values())


class _CertainCall(WrittenCall):
    """Options that are not spelled out in the file are taken for absent, so that what is told stands there to be read."""

    def __init__(self, outline: Outline, site: Site[Call]) -> None:
        super().__init__(site.node)
        self._outline = outline
        self._function = site.function

    def entry(self, value: Expr, name: str) -> Expr | Unknown | None:
        if isinstance(value, Name):
            assigned = self._outline.local(self._function, value.id) or self._outline.top_level.get(value.id)
            value = assigned.value if assigned is not None and assigned.value is not None else value
        found = super().entry(value, name)
        return None if found is UNKNOWN else found


@cache
def _table(kind: str, language: Language) -> SinkTable[str]:
    return SinkTable((kind, each) for each in sinks(kind, language))
