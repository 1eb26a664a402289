"""Code in scope that was not read, and which of it the user accepted.

Invariant: acceptance comes only from the command line, and is recorded with each entry.
"""

from collections.abc import Iterable

from counterproof.analysis.source.globs import Glob, parse_glob
from counterproof.analysis.source.languages import language_of
from counterproof.analysis.source.origin import is_served
from counterproof.analysis.source.reach import Ground, Reached
from counterproof.analysis.source.roles import role_of
from counterproof.model.survey import FileRole, Skipped, SkipReason, Unread

_UNABLE = (
    SkipReason.TOO_LARGE, SkipReason.LONG_LINES, SkipReason.ENCODING, SkipReason.UNREADABLE, SkipReason.BINARY,
    SkipReason.SPECIAL,
)  # fmt: skip
"""Reasons why a file could not be read, which say nothing about its purpose."""


def unread_sources(ground: Ground, reached: Reached) -> tuple[tuple[Skipped, str], ...]:
    """Unread code that nothing else reaches (for example a program's main file) and that looks only like code."""
    told = {skipped.path for skipped, _ in reached.unread}
    return tuple((each, "") for path, each in sorted(ground.left_out.items()) if path not in told and _is_own(each))


def _is_own(skipped: Skipped) -> bool:
    path = skipped.path
    if skipped.reason not in _UNABLE or language_of(path) is None or is_served(path):
        return False
    return role_of(path)[0] is FileRole.RUNTIME


def unread(path: str, why: str, accepted: Iterable[str], reached_from: str = "") -> Unread:
    """One file, or the tree as "."; `accepted` are the user's globs."""
    globs = [glob for glob in map(parse_glob, accepted) if glob]
    return Unread(path, why, reached_from, any(_covers(glob, tuple(path.split("/"))) for glob in globs))


def _covers(glob: Glob, parts: tuple[str, ...]) -> bool:
    folders = (parts[:count] for count in range(1, len(parts)))
    return glob.matches(parts, directory=False) or any(glob.matches(folder, directory=True) for folder in folders)
