"""Cuts a damaged journal to its last sound row, when the user asks for it (F16).

What always holds: the damaged files are kept beside the new journal; the cut is itself a row of the chain, with what was
wrong and where the head stood, so that it can never be mistaken for a journal that was always whole; work after the last
sound row is done again. A repair that was killed is finished by the next one, from the new journal if that was complete.
"""

import contextlib
import os
from dataclasses import replace
from pathlib import Path

from counterproof.model.canonical import canonical
from counterproof.model.errors import JournalError, StorageError
from counterproof.ports import Clock, Entry
from counterproof.runtime import heads
from counterproof.runtime.chain import Damage, intact
from counterproof.runtime.crashpoints import reached
from counterproof.runtime.home import RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replies import KIND, damaged

NEW = "journal.new.db"
_FILES = ("", "-wal", "-shm")
Row = tuple[Entry, bytes | None]


def cut(run: RunFolder, damage: Damage, clock: Clock) -> int:
    """Keep the sound rows of a damaged journal; returns how many. The run's lock must be held."""
    new = replace(run, database=NEW)
    try:
        if not _complete(new, clock):
            _build(run, new, damage, clock)
        reached("mid-repair")
        _set_aside(run)
        (run.path / "receipt.json").unlink(missing_ok=True)
        os.replace(new.journal, run.journal)
        _sync_folder(run.path)
    except OSError as error:
        raise StorageError(
            f"the journal of run {run.id} could not be truncated: {error.strerror}", "free disk space, then try again"
        ) from error
    return len(_sound(run, clock)) - 1


def _complete(new: RunFolder, clock: Clock) -> bool:
    """A repair that was killed had its new journal ready: it ends with the repair's own row, at the head outside."""
    rows = _sound(new, clock)
    head = heads.read(new.head)
    return bool(rows and head and rows[-1][0].kind == "repair" and head.confirmed == (rows[-1][0].seq, rows[-1][0].hash))


def _build(run: RunFolder, new: RunFolder, damage: Damage, clock: Clock) -> None:
    rows, before = _sound(run, clock), heads.read(run.head)
    for suffix in _FILES:
        Path(f"{new.journal}{suffix}").unlink(missing_ok=True)
    with contextlib.closing(SqliteJournal.create(new, clock)) as journal:
        journal.restore(rows)
        was = list(before.confirmed if before else (0, ""))
        journal.append("repair", canonical({"kept": len(rows), "damage": damage.text, "head_was": was}))


def _sound(run: RunFolder, clock: Clock) -> list[Row]:
    """As many rows from the first as can be read and fit the chain."""
    rows: list[Row] = []
    # What cannot be read ends the sound part; that is what is being found out here.
    with contextlib.suppress(JournalError), contextlib.closing(SqliteJournal(run, clock, writable=False)) as journal:
        for entry in intact(run.id, journal.entries()):
            raw = journal.raw(entry.seq) if entry.kind == KIND else None
            if entry.kind == KIND and damaged(entry, raw):
                break
            rows.append((entry, raw))
    return rows


def _set_aside(run: RunFolder) -> None:
    """Move the damaged files out of the way, under a number that is still free; the log of the old one must not meet the new."""
    number = 1
    while any(Path(f"{_aside(run, number)}{suffix}").exists() for suffix in _FILES):
        number += 1
    for suffix in reversed(_FILES):
        source = Path(f"{run.journal}{suffix}")
        if source.exists():
            os.replace(source, f"{_aside(run, number)}{suffix}")


def _aside(run: RunFolder, number: int) -> Path:
    return run.path / f"damaged-{number}.db"


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
