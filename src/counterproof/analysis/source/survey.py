"""The survey: which files a run reviews, which it excludes, and why; the first step of an audit (A1).

Invariant: the same tree gives the same survey, sorted by path; every file is in one of its two lists, or counted under a folder
in the second; nothing outside the root is opened; time and memory are bounded. Not handled here: the meaning of files.

The tree is untrusted. `.gitignore` counts only together with git's own index, which lists the tracked files: a tracked file is
reviewed whatever an ignore file says, and without a readable index ignore files are not applied.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from counterproof.analysis.source.confined import opened_root
from counterproof.analysis.source.git_index import IndexUnknown, Tracked, read_tracked
from counterproof.analysis.source.scope import Scope, accepted, user_globs
from counterproof.analysis.source.walk import Walk, Walked
from counterproof.model.errors import UserError
from counterproof.model.survey import Language, Skipped, SourceFile, Survey


@dataclass(frozen=True, slots=True)
class SurveyOptions:
    """The user's options. Globs are written as in `.gitignore`; excludes win over includes. `documents`: accept a folder without
    source code; `accept_unread` are globs of code that need not be read."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    documents: bool = False
    accept_unread: tuple[str, ...] = ()
    max_files: int = 200_000
    max_file_bytes: int = 2_000_000


def survey(root: Path, options: SurveyOptions | None = None) -> Survey:
    """Survey the tree beneath `root`; raise `UserError` if there is nothing to review."""
    options = options or SurveyOptions()
    include, exclude = user_globs("--include", options.include), user_globs("--exclude", options.exclude)
    accept = user_globs("--accept-unread", options.accept_unread)
    _check_folder(root)
    try:
        with opened_root(root) as top:
            tracked, doubt = _tracked(top)
            walk = Walk(top, Scope(include, exclude, tracked, accept), options.max_files, options.max_file_bytes)
            walked = walk.run()
    except OSError as error:
        raise UserError(f"{root} cannot be opened: {error.strerror}", "check the permissions of the folder") from error
    _check_substance(root, walked, options.documents)
    return Survey(
        name=root.resolve().name or "/",
        files=walked.files,
        skipped=walked.skipped,
        directories=walked.directories,
        digest=_digest(walked.files),
        limitations=_doubt_about_tracking(doubt, walked) + walked.limitations + _idle(walk.scope, walked),
        unread=walked.unread,
        accepted=options.accept_unread,
    )


def _tracked(root: int) -> tuple[Tracked | None, str]:
    try:
        return read_tracked(root), ""
    except IndexUnknown as error:
        return None, str(error)


def _doubt_about_tracking(doubt: str, walked: Walked) -> tuple[str, ...]:
    if not doubt or not walked.has_git:
        return ()
    return (f"Which files git tracks is unknown ({doubt}); .gitignore was therefore not honoured",)


def _idle(scope: Scope, walked: Walked) -> tuple[str, ...]:
    """The user's globs that had no effect."""
    paths = [each.path for part in (walked.files, walked.unread, walked.skipped) for each in part] if scope.accept else []
    accepting = [glob for glob in scope.accept if any(accepted(path, (glob,)) for path in paths)]
    given = (("--include", scope.include), ("--exclude", scope.exclude), ("--accept-unread", scope.accept))
    idle = (
        (option, glob.text) for option, globs in given for glob in globs if glob not in accepting and glob.text not in scope.used
    )
    return tuple(f"{option} {text!r} {IDLE}" for option, text in idle)


def idle_globs(taken: Survey) -> tuple[str, ...]:
    """The limitations about globs that had no effect."""
    return tuple(each for each in taken.limitations if each.endswith(IDLE))


IDLE = "matches no file in scope"


def _digest(files: tuple[SourceFile, ...]) -> str:
    total = hashlib.sha256()
    for file in files:
        total.update(file.path.encode() + b"\0" + file.sha256.encode() + b"\n")
    return total.hexdigest()


def _check_folder(root: Path) -> None:
    try:
        if not root.exists():
            raise UserError(f"{root} does not exist", "give the folder of a project")
        if not root.is_dir():
            raise UserError(f"{root} is not a folder", "give the folder that holds it, and --include to narrow the scope")
    except (OSError, ValueError) as error:
        raise UserError(f"{str(root)!r} cannot be opened: {error}", "give the folder of a project") from error


def _check_substance(root: Path, walked: Walked, documents: bool) -> None:
    if any(file.language or documents for file in walked.files):
        return
    if not walked.files and not walked.skipped:
        raise UserError(f"{root} is empty", "give the folder of a project")
    known = ", ".join(Language)
    hint = f"{_reasons(walked.skipped)}; recognised languages are {known}"
    if not walked.files:
        raise UserError(f"no file in {root} is in scope", hint)
    raise UserError(f"{root} holds no source code in a recognised language", hint)


def _reasons(skipped: tuple[Skipped, ...]) -> str:
    totals: dict[str, int] = {}
    for each in skipped:
        totals[each.reason] = totals.get(each.reason, 0) + each.files
    if not totals:
        return "nothing was left out"
    listed = sorted(totals.items(), key=lambda pair: (-pair[1], pair[0]))
    return "left out: " + ", ".join(f"{count:,} {reason}" for reason, count in listed)
