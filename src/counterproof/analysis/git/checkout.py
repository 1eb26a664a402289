"""A commit's files, written into an empty folder of ours.

Invariant: only regular files are written, under their own checked names, none of them into anything named `.git`; nothing that
exists is overwritten and no link is followed or made; no filter, attribute or line-ending rule of the repository is applied;
number and size are bounded, and what was left out is counted. Not handled here: where the folder is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from counterproof.analysis.git.history import MAX_FILE, History
from counterproof.analysis.git.mirror import HistoryError
from counterproof.model.text import real_name

MAX_FILES = 200_000
MAX_TOTAL = 2_000_000_000
_BATCH_FILES = 1_000
_BATCH_BYTES = 8_000_000


@dataclass(frozen=True, slots=True)
class CheckedOut:
    """How many files were written, and how many could not be."""

    written: int
    left_out: int


def check_out(history: History, commit: str, folder: Path) -> CheckedOut:
    """Write the files of a commit beneath `folder`, which must be empty. Files above 2 MB are left out: no survey reads them."""
    listed = history.sized_files(commit)
    if len(listed) > MAX_FILES or sum(size for _, size in listed.values()) > MAX_TOTAL:
        raise HistoryError(f"the revision is too large to check out: {len(listed):,} files")
    wanted = {path: each for path, each in listed.items() if each[1] <= MAX_FILE and _plain(path)}
    written = 0
    for paths in _batches(wanted):
        contents = _contents(history.batch(tuple({wanted[path][0]: None for path in paths}), _BATCH_BYTES + MAX_FILE))
        for path in paths:
            data = contents.get(wanted[path][0])
            written += data is not None and _written(folder / real_name(path), data)
    return CheckedOut(written, len(wanted) - written)


def _plain(path: str) -> bool:
    """Whether no part of the path is, or could be taken for, a repository's own folder."""
    return not any(part.rstrip(" .").lower() in (".git", "git~1") for part in path.split("/"))


def _batches(wanted: dict[str, tuple[str, int]]) -> Iterator[list[str]]:
    batch: list[str] = []
    total = 0
    for path in sorted(wanted):
        size = wanted[path][1]
        if batch and (len(batch) >= _BATCH_FILES or total + size > _BATCH_BYTES):
            yield batch
            batch, total = [], 0
        batch.append(path)
        total += size
    if batch:
        yield batch


def _contents(said: bytes) -> dict[str, bytes]:
    """`HASH blob SIZE`, a line end, the contents, a line end; an object that is missing has a line only."""
    found: dict[str, bytes] = {}
    at = 0
    while (end := said.find(b"\n", at)) >= 0:
        fields = said[at:end].decode("ascii", "replace").split(" ")
        at = end + 1
        if len(fields) == 3 and fields[2].isdigit():
            size = int(fields[2])
            if fields[1] == "blob" and at + size <= len(said):
                found[fields[0]] = said[at : at + size]
            at += size + 1
    return found


def _written(path: Path, data: bytes) -> bool:
    """False where two names of the commit are one on this disk, or where the disk cannot hold the name."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("xb") as stream:
            stream.write(data)
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        return False
    except OSError as error:
        raise HistoryError(f"a file of the revision cannot be written: {error.strerror}") from error
    return True
