"""The location of a repository's data: the git directory of a tree, its refs and its object store.

Invariant: nothing is followed out of the tree, a git directory that the user confirmed, or the repository that registered the
tree as its linked work tree; every file is opened through `confined`, so links are never followed; every size is bounded. In
doubt `NotUsable` is raised with its reason.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from counterproof.analysis.source.confined import opened_directory, opened_file, opened_root, read_up_to
from counterproof.model.errors import CounterproofError, InvalidValue

MAX_SMALL_FILE = 65_536
MAX_PACKED_REFS = 64_000_000
MAX_STORE_ENTRIES = 2_000_000

HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FAN_OUT = re.compile(r"[0-9a-f]{2}")


class NotUsable(CounterproofError):
    """Raised with the reason if no history can be read safely."""


@dataclass(frozen=True, slots=True)
class Layout:
    """`own` contains HEAD; `common` contains refs and objects. They differ in a linked work tree."""

    own: Path
    common: Path
    store: Path


def small_file(folder: Path, name: str, limit: int = MAX_SMALL_FILE) -> str | None:
    """The text of a regular file beneath `folder`; None if it is missing or too large."""
    directory, _, last = name.rpartition("/")
    try:
        with opened_root(folder) as top, opened_directory(top, directory) as inner, opened_file(inner, last) as (file, _):
            data = read_up_to(file, limit + 1)
    except (OSError, InvalidValue):
        return None
    return data.decode("utf-8", "surrogateescape") if len(data) <= limit else None


def find_layout(root: Path, confirmed: tuple[Path, ...] = ()) -> Layout:
    """The repository rooted at `root`. `confirmed` are git directories elsewhere that the user trusts."""
    allowed = (root.resolve(), *(path.resolve() for path in confirmed))
    dot_git = root / ".git"
    if dot_git.is_symlink():
        raise NotUsable(".git is a symbolic link")
    if dot_git.is_dir():
        own = dot_git
    elif dot_git.is_file():
        text = small_file(root, ".git")
        allowed += _registering(root, text)
        own = _named(root, text, "gitdir:", allowed)
    else:
        raise NotUsable("there is no git repository at the top of the tree")
    common = own
    if (own / "commondir").exists():
        common = _named(own, small_file(own, "commondir"), "", allowed)
    return Layout(own.resolve(), common.resolve(), checked_store(common.resolve() / "objects", allowed))


def bare_layout(root: Path) -> Layout:
    """The bare repository in a folder, without checked-out files."""
    if not all((root / each).is_dir() for each in ("objects", "refs")) or small_file(root, "HEAD") is None:
        raise NotUsable("the folder is not a bare git repository")
    top = root.resolve()
    return Layout(top, top, checked_store(top / "objects", (top,)))


def _registering(root: Path, text: str | None) -> tuple[Path, ...]:
    """The git directory elsewhere that registered `root` as a linked work tree; empty if none did.

    A `.git` file belongs to the target and may name any of the user's repositories. It is trusted only if the named directory is
    `<repository>/worktrees/<name>`, belongs to the owner of the tree, shares that repository's data, and names this very `.git`
    file in return: git wrote that when the user added the work tree, and the target cannot."""
    if text is None or not text.startswith("gitdir:") or "\0" in text:
        return ()
    try:
        own = Path(os.path.normpath(root / text.removeprefix("gitdir:").strip())).resolve()
        owners = {path.stat().st_uid for path in (root, own, own.parent.parent)}
    except (OSError, RuntimeError):
        return ()
    back = Path(os.path.normpath(own / (small_file(own, "gitdir") or "").replace("\0", "").strip()))
    answers = back.name == ".git" and back.parent.resolve() == root.resolve()
    shares = (small_file(own, "commondir") or "").strip() == "../.."
    return (own.parent.parent,) if answers and shares and own.parent.name == "worktrees" and len(owners) == 1 else ()


def _named(folder: Path, text: str | None, label: str, allowed: tuple[Path, ...]) -> Path:
    """The directory that a pointer file names, if it is in an allowed location."""
    if text is None or not text.startswith(label) or "\0" in text:
        raise NotUsable("the git directory is named in a way that cannot be read")
    path = Path(os.path.normpath(folder / text.removeprefix(label).strip()))
    if not path.is_dir():
        raise NotUsable("the git directory that .git names does not exist")
    if not _within(path, allowed):
        raise NotUsable("the git directory is outside the tree; confirm it to use it")
    return path


def _within(path: Path, allowed: tuple[Path, ...]) -> bool:
    resolved = path.resolve()
    return any(resolved.is_relative_to(each) for each in allowed)


def checked_store(objects: Path, allowed: tuple[Path, ...]) -> Path:
    """The object store; rejected if it is outside the allowed folders or borrows from another one."""
    if not _within(objects, allowed):
        raise NotUsable("the object store is outside the tree")
    if os.path.lexists(objects / "info" / "alternates"):
        raise NotUsable(
            "the object store uses objects of another repository (alternates); "
            "`git repack -a -d && rm .git/objects/info/alternates` copies them"
        )
    _check_plain(objects)
    return objects


def _check_plain(objects: Path) -> None:
    """Reject links and special files in a store, which could lead git anywhere or block it."""
    if objects.is_symlink() or not objects.is_dir():
        raise NotUsable("the object store is not a plain directory")
    left = MAX_STORE_ENTRIES
    for folder in _store_folders(objects):
        with os.scandir(folder) as entries:
            for entry in entries:
                left -= 1
                if left < 0:
                    raise NotUsable("the object store has too many entries")
                if not entry.is_file(follow_symlinks=False) and not entry.is_dir(follow_symlinks=False):
                    raise NotUsable("the object store holds links or special files")


def _store_folders(objects: Path) -> tuple[Path, ...]:
    found = [objects]
    with os.scandir(objects) as entries:
        for entry in entries:
            if entry.name in ("info", "pack") or _FAN_OUT.fullmatch(entry.name):
                if not entry.is_dir(follow_symlinks=False):
                    raise NotUsable("the object store holds links or special files")
                found.append(Path(entry.path))
    return tuple(found)
