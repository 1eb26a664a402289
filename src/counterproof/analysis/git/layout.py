"""Where a repository keeps its data: the git directory of a tree, its refs and its object store.

Invariant: nothing is followed out of the tree, or out of a git directory that the user confirmed, or out of the repository
that has registered the tree as its linked work tree; every file is opened through `confined`, so links are never followed;
every size is bounded. Anything doubtful is a `NotUsable` with its reason.
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
MAX_STORES = 5

HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FAN_OUT = re.compile(r"[0-9a-f]{2}")


class NotUsable(CounterproofError):
    """There is no history that can be read safely; the message says why."""


@dataclass(frozen=True, slots=True)
class Layout:
    """`own` holds HEAD; `common` holds refs and objects. They differ in a linked work tree. `stores` starts with the objects
    themselves and goes on with the stores they borrow from."""

    own: Path
    common: Path
    stores: tuple[Path, ...]


def small_file(folder: Path, name: str, limit: int = MAX_SMALL_FILE) -> str | None:
    """The text of a regular file beneath `folder`; None if there is none or it is too large."""
    directory, _, last = name.rpartition("/")
    try:
        with opened_root(folder) as top, opened_directory(top, directory) as inner, opened_file(inner, last) as (file, _):
            data = read_up_to(file, limit + 1)
    except (OSError, InvalidValue):
        return None
    return data.decode("utf-8", "surrogateescape") if len(data) <= limit else None


def find_layout(root: Path, confirmed: tuple[Path, ...] = ()) -> Layout:
    """The repository whose top is `root`. `confirmed` are git directories elsewhere that the user vouches for."""
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
    return Layout(own.resolve(), common.resolve(), checked_stores(common.resolve() / "objects", allowed))


def bare_layout(root: Path) -> Layout:
    """The repository that a folder itself is: bare, with no files checked out."""
    if not all((root / each).is_dir() for each in ("objects", "refs")) or small_file(root, "HEAD") is None:
        raise NotUsable("the folder is no bare git repository")
    top = root.resolve()
    return Layout(top, top, checked_stores(top / "objects", (top,)))


def _registering(root: Path, text: str | None) -> tuple[Path, ...]:
    """The git directory elsewhere that has registered `root` as a linked work tree; nothing where none says so itself.

    A `.git` file is the target's word and may name any repository of the user's. It is believed only if the place it names is
    `<repository>/worktrees/<name>`, of the user who owns the tree, shares that repository's data, and names this very `.git` file
    in return: what git wrote there when the user added the work tree, and what the target cannot write."""
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
    """The directory that a pointer file names, if it lies where we may look."""
    if text is None or not text.startswith(label) or "\0" in text:
        raise NotUsable("the git directory is named in a way that cannot be read")
    path = Path(os.path.normpath(folder / text.removeprefix(label).strip()))
    if not path.is_dir():
        raise NotUsable("the git directory that .git names does not exist")
    if not _within(path, allowed):
        raise NotUsable("the git directory lies outside the tree; confirm it to use it")
    return path


def _within(path: Path, allowed: tuple[Path, ...]) -> bool:
    resolved = path.resolve()
    return any(resolved.is_relative_to(each) for each in allowed)


def checked_stores(objects: Path, allowed: tuple[Path, ...]) -> tuple[Path, ...]:
    """The store and all it borrows from; refused when any of them reaches elsewhere."""
    found: list[Path] = []
    pending = [objects]
    while pending:
        store = pending.pop(0)
        if store in found:
            continue
        if len(found) >= MAX_STORES:
            raise NotUsable("the object store borrows from too many others")
        if not _within(store, allowed):
            raise NotUsable(
                "the object store borrows from a repository outside the tree; "
                "`git repack -a -d && rm .git/objects/info/alternates` makes it stand alone"
            )
        _check_plain(store)
        found.append(store)
        pending.extend(_borrowed(store))
    return tuple(found)


def _check_plain(objects: Path) -> None:
    """Links and special files in a store could lead git anywhere, or hold it up."""
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


def _borrowed(objects: Path) -> tuple[Path, ...]:
    text = small_file(objects, "info/alternates")
    if text is None:
        if os.path.lexists(objects / "info" / "alternates"):
            raise NotUsable("the object store borrows from others in a way that cannot be read")
        return ()
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    if any(line.startswith('"') or "\0" in line for line in lines):
        raise NotUsable("the object store borrows from others in a way that cannot be read")
    return tuple(Path(os.path.normpath(objects / line)) for line in lines)


def _store_folders(objects: Path) -> tuple[Path, ...]:
    found = [objects]
    with os.scandir(objects) as entries:
        for entry in entries:
            if entry.name in ("info", "pack") or _FAN_OUT.fullmatch(entry.name):
                if not entry.is_dir(follow_symlinks=False):
                    raise NotUsable("the object store holds links or special files")
                found.append(Path(entry.path))
    return tuple(found)
