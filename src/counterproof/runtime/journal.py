"""The journal: one SQLite database per run, every row chained to the previous one by its hash.

Invariant: rows are only appended; `append` and `keep` return after the data is synced; a writer is rejected if another one
wrote to the journal in the meantime, so writes never interleave; the head (the last row's number and hash) is also stored
outside the run's folder. Not handled here: verifying a journal (`verification`) and repairing it (`repair`).
"""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from counterproof.model.errors import JournalError, StorageError
from counterproof.ports import Clock, Entry
from counterproof.runtime import heads
from counterproof.runtime.chain import FORMAT, chained, genesis
from counterproof.runtime.crashpoints import reached
from counterproof.runtime.home import RunFolder
from counterproof.runtime.inbox import Inbox

_COLUMNS = "seq INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL"
TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    f"CREATE TABLE entries ({_COLUMNS})",
    "CREATE TABLE replies (seq INTEGER PRIMARY KEY, raw BLOB NOT NULL)",
)
_BUSY_SECONDS = 5
_READ_FAULTS = (sqlite3.Error, UnicodeError)
"""Raised when reading a damaged database; the second if even the error's text is damaged."""
_Row = tuple[int, str, str, bytes, str]
_INSERT = "INSERT INTO entries VALUES (?, ?, ?, CAST(? AS TEXT), ?)"
_AFTER = "SELECT seq, at, kind, body, hash FROM entries WHERE seq > ? ORDER BY seq"
_LAST = "SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1"


class NeverStarted(JournalError):
    """The process died before the run's first event: there is nothing to resume, and nothing was lost."""

    def __init__(self, run: RunFolder) -> None:
        super().__init__(f"run {run.id} never started", "start a new run; nothing was spent on this one")


class OtherFormat(JournalError):
    """The journal may be intact, but this version cannot read its format."""


class SqliteJournal:
    """One run's journal. Open it for writing only while holding the run's lock, and after verifying it."""

    def __init__(self, run: RunFolder, clock: Clock, writable: bool = True) -> None:
        self._run = run
        self._clock = clock
        self.writable = writable
        self.inbox = Inbox(run.inbox)
        self._turn = threading.Lock()
        self._database = _open(run, writable)
        try:
            row = self._database.execute(_LAST).fetchone()
        except _READ_FAULTS as error:
            self._database.close()
            raise _unreadable(run, error) from error
        self._seq, self._hash = row or (0, genesis(run.id))

    @classmethod
    def create(cls, run: RunFolder, clock: Clock) -> "SqliteJournal":
        """Create the database with its tables in a temporary file, then move it into place: a journal exists completely or not
        at all."""
        making = run.journal.with_name(run.journal.name + ".making")
        try:
            _unmake(making)
            os.close(os.open(making, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
            with contextlib.closing(connected(making, writable=True)) as database, database:
                database.execute("BEGIN IMMEDIATE")
                for table in TABLES:
                    database.execute(table)
                database.execute("INSERT INTO meta VALUES ('format', ?)", (str(FORMAT),))
            os.rename(making, run.journal)
        except (OSError, sqlite3.Error) as error:
            _unmake(making)
            raise StorageError(
                f"the journal of run {run.id} could not be created: {error}", "free disk space or set COUNTERPROOF_HOME"
            ) from error
        return cls(run, clock)

    @property
    def head(self) -> heads.Position:
        return self._seq, self._hash

    def outside(self) -> heads.Head | None:
        """The head stored outside the run's folder."""
        return heads.read(self._run.head)

    def append(self, kind: str, *bodies: str) -> None:
        """Append one row per body, all in one transaction."""
        if bodies:
            with self._turn:
                self._commit(kind, bodies, None)

    def keep(self, body: str, raw: bytes) -> int:
        """Append one row about a raw reply together with the reply itself; returns the row's number."""
        with self._turn:
            self._commit("reply", (body,), raw)
            return self._seq

    def _commit(self, kind: str, bodies: tuple[str, ...], raw: bytes | None) -> None:
        rows: list[_Row] = []
        seq, before, at = self._seq, self._hash, self._clock.now()
        for body in bodies:
            seq += 1
            before = chained(before, seq, at, kind, body)
            rows.append((seq, at, kind, _bytes(body), before))
        try:
            with self._database:
                self._insert(rows, raw)
        except sqlite3.Error as error:
            raise _unwritten(self._run, error) from error
        reached("before-head")
        self._seq, self._hash = seq, before
        heads.confirm(self._run.head, self.head)

    def _insert(self, rows: list[_Row], raw: bytes | None) -> None:
        """Insert rows in a transaction, after checking that nobody else has written."""
        self._database.execute("BEGIN IMMEDIATE")
        if (self._database.execute(_LAST).fetchone() or (0, genesis(self._run.id))) != self.head:
            raise JournalError(
                f"another process wrote to the journal of run {self._run.id}",
                "only one process may work on a run; stop the other",
            )
        heads.announce(self._run.head, self.head, (rows[-1][0], rows[-1][4]))
        self._database.executemany(_INSERT, rows)
        if raw is not None:
            self._database.execute("INSERT INTO replies VALUES (?, ?)", (rows[0][0], raw))
        reached("mid-journal")

    def restore(self, rows: list[tuple[Entry, bytes | None]]) -> None:
        """Fill an empty journal with intact rows of another one, unchanged."""
        values = [(each.seq, each.at, each.kind, _bytes(each.body), each.hash) for each, _ in rows]
        try:
            with self._database:
                self._database.execute("BEGIN IMMEDIATE")
                self._database.executemany(_INSERT, values)
                kept = [(each.seq, raw) for each, raw in rows if raw is not None]
                self._database.executemany("INSERT INTO replies VALUES (?, ?)", kept)
        except sqlite3.Error as error:
            raise _unwritten(self._run, error) from error
        if rows:
            self._seq, self._hash = rows[-1][0].seq, rows[-1][0].hash

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """All rows in order, or those after one. Rows are typed; `verification` checks the chain."""
        try:
            for row in self._database.execute(_AFTER, (after,)):
                if not (isinstance(row[0], int) and all(isinstance(value, str) for value in row[1:])):
                    raise JournalError(f"the journal of run {self._run.id} is damaged: a row has values of the wrong type")
                yield Entry(*row)
        except _READ_FAULTS as error:
            raise _unreadable(self._run, error) from error

    def raw(self, seq: int) -> bytes | None:
        """The raw reply of a row; None if it has none."""
        try:
            row: Any = self._database.execute("SELECT raw FROM replies WHERE seq = ?", (seq,)).fetchone()
        except _READ_FAULTS as error:
            raise _unreadable(self._run, error) from error
        return row[0] if row and isinstance(row[0], bytes) else None

    def raw_rows(self) -> tuple[int, ...]:
        """The numbers of all rows with a raw reply."""
        try:
            return tuple(row[0] for row in self._database.execute("SELECT seq FROM replies ORDER BY seq"))
        except _READ_FAULTS as error:
            raise _unreadable(self._run, error) from error

    def close(self) -> None:
        self.inbox.close()
        self._database.close()


def _unmake(making: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        Path(f"{making}{suffix}").unlink(missing_ok=True)


def _bytes(text: str) -> bytes:
    """Text as stored. A model's reply may contain a lone surrogate, which must not lose a row."""
    return text.encode("utf-8", "surrogatepass")


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")


def connected(path: Path, writable: bool) -> sqlite3.Connection:
    """Open one of our databases: commits are synced, and its schema is not trusted."""
    place = f"{path.absolute().as_uri()}?mode={'rw' if writable else 'ro'}"
    database = sqlite3.connect(place, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    database.text_factory = _text
    database.execute("PRAGMA trusted_schema=OFF")
    database.execute("PRAGMA cell_size_check=ON")
    if writable:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
    return database


def readable(path: Path) -> sqlite3.Connection:
    """A read-only connection, unless SQLite must first roll back an interrupted write."""
    database = connected(path, writable=False)
    try:
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        database.close()
        if not error.sqlite_errorname.startswith("SQLITE_READONLY"):
            raise
        return connected(path, writable=True)
    except BaseException:
        database.close()
        raise
    return database


def _open(run: RunFolder, writable: bool) -> sqlite3.Connection:
    if not run.journal.is_file():
        raise _absent(run)
    database = None
    try:
        database = readable(run.journal) if not writable else connected(run.journal, writable)
        _check_format(run, database)
    except _READ_FAULTS as error:
        if database:
            database.close()
        raise _unreadable(run, error) from error
    except JournalError:
        if database:
            database.close()
        raise
    return database


def _check_format(run: RunFolder, database: sqlite3.Connection) -> None:
    """Accept exactly our tables: a trigger or a view would run inside our own statements."""
    made = tuple(sql for (sql,) in database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"))
    if not made:
        raise _absent(run)
    row = database.execute("SELECT value FROM meta WHERE key IN ('format', 'schema')").fetchone()
    if row is None or (row[0] == str(FORMAT) and made != TABLES):
        raise JournalError(f"the journal of run {run.id} is damaged: its tables are not a journal's", _damaged_hint(run))
    if row[0] != str(FORMAT):
        raise OtherFormat(
            f"the journal of run {run.id} has format {row[0]}, this version reads {FORMAT}",
            "read it with the version that wrote it",
        )


def _damaged_hint(run: RunFolder, error: Exception | None = None) -> str:
    cut = f"`counterproof resume {run.id} --cut-damage` keeps the intact rows, or restore the run's folder from a backup"
    ill = getattr(error, "sqlite_errorname", "").startswith(("SQLITE_IOERR", "SQLITE_FULL"))
    return f"free disk space or repair the disk and try again; if that does not help, {cut}" if ill else cut


def _absent(run: RunFolder) -> JournalError:
    """The error for a missing journal or one without tables: the run died at its start, unless the external head contradicts
    that."""
    if heads.read(run.head) is None:
        return NeverStarted(run)
    return JournalError(f"run {run.id} has lost its journal", _damaged_hint(run))


def _unreadable(run: RunFolder, error: Exception) -> JournalError:
    return JournalError(f"the journal of run {run.id} is damaged, it is not readable: {error}", _damaged_hint(run, error))


def _unwritten(run: RunFolder, error: sqlite3.Error) -> JournalError | StorageError:
    if "locked" in str(error) or isinstance(error, sqlite3.IntegrityError):
        return JournalError(
            f"another process is writing to the journal of run {run.id}", "only one process may work on a run; stop the other"
        )
    return StorageError(
        f"the journal of run {run.id} could not be written: {error}",
        f"free disk space or repair the disk, then `counterproof resume {run.id}`; earlier rows are safe",
    )
