"""The wider look at a tree in which conventions found no way in (A8): every source file as a script, by its text alone.

Tests and files whose syntax could not be read count here too, so a tree of nothing else still has modules and entry points. It
is the last resort: it tells where code begins, not what can reach it. Does not belong here: whether it is needed.
"""

from counterproof.analysis.endpoints.scripts import LOCAL
from counterproof.analysis.inventory.modules import modules_of
from counterproof.analysis.project import Project
from counterproof.model.errors import CounterproofError
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint

METHOD = "every source file as a script by its text, tests and unreadable syntax included"
TARGETS = ("modules", "entry_points")
MAX_FILES = 2_000
_COMMENTS = ("#", "//", "/*", "*", "--", "<?php", '"""', "'''")


def text_entry_points(project: Project) -> tuple[EntryPoint, ...]:
    """The first line of code of each source file, in path order."""
    found: list[EntryPoint] = []
    for file in project.survey.files:
        if file.language is None or not file.loc or len(found) == MAX_FILES:
            continue
        project.checkpoint()
        line = _first_code(project, file.path)
        if line:
            found.append(EntryPoint(EntryKind.MAIN, "script", file.path, at(file.path, line), "<text>", "", *LOCAL.parts))
    return tuple(found)


def text_modules(project: Project) -> tuple[str, ...]:
    """Folders with source of any kind."""
    return modules_of(project.survey.files, tests=True)


def _first_code(project: Project, path: str) -> int:
    """The line on which code begins; 0 where none does or the file can no longer be read."""
    try:
        lines = project.text(path).split("\n")
    except CounterproofError:
        return 0  # the survey saw it; that it changed since is reported where it is analysed
    return next((number for number, line in enumerate(lines, 1) if _is_code(line)), 0)


def _is_code(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith(_COMMENTS)
