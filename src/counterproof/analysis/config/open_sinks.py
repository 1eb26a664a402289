"""Calls that are dangerous with untrusted arguments, by the library files, in code with unknown callers.

Invariant: route handlers are excluded, because requests are followed from there; names are resolved through imports. Not handled
here: whether the value is harmful.
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
    """The outline of a file in an installable package; None for other files."""
    script = script_file(path)
    own = project.scripts().installable(path) is not None if script else path.startswith(packaged_folders(project))
    return own_outline(project, path) if own else None


def own_outline(project: Project, path: str) -> Outline | None:
    """The outline of a file that is installed or served; None for files that only developers run."""
    if path.rpartition("/")[2] in OWN_PROGRAMS or is_aside(path):
        return None
    if script_file(path):
        return script_outline(project, path) if not is_packed(project.text(path)) and is_loaded(project, path) else None
    return opened(project, path)[1]


Receives = Callable[[Outline, Site[Call], Expr], bool]


def no_receiver(outline: Outline, site: Site[Call], receiver: Expr) -> bool:
    """Always False: only the method's name is known."""
    return False


def open_sinks(
    outline: Outline, kind: str, language: Language, receives: Receives = no_receiver
) -> Iterator[tuple[Site[Call], Expr]]:
    """Calls of a kind with each dangerous argument, outside handlers, whose requests are followed separately. `receives` decides
    whether a receiver has the type that the library files require."""
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
    """Treats options that are not literal in the file as absent, so that every reported reason is visible in the code."""

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
