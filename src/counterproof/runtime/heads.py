"""The head of a journal's chain, kept outside the run's folder.

It is written twice for every append: before the commit it announces the new head as pending, synced; after the commit it
confirms it. So a journal always ends at the confirmed head or, if the process died in between, at the pending one. Rows that
were added behind its back, cut off or replaced therefore show. It proves that nothing changed since; not who wrote it: whoever
can write both files can forge both, so `log verify --head` also takes a head that was noted elsewhere.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from counterproof.model.errors import StorageError
from counterproof.runtime.chain import Damage

Position = tuple[int, str]
"""A row's number and hash."""

_LINE = re.compile(r"(confirmed|pending) +([0-9]{12}) ([0-9a-f]{64})\n")
_WHOLE = re.compile(f"{_LINE.pattern}{_LINE.pattern}")
_MAX_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Head:
    """What is known to be on disk, and what may be."""

    confirmed: Position
    pending: Position


def announce(path: Path, confirmed: Position, pending: Position) -> None:
    """Say, durably, that the journal is about to end at `pending`."""
    _write(path, Head(confirmed, pending), sync=True)


def confirm(path: Path, position: Position) -> None:
    """The commit is done. Not synced: if this line is lost with the power, the synced announcement still covers the row."""
    _write(path, Head(position, position), sync=False)


def _write(path: Path, head: Head, sync: bool) -> None:
    (one, first), (two, second) = head.confirmed, head.pending
    text = f"confirmed {one:012} {first}\npending   {two:012} {second}\n"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if os.pwrite(descriptor, text.encode("ascii"), 0) != len(text):
                raise OSError(0, "short write")
            if sync:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise StorageError(
            f"the head of the journal could not be written: {error.strerror}",
            "free disk space or repair the disk, then `counterproof resume` the run; earlier rows are safe",
        ) from error


def read(path: Path) -> Head | None:
    """The head, or None where there is none that can be read."""
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_BYTES).decode("ascii")
    except (OSError, UnicodeDecodeError):
        return None
    found = _WHOLE.fullmatch(text)
    if not found or (found[1], found[4]) != ("confirmed", "pending"):
        return None
    return Head((int(found[2]), found[3]), (int(found[5]), found[6]))


def disagreement(head: Head | None, hashes: Mapping[int, str]) -> Damage | None:
    """How a whole chain contradicts its head outside; None if it does not."""
    last = max(hashes, default=0)
    if head is None:
        return Damage(0, "the separate head file of the journal is missing or unreadable") if last else None
    for seq, digest in (head.confirmed, head.pending):
        if seq in hashes and hashes[seq] != digest:
            return Damage(seq, "the journal was replaced: it does not match the separate head file")
    if last in (head.confirmed[0], head.pending[0]):
        return None
    if last > head.pending[0]:
        return Damage(head.pending[0] + 1, "rows were added without updating the head")
    return Damage(last, f"the journal was truncated: its head was row {head.confirmed[0]}, the last row now is {last}")
