"""The journal: one SQLite table per run, every row chained to the one before by its hash.

What always holds: rows are only ever appended; `append` returns after the data is synced; the head (last sequence number
and hash) is also written outside the run's folder, after the commit, so it can lag by one append and never lead.
"""

import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from counterproof.model.canonical import canonical, digest
from counterproof.model.errors import JournalError
from counterproof.ports import Clock, Entry
from counterproof.runtime.home import RunFolder

SCHEMA_VERSION = 1
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (seq INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL);
"""


def genesis(run_id: str) -> str:
    """The hash that the first row is chained to."""
    return digest(canonical(["counterproof", SCHEMA_VERSION, run_id]))


def chained(before: str, seq: int, at: str, kind: str, body: str) -> str:
    """The hash of a row."""
    return digest(canonical([before, seq, at, kind, body]))


class SqliteJournal:
    """One run's journal. Open it only while holding the run's lock if you mean to append."""

    def __init__(self, run: RunFolder, clock: Clock) -> None:
        self._run = run
        self._clock = clock
        self._database = _open(run)
        row = self._database.execute("SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
        self._seq, self._hash = row or (0, genesis(run.id))

    @classmethod
    def create(cls, run: RunFolder, clock: Clock) -> "SqliteJournal":
        """Make the file with its tables, then open it."""
        descriptor = os.open(run.journal, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        os.close(descriptor)
        with _connected(run.journal) as database:
            database.executescript(_TABLES)
            database.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))
        return cls(run, clock)

    @property
    def head(self) -> tuple[int, str]:
        return self._seq, self._hash

    def append(self, kind: str, *bodies: str) -> None:
        """Append one row per body, all in one transaction."""
        if not bodies:
            return
        rows: list[tuple[int, str, str, str, str]] = []
        seq, before, at = self._seq, self._hash, self._clock.now()
        for body in bodies:
            seq += 1
            before = chained(before, seq, at, kind, body)
            rows.append((seq, at, kind, body, before))
        try:
            with self._database:
                self._database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise JournalError(
                f"the journal of run {self._run.id} could not be written: {error}",
                "free disk space or mend the disk, then `counterproof resume` the run; nothing before this is lost",
            ) from error
        self._seq, self._hash = seq, before
        self._write_head()

    def _write_head(self) -> None:
        temporary = self._run.head.with_suffix(".tmp")
        temporary.write_text(f"{self._seq} {self._hash}\n", encoding="ascii")
        temporary.replace(self._run.head)

    def entries(self) -> Iterator[Entry]:
        for row in self._database.execute("SELECT seq, at, kind, body, hash FROM entries ORDER BY seq"):
            yield Entry(*row)

    def close(self) -> None:
        self._database.close()


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=5, isolation_level="DEFERRED", check_same_thread=False)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    return database


def _open(run: RunFolder) -> sqlite3.Connection:
    if not run.journal.is_file():
        raise JournalError(f"run {run.id} has no journal", "the run was removed or never started")
    try:
        database = _connected(run.journal)
        (schema,) = database.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    except (sqlite3.Error, TypeError) as error:
        raise JournalError(f"the journal of run {run.id} is not readable: {error}", "restore it from a backup") from error
    if schema != str(SCHEMA_VERSION):
        raise JournalError(f"the journal of run {run.id} has format {schema}, this version reads {SCHEMA_VERSION}")
    return database


@dataclass(frozen=True, slots=True)
class Damage:
    """Something wrong with a journal, at a row (0: the journal as a whole)."""

    seq: int
    text: str


def verify(run: RunFolder, journal: SqliteJournal) -> tuple[Damage, ...]:
    """Every edit, cut, insertion or reordering that the chain and the outside head can tell."""
    before, expected, last_at = genesis(run.id), 1, ""
    hashes: dict[int, str] = {}
    for entry in journal.entries():
        if entry.seq != expected:
            return (Damage(entry.seq, f"row {expected} is missing"),)
        if chained(before, entry.seq, entry.at, entry.kind, entry.body) != entry.hash:
            return (Damage(entry.seq, f"row {entry.seq} was changed, or a row before it was"),)
        before, expected, last_at = entry.hash, entry.seq + 1, entry.at
        hashes[entry.seq] = entry.hash
    return _against_head(run, hashes, journal, last_at)


def _against_head(run: RunFolder, hashes: dict[int, str], journal: SqliteJournal, last_at: str) -> tuple[Damage, ...]:
    try:
        seq_text, head = run.head.read_text(encoding="ascii").split()
        seq = int(seq_text)
    except (OSError, ValueError):
        return (Damage(0, "the chain's head outside the journal is missing or unreadable"),) if hashes else ()
    if seq not in hashes:
        return (Damage(seq, f"the journal was cut: its head was once row {seq}, the last row now is {max(hashes, default=0)}"),)
    if hashes[seq] != head:
        return (Damage(seq, "the journal was replaced: its head outside does not fit"),)
    # The head is written after the commit, so a crash may leave it one append (rows of one time stamp) behind.
    late = {entry.at for entry in journal.entries() if entry.seq > seq}
    if late - {last_at}:
        return (Damage(seq + 1, "rows were added behind the head's back"),)
    return ()
