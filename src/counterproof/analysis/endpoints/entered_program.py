"""A program with its entry points, by handling function.

Not handled here: finding entry points, and any data that does not depend on them.
"""

from functools import cached_property, lru_cache

from counterproof.analysis.kept import kept
from counterproof.analysis.program.file import File
from counterproof.analysis.program.program import Program
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Function
from counterproof.model.recon import EntryKind, EntryPoint

VERBS = ("get", "post", "put", "patch", "delete", "head", "options", "dispatch", "do_GET", "do_POST", "do_PUT", "do_DELETE")


class EnteredProgram(Program):
    """One project and its entry points."""

    def __init__(self, project: Project, entry_points: tuple[EntryPoint, ...]) -> None:
        super().__init__(project)
        self.entry_points = entry_points

    @kept
    def entries(self, ground: File, function: Function) -> tuple[EntryPoint, ...]:
        """Entry points that a function handles, itself or as a method of a handling class."""
        at = self._entries_by_place.get((ground.path, function.line), [])
        named = self._entries_by_name.get((ground.path, function.qualified), [])
        owner = ground.owner(function)
        classes = self._entries_by_place.get((ground.path, owner.line), []) if owner and function.name in VERBS else []
        return tuple(dict.fromkeys((*at, *named, *classes)))

    @cached_property
    def _entries_by_place(self) -> dict[tuple[str, int], list[EntryPoint]]:
        found: dict[tuple[str, int], list[EntryPoint]] = {}
        for each in self.entry_points:
            if each.kind is not EntryKind.PUBLIC_API:
                found.setdefault((each.handler.path, each.handler.start), []).append(each)
        return found

    @cached_property
    def _entries_by_name(self) -> dict[tuple[str, str], list[EntryPoint]]:
        found: dict[tuple[str, str], list[EntryPoint]] = {}
        for each in self.entry_points:
            if each.kind is not EntryKind.PUBLIC_API:
                found.setdefault((each.handler.path, each.name), []).append(each)
        return found


@lru_cache(maxsize=4)
def entered_program(project: Project, entry_points: tuple[EntryPoint, ...]) -> EnteredProgram:
    """The program of a project; built once."""
    return EnteredProgram(project, entry_points)
