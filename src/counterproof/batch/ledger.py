"""The ledger of a batch: one SQLite database in the batch's folder that says how each target stands.

Invariant: `save` returns after the row is on disk, so a reservation is there before its job starts and an outcome before the
next one does; one process writes, the one that holds the batch's lock; what is read back is checked against its type. Does not
belong here: deciding what runs.
"""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from counterproof.model.batch import Order, Row, State
from counterproof.model.errors import JournalError, StorageError
from counterproof.runtime.codec import Codec
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import connected, readable

KIND: Final = "batches"
DATABASE: Final = "ledger.db"
FORMAT: Final = "1"
_TABLES: Final = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE rows (position INTEGER PRIMARY KEY, state TEXT NOT NULL, body TEXT NOT NULL)",
)
_ORDER: "Codec[Order]" = Codec(Order)
_ROW: "Codec[Row]" = Codec(Row)


@dataclass(frozen=True, slots=True)
class Summary:
    """A batch as its ledger tells it."""

    batch: RunFolder
    order: Order
    started: str
    ended: str
    rows: tuple[Row, ...]


class Ledger:
    """One batch's. Threads may share it."""

    def __init__(self, batch: RunFolder, writable: bool = True) -> None:
        self.batch = batch
        self._turn = threading.Lock()
        try:
            place = batch.path / DATABASE
            self._database = connected(place, writable=True) if writable else readable(place)
            meta = dict(self._database.execute("SELECT key, value FROM meta").fetchall())
        except sqlite3.Error as error:
            raise JournalError(f"the ledger of batch {batch.id} cannot be read: {error}", "start over with --fresh") from error
        if meta.get("format") != FORMAT:
            raise JournalError(f"the ledger of batch {batch.id} was written by another version", "start over with --fresh")
        self.order = _ORDER.decode(meta["order"])
        self.started, self.ended = meta["started"], meta.get("ended", "")

    @classmethod
    def create(cls, batch: RunFolder, order: Order, now: str) -> "Ledger":
        """With every target waiting; the file is there whole or not at all."""
        making = batch.path / f"{DATABASE}.making"
        rows = [Row(position, target) for position, target in enumerate(order.targets)]
        try:
            os.close(os.open(making, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
            with contextlib.closing(connected(making, writable=True)) as database, database:
                database.execute("BEGIN IMMEDIATE")
                for table in _TABLES:
                    database.execute(table)
                meta = (("format", FORMAT), ("order", _ORDER.encode(order)), ("started", now))
                database.executemany("INSERT INTO meta VALUES (?, ?)", meta)
                database.executemany("INSERT INTO rows VALUES (?, ?, ?)", [_stored(row) for row in rows])
            os.rename(making, batch.path / DATABASE)
        except (OSError, sqlite3.Error) as error:
            raise StorageError(
                f"cannot start a batch in {batch.path}: {error}", "free disk space or set COUNTERPROOF_HOME"
            ) from error
        return cls(batch)

    def rows(self) -> tuple[Row, ...]:
        """In the order of the list."""
        with self._turn:
            found = self._database.execute("SELECT body FROM rows ORDER BY position").fetchall()
        return tuple(_ROW.decode(body) for (body,) in found)

    def save(self, row: Row) -> None:
        """Keep how a target stands."""
        position, state, body = _stored(row)
        self._write("UPDATE rows SET state = ?, body = ? WHERE position = ?", (state, body, position))

    def close_batch(self, now: str) -> None:
        """Nothing is left to do."""
        self.ended = now
        self._write("INSERT OR REPLACE INTO meta VALUES ('ended', ?)", (now,))

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        try:
            with self._turn, self._database:
                self._database.execute("BEGIN IMMEDIATE")
                self._database.execute(statement, values)
        except sqlite3.Error as error:
            raise StorageError(
                f"the ledger of batch {self.batch.id} could not be written: {error}",
                "free disk space or repair the disk, then give the same command again; earlier rows are safe",
            ) from error

    def close(self) -> None:
        self._database.close()


def _stored(row: Row) -> tuple[int, str, str]:
    return row.position, row.state.value, _ROW.encode(replace(row, note=""))


def earlier(home: Home, name: str) -> Iterator[Summary]:
    """The batches of the same list, newest first. Those of other versions are passed over."""
    return (each for each in summaries(home) if each.order.name == name)


def summaries(home: Home) -> Iterator[Summary]:
    """All batches that this version can read, newest first."""
    for batch in reversed(home.runs(KIND)):
        if not (batch.path / DATABASE).is_file():
            continue  # it died before its ledger was whole, and nothing of it had begun
        try:
            with contextlib.closing(Ledger(batch, writable=False)) as ledger:
                yield Summary(batch, ledger.order, ledger.started, ledger.ended, ledger.rows())
        except JournalError:
            continue


def to_go_on(row: Row) -> Row:
    """A row of a batch whose process ended, for the next one: what ran then waits to be gone on with."""
    return replace(row, state=State.PAUSED) if row.state is State.RUNNING else row
