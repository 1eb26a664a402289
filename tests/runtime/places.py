"""Where a journal can be kept, as the tests of journals see it: the same questions and the same tampering for each place."""

import contextlib
import sqlite3
from pathlib import Path
from typing import Any, Protocol

import postgres
from counterproof.ports import Clock
from counterproof.runtime import heads
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.verification import Verdict, verified, verify

PLACES = ("sqlite", "postgres")


class Place(Protocol):
    """One run and where its journal is kept. `edit` changes rows behind the journal's back, with every right there is."""

    run: RunFolder

    @property
    def inbox(self) -> Path: ...

    def opening(self) -> str: ...

    def expire(self) -> None: ...

    def create(self, clock: Clock | None = None) -> RunJournal: ...

    def open(self, writable: bool = True) -> RunJournal: ...

    def edit(self, statement: str, *values: object) -> list[Any]: ...

    def verdict(self, noted: str = "") -> Verdict: ...

    def forge_head(self, position: heads.Position) -> None: ...

    def close(self) -> None: ...


class SqlitePlace:
    def __init__(self) -> None:
        self.run = Home().create()

    @property
    def inbox(self) -> Path:
        """The file that the next process to open the journal looks into."""
        return self.run.inbox

    def opening(self) -> str:
        """The beginning of a program: it binds `journal`."""
        return f"""
from pathlib import Path
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home
from counterproof.runtime.journal import SqliteJournal
journal = SqliteJournal(Home(Path({str(self.run.path.parent.parent)!r})).runs()[-1], WallClock())
"""

    def expire(self) -> None:
        """The lock of a file dies with its process."""

    def create(self, clock: Clock | None = None) -> SqliteJournal:
        return SqliteJournal.create(self.run, clock or WallClock())

    def open(self, writable: bool = True) -> SqliteJournal:
        return SqliteJournal(self.run, WallClock(), writable)

    def edit(self, statement: str, *values: object) -> list[Any]:
        with contextlib.closing(sqlite3.connect(self.run.journal)) as database, database:
            return database.execute(statement, values).fetchall()

    def verdict(self, noted: str = "") -> Verdict:
        return verify(self.run, noted)

    def forge_head(self, position: heads.Position) -> None:
        heads.confirm(self.run.head, position)

    def close(self) -> None:
        """Nothing stays open between two uses."""


class PostgresPlace:
    """Opened as a worker, read as an operator. Opening for writing takes a new lease only when the last one was given back."""

    def __init__(self) -> None:
        from counterproof.runtime.postgres.database import Database
        from counterproof.runtime.postgres.journal import Lease

        self.run = Home().create()
        self.database = Database(postgres.server().url(postgres.WORKER), patience=5)
        self.reading = Database(postgres.server().url(postgres.OPERATOR), patience=5)
        self.lease: Lease | None = None

    @property
    def inbox(self) -> Path:
        return self.run.inbox.with_name(f"inbox-{self.lease.epoch >> 40 if self.lease else 0}")

    def opening(self) -> str:
        return f"""
import sys
sys.path.insert(0, {str(Path(postgres.__file__).parent)!r})
from pathlib import Path
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home
from counterproof.runtime.postgres.database import Database
from counterproof.runtime.postgres.journal import PostgresJournal
from postgres import take_lease
run = Home(Path({str(self.run.path.parent.parent)!r})).runs()[-1]
database = Database({postgres.server().url(postgres.WORKER)!r})
journal = PostgresJournal(database, run, WallClock(), take_lease(database, run.id))
"""

    def create(self, clock: Clock | None = None) -> RunJournal:
        return self._opened(clock or WallClock())

    def open(self, writable: bool = True) -> RunJournal:
        return self._opened(WallClock(), writable)

    def _opened(self, clock: Clock, writable: bool = True) -> RunJournal:
        from counterproof.runtime.postgres.journal import PostgresJournal

        if writable and self.lease is None:
            self.lease = postgres.take_lease(self.database, self.run.id)
            assert self.lease
        if not writable:
            return PostgresJournal(self.reading, self.run, clock)
        return PostgresJournal(self.database, self.run, clock, self.lease)

    def expire(self) -> None:
        """The worker is thought dead."""
        self.edit("UPDATE counterproof.runs SET lease_until = '-infinity' WHERE run = ?", self.run.id)
        self.lease = None

    def edit(self, statement: str, *values: object) -> list[Any]:
        """As the superuser, with triggers off, and with views in the way that show this run alone under the plain names."""
        import psycopg

        with psycopg.connect(postgres.server().url()) as database:
            database.execute("SET session_replication_role = replica")
            for name, columns in (("entries", "seq, at, kind, body, hash, run"), ("replies", "seq, raw, run")):
                database.execute(
                    f"CREATE TEMP VIEW {name} AS SELECT {columns} FROM counterproof.{name} WHERE run = '{self.run.id}'"
                )
                database.execute(f"ALTER VIEW {name} ALTER COLUMN run SET DEFAULT '{self.run.id}'")
            cursor = database.execute(statement.replace("?", "%s"), values)
            return cursor.fetchall() if cursor.description else []

    def verdict(self, noted: str = "") -> Verdict:
        return verified(self.run, self.open(writable=False), noted)

    def forge_head(self, position: heads.Position) -> None:
        statement = "UPDATE counterproof.runs SET head_seq = ?, head_hash = ? WHERE run = ?"
        self.edit(statement, *position, self.run.id)

    def close(self) -> None:
        self.database.close()
        self.reading.close()


def made(kind: str) -> Place:
    return SqlitePlace() if kind == "sqlite" else PostgresPlace()
