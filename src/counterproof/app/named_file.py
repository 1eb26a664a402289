"""Reads user-named files that affect findings: exceptions, and the report of an earlier run.

The reviewed change could alter a file in the reviewed code, so such a file is rejected, unless the user names a trusted
revision; then it is read from that revision and never from the tree. Reading is bounded.
"""

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from counterproof.model.errors import InvalidValue, UserError
from counterproof.model.user_context import UserContext

if TYPE_CHECKING:
    from counterproof.analysis.git.history import History

MAX_BYTES: Final = 50_000_000
_UNDER_REVIEW: Final = frozenset({"HEAD", "@"})


def read_named(path: Path, target: Path, trust_ref: str = "") -> str:
    """The text of the file, from disk if it is outside the target, otherwise as of `trust_ref`."""
    inside = _inside(path, target)
    if inside is not None and not trust_ref:
        raise UserError(
            f"{path} is in the reviewed code, which could then accept its own findings",
            "keep the file outside the target, or name the revision to trust with --trust-ref, such as origin/main",
        )
    try:
        data = _from_disk(path) if inside is None else _from_history(inside, target, trust_ref)
        return data.decode("utf-8")
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", "give the path of a file that exists") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text", "give the file that counterproof wrote, or a TOML file") from error


def user_context(path: Path, target: Path, trust_ref: str = "") -> UserContext:
    """The user's own context from a file, by the same rule (A65)."""
    try:
        return UserContext(path.name, read_named(path, target, trust_ref))
    except InvalidValue as error:
        raise UserError(f"{path}: {error}", "name a text file with what agents should know") from error


def lies_inside(path: Path, target: Path) -> bool:
    """True if the file is in the target, by its name or where its links lead."""
    return _inside(path, target) is not None


def _inside(path: Path, target: Path) -> str | None:
    """The file's path in the target, by name or after resolving links; None if neither is inside."""
    roots = {Path(os.path.abspath(target)), target.resolve()}
    for named in (Path(os.path.abspath(path)), path.parent.resolve() / path.name, path.resolve()):
        for root in sorted(roots):
            if named.is_relative_to(root):
                return named.relative_to(root).as_posix()
    return None


def plain_bytes(path: Path, most: int) -> bytes:
    """A regular file's bytes, one more than `most` if there are more. A pipe could block forever, and files in `/proc` report a
    size of 0."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:
        known = os.fstat(stream.fileno())
        data = stream.read(most + 1) if stat.S_ISREG(known.st_mode) else b""
    if not stat.S_ISREG(known.st_mode) or (data and not known.st_size):
        raise OSError(errno.EISDIR, "it is not a plain file")
    return data


def _from_disk(path: Path) -> bytes:
    data = plain_bytes(path, MAX_BYTES)
    if len(data) > MAX_BYTES:
        raise UserError(f"{path} is larger than {MAX_BYTES} bytes", "give a smaller file")
    return data


def first_trusted(names: tuple[str, ...], target: Path, ref: str) -> tuple[str, str, bytes] | None:
    """The first of these files that exists in the target as of `ref`: commit, name and contents; None if there is none."""
    from counterproof.analysis.git.mirror import HistoryError, NoSuchFile  # git is needed only if a revision is named

    with _trusted_history(target, ref) as history:
        commit = _trusted_commit(history, ref)
        for name in names:
            try:
                return commit, name, history.show_file(commit, name)
            except NoSuchFile:
                continue
            except HistoryError as error:
                raise UserError(f"{name} as of {ref} cannot be read: {error}", "correct it in that revision") from error
    return None


def _from_history(inside: str, target: Path, ref: str) -> bytes:
    from counterproof.analysis.git.mirror import HistoryError

    with _trusted_history(target, ref) as history:
        commit = _trusted_commit(history, ref)
        try:
            return history.show_file(commit, inside)
        except HistoryError as error:
            hint = "commit it to that revision, or keep the file outside the target"
            raise UserError(f"{inside} as of {ref} cannot be read: {error}", hint) from error


def _trusted_history(target: Path, ref: str) -> "History":
    from counterproof.analysis.git.history import NoHistory, open_history

    if ref.partition("~")[0].partition("^")[0] in _UNDER_REVIEW:
        raise UserError(f"--trust-ref {ref} is the very change under review", "name the base revision, such as origin/main")
    history = open_history(target)
    if isinstance(history, NoHistory):
        raise UserError(f"--trust-ref {ref} cannot be read: {history.reason}", "give the top of a repository, or no --trust-ref")
    return history


def _trusted_commit(history: "History", ref: str) -> str:
    commit = history.resolve(ref)
    if not commit:
        raise UserError(f"--trust-ref {ref} is not a commit of the target", "name a branch, a tag or a commit")
    return commit
