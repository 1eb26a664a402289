"""Typed queries on the history.

Every method takes plain values, validates them, and runs git through the mirror. Invariant: git receives commits only as full
hashes, paths follow `--`, output is bounded, and a truncated result says so.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from counterproof.analysis.confinement import Bounds
from counterproof.analysis.git.layout import HASH, Layout, NotUsable, bare_layout, find_layout
from counterproof.analysis.git.mirror import HistoryError, Mirror, NoSuchFile
from counterproof.analysis.git.patches import COMMIT, FIELD, Stretch, stretches
from counterproof.analysis.git.refs import Refs
from counterproof.model.errors import InvalidValue
from counterproof.model.location import checked_path
from counterproof.model.text import name_form, raw_name, real_name

__all__ = [
    "Brought", "Commit", "Departed", "Diff", "History", "HistoryError", "Log", "NoHistory", "open_bare", "open_history",
]  # fmt: skip

MAX_COMMITS = 1_000
MAX_FILE = 2_000_000
MAX_PATHS = 500
MAX_MESSAGE = 4_000
MAX_SUBJECT = 500

_BOUNDS = Bounds(seconds=20.0)
_BLAME = Bounds(seconds=5.0)
_NAME = re.compile(r"([^~^:?*\[\\\s]{1,250})((?:~\d{0,6}|\^\d?)*)")
_SHORT_HASH = re.compile(r"[0-9a-f]{7,64}")
_RECORD = "%H%x1f%cI%x1f%an%x1f%s"
_NO_DRIVERS = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--ignore-submodules=all")


@dataclass(frozen=True, slots=True)
class NoHistory:
    """The reason why no history can be read."""

    reason: str


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit. The texts are the committer's own and prove nothing; `subject` is truncated at 500 characters."""

    id: str
    author: str
    date: str
    subject: str


@dataclass(frozen=True, slots=True)
class Brought:
    """The commit that introduced lines. `first`: earlier history is unknown, so the lines may be older."""

    commit: str
    subject: str
    first: bool


@dataclass(frozen=True, slots=True)
class Departed:
    """The last commit that deleted a file. `now` is the path to which the same commit moved it; '' if it did not."""

    commit: Commit
    now: str


@dataclass(frozen=True, slots=True)
class Log:
    """Commits, newest first. `more` is True if the limit omitted some."""

    commits: tuple[Commit, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Diff:
    """A unified diff. Every file is treated as text, whatever its attributes."""

    text: str


def open_history(root: Path, confirmed: tuple[Path, ...] = ()) -> "History | NoHistory":
    """The history of the repository at `root`. `confirmed`: git directories outside the tree that the user trusts."""
    return _opened(root, lambda: find_layout(root, confirmed))


def open_bare(root: Path) -> "History | NoHistory":
    """The history of a bare repository at `root`."""
    return _opened(root, lambda: bare_layout(root))


def _opened(root: Path, find: Callable[[], Layout]) -> "History | NoHistory":
    try:
        layout = find()
        some = Refs(layout).any_hash()
        if not some:
            raise NotUsable("the repository has no commit that can be read (or keeps its refs in another format)")
        return History(Mirror(root, layout, some), layout)
    except NotUsable as error:
        return NoHistory(str(error))
    except OSError as error:
        return NoHistory(f"the repository cannot be read: {error.strerror}")


class History:
    """The history of one repository. Close it, or use it in a `with` block; it is also cleaned up when garbage-collected."""

    def __init__(self, mirror: Mirror, layout: Layout) -> None:
        self._mirror = mirror
        self._refs = Refs(layout)

    def __enter__(self) -> "History":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._mirror.close()

    @property
    def cut(self) -> bool:
        """Return True for a shallow repository, with only the newer part of its history."""
        return self._mirror.shallow

    def head(self) -> str:
        """The checked-out commit; '' if unknown."""
        return self.resolve("HEAD")

    def resolve(self, ref: str) -> str:
        """The commit behind a branch, tag, hash or `name~2`; '' if there is none."""
        matched = _NAME.fullmatch(ref)
        if not matched:
            return ""
        found = self._refs.find(matched[1]) or (matched[1] if _SHORT_HASH.fullmatch(matched[1]) else "")
        if not found:
            return ""
        try:
            said = self._mirror.ask("rev-list", "--max-count=1", "--end-of-options", found + matched[2], "--", bounds=_BOUNDS)
        except HistoryError:
            return ""
        commit = said.decode("ascii", "replace").strip()
        return commit if HASH.fullmatch(commit) else ""

    def log(self, path: str = "", limit: int = 50) -> Log:
        """The newest commits, or those that changed a file; starting from the checked-out commit."""
        wanted = max(1, min(limit, MAX_COMMITS))
        said = self._mirror.ask(
            "log", "-z", f"--max-count={wanted + 1}", f"--format={_RECORD}", "--no-decorate", "--no-notes",
            "--no-mailmap", "--no-show-signature", "--no-patch", *_NO_DRIVERS, "--end-of-options", self._known_head(), "--",
            *self._paths((path,) if path else ()), bounds=_BOUNDS,
        )  # fmt: skip
        commits = [_commit(record) for record in said.decode("utf-8", "replace").split("\0") if record]
        return Log(tuple(commits[:wanted]), len(commits) > wanted)

    def departed(self, paths: tuple[str, ...]) -> dict[str, Departed]:
        """For each of these paths, the last commit that deleted it; starting from the checked-out commit."""
        said = self._mirror.ask(
            "log", "-z", "--no-merges", "--diff-filter=D", "--name-only", f"--format={COMMIT}{_RECORD}", "--no-decorate",
            "--no-notes", "--no-mailmap", "--no-show-signature", *_NO_DRIVERS, "--end-of-options", self._known_head(), "--",
            *self._paths(paths), bounds=_BLAME,
        )  # fmt: skip
        found: dict[str, Departed] = {}
        for part in said.decode("utf-8", "surrogateescape").split(COMMIT)[1:]:
            record, *names = (each.strip("\n") for each in part.split("\0"))
            commit = _commit(record)
            gone = [name for name in names if name in paths and name not in found and HASH.fullmatch(commit.id)]
            moved = self._renamed(commit.id) if gone else {}
            found.update({name: Departed(commit, moved.get(name, "")) for name in gone})
        return found

    def _renamed(self, commit: str) -> dict[str, str]:
        """The files that a commit moved, by their old path."""
        said = self._mirror.ask(
            "diff-tree", "-r", "-z", "-M", "--diff-filter=R", "--name-status", "--no-commit-id", "--no-ext-diff", "--no-textconv",
            "--ignore-submodules=all", "--end-of-options", _hash(commit), "--", bounds=_BLAME,
        )  # fmt: skip
        parts = said.decode("utf-8", "surrogateescape").split("\0")
        return dict(zip(parts[1::3], parts[2::3], strict=False))

    def messages(self, base: str, head: str, limit: int = 20) -> tuple[str, ...]:
        """The messages of the commits that `head` has and `base` lacks, newest first, each truncated at a limit."""
        said = self._mirror.ask(
            "log", "-z", f"--max-count={max(1, min(limit, MAX_COMMITS))}", "--format=%B", "--no-decorate", "--no-notes",
            "--no-mailmap", "--no-show-signature", "--no-patch", *_NO_DRIVERS, "--end-of-options",
            f"{_hash(base)}..{_hash(head)}", "--", bounds=_BOUNDS,
        )  # fmt: skip
        return tuple(each.strip()[:MAX_MESSAGE] for each in said.decode("utf-8", "replace").split("\0") if each.strip())

    def show_file(self, commit: str, path: str) -> bytes:
        """A file's contents in a commit; rejected for links, submodules and large files."""
        (name,) = self._paths((path,))
        listed = self._mirror.ask("ls-tree", "-z", "-l", "--full-tree", _hash(commit), "--", name, bounds=_BOUNDS)
        for record in listed.split(b"\0"):
            about, _, found = record.partition(b"\t")
            fields = about.decode("ascii", "replace").split()
            if found == raw_name(path) and len(fields) == 4 and fields[0] in ("100644", "100755"):
                if not fields[3].isdigit() or int(fields[3]) > MAX_FILE:
                    raise HistoryError(f"{path!r} is too large in that commit")
                return self._mirror.ask("cat-file", "blob", _hash(fields[2]), bounds=_BOUNDS)
        raise NoSuchFile(f"{path!r} is not a file in that commit")

    def files(self, commit: str) -> dict[str, str]:
        """Every regular file of a commit with the hash of its contents, without names that a report cannot show."""
        return {path: each[0] for path, each in self.sized_files(commit).items()}

    def sized_files(self, commit: str) -> dict[str, tuple[str, int]]:
        """The same, with the size of the contents too."""
        said = self._mirror.ask("ls-tree", "-r", "-z", "-l", "--full-tree", _hash(commit), bounds=_BOUNDS)
        found: dict[str, tuple[str, int]] = {}
        for record in said.split(b"\0"):
            about, _, name = record.partition(b"\t")
            fields = about.decode("ascii", "replace").split()
            if len(fields) != 4 or fields[0] not in ("100644", "100755") or not fields[3].isdigit():
                continue
            try:
                found[checked_path(name_form(name))] = (fields[2], int(fields[3]))
            except InvalidValue:
                continue
        return found

    def batch(self, ids: tuple[str, ...], limit: int) -> bytes:
        """The output of `git cat-file --batch` for these objects, with at most `limit` bytes of contents."""
        feed = (f"{_hash(each)}\n".encode("ascii") for each in ids)
        bounds = Bounds(seconds=_BOUNDS.seconds, output_bytes=limit + 200 * len(ids))
        return self._mirror.ask("cat-file", "--batch", bounds=bounds, feed=feed)

    def diff(self, base: str, head: str, paths: tuple[str, ...] = ()) -> Diff:
        """The difference of two commits as text, of some paths or of all."""
        said = self._mirror.ask(
            "diff-tree", "-r", "-p", "--text", "--full-index", "--src-prefix=a/", "--dst-prefix=b/", *_NO_DRIVERS,
            "--end-of-options", _hash(base), _hash(head), "--", *self._paths(paths), bounds=_BOUNDS,
        )  # fmt: skip
        return Diff(said.decode("utf-8", "replace"))

    def blame(self, commit: str, path: str, start: int, end: int) -> tuple[Brought, ...]:
        """The commits that introduced these lines of a file, as of `commit`."""
        said = self._mirror.ask(
            "blame", "--porcelain", "-w", f"-L{max(1, int(start))},{int(end)}", _hash(commit), "--", *self._paths((path,)),
            bounds=_BLAME,
        )  # fmt: skip
        return _brought(said.decode("utf-8", "replace"))

    def stretches(self, commit: str, paths: tuple[str, ...], words: str, limit: int) -> tuple[Stretch, ...]:
        """The changes by the newest `limit` commits up to `commit` whose messages contain one of `words` (our own pattern)."""
        said = self._mirror.ask(
            "log", "--no-merges", "--patch", "--unified=0", "--text", "--src-prefix=a/", "--dst-prefix=b/",
            f"--max-count={max(1, min(limit, MAX_COMMITS))}", "--regexp-ignore-case", "--extended-regexp", f"--grep={words}",
            f"--format={COMMIT}%H{FIELD}%s", "--no-decorate", "--no-notes", "--no-mailmap", "--no-show-signature", *_NO_DRIVERS,
            "--end-of-options", _hash(commit), "--", *self._paths(paths), bounds=_BOUNDS,
        )  # fmt: skip
        return tuple(stretches(said.decode("utf-8", "replace")))

    def merge_base(self, one: str, other: str) -> str:
        """The common ancestor of two commits; '' if there is none."""
        try:
            said = self._mirror.ask("merge-base", "--end-of-options", _hash(one), _hash(other), bounds=_BOUNDS)
        except HistoryError:
            return ""
        return said.decode("ascii", "replace").strip()

    def _known_head(self) -> str:
        head = self.head()
        if not head:
            raise HistoryError("what is checked out cannot be told")
        return head

    def _paths(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        if len(paths) > MAX_PATHS:
            raise HistoryError(f"more than {MAX_PATHS} paths at once")
        return tuple(real_name(checked_path(path)) for path in paths)


def _hash(text: str) -> str:
    """A full hash, or an error: no other text is ever used as a revision."""
    if not HASH.fullmatch(text):
        raise InvalidValue(f"{text!r} is not the full hash of a commit; resolve it first")
    return text


def _brought(said: str) -> tuple[Brought, ...]:
    """A commit's data follow its hash at its first occurrence; source lines start with a tab."""
    found: dict[str, Brought] = {}
    commit = ""
    for line in said.split("\n"):
        word, _, rest = line.partition(" ")
        if HASH.fullmatch(word):
            commit = word
            found.setdefault(commit, Brought(commit, "", False))
        elif commit and word == "summary":
            found[commit] = replace(found[commit], subject=rest[:MAX_SUBJECT])
        elif commit and line == "boundary":
            found[commit] = replace(found[commit], first=True)
    return tuple(found.values())


def _commit(record: str) -> Commit:
    """Hash and date come first, so that a separator inside a name can only garble the texts."""
    parts = [*record.split("\x1f", 3), "", "", ""]
    return Commit(id=parts[0].strip(), author=parts[2][:200], date=parts[1][:40], subject=parts[3][:MAX_SUBJECT])
