"""Code in scope that was not read, and which of it the user accepted.

Invariant: acceptance comes only from the command line, and is recorded with each entry.
"""

from counterproof.analysis.source.languages import language_of
from counterproof.analysis.source.origin import is_served
from counterproof.analysis.source.reach import Ground, Reached
from counterproof.analysis.source.roles import role_of
from counterproof.analysis.source.scope import accepted as matched
from counterproof.analysis.source.scope import user_globs
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


def unread(path: str, why: str, accepted: tuple[str, ...]) -> Unread:
    """One file, or the tree as "."; `accepted` are the user's globs."""
    return Unread(path, why, accepted=matched(path, user_globs("--accept-unread", accepted)))
