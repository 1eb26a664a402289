"""A run whose journal is in a fleet's database; this process drives it under a worker's lease.

The worker passes the database and the lease in two environment variables. Invariant: they are removed from the environment
when first read, so that no child process inherits them; during the run the journal in the database is authoritative, and the
fleet's key pseudonymises secrets; afterwards a copy of the journal is in the run's folder for readers of the run.
"""

import contextlib
import os
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from counterproof import installation
from counterproof.model.errors import JournalError, UserError
from counterproof.runtime import heads
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RUN_ID, Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.verification import verified

if TYPE_CHECKING:
    from counterproof.ports import CommonBudget
    from counterproof.runtime.postgres.database import Database
    from counterproof.runtime.postgres.journal import Lease

FLEET: Final = "COUNTERPROOF_FLEET"
"""The environment variable that holds the address of the fleet's database."""
LEASE: Final = "COUNTERPROOF_LEASE"
"""The environment variable that holds the run and the epoch of the lease, as RUN:EPOCH."""


@dataclass(frozen=True, slots=True)
class Held:
    """The lease of this process and the database connection."""

    lease: "Lease"
    database: "Database"

    @property
    def budget(self) -> "CommonBudget":
        from counterproof.runtime.postgres.budget import PostgresBudget

        return PostgresBudget(self.database, self.lease)


@cache
def held() -> Held | None:
    """The lease under which this process works; None except in a worker's child process."""
    named = os.environ.pop(LEASE, "")
    if not named:
        return None
    from counterproof.runtime.postgres.database import Database
    from counterproof.runtime.postgres.journal import Lease

    run_id, _, epoch = named.partition(":")
    address = os.environ.pop(FLEET, "")
    if not (RUN_ID.fullmatch(run_id) and epoch.isascii() and epoch.isdigit() and address):
        raise UserError(f"{LEASE} or {FLEET} does not have the value that a worker sets", f"unset {LEASE}")
    database = Database(address, name=f"counterproof {run_id}")
    installation.adopt(bytes(database.value("SELECT key FROM counterproof.fleet_key")))
    return Held(Lease(run_id, int(epoch)), database)


def common_budget() -> "CommonBudget | None":
    """The budget shared by all runs of the fleet; None outside a fleet."""
    mine = held()
    return mine.budget if mine else None


def folder(home: Home) -> RunFolder | None:
    """The folder of the leased run on this machine. Auxiliary runs have a home of their own, and no lease."""
    mine = held()
    return home.adopt(mine.lease.run) if mine and home.root == Home().root else None


def journal(run: RunFolder) -> RunJournal | None:
    """The run's journal in the database, fully verified; None if the run is not the leased one."""
    mine = held()
    if mine is None or mine.lease.run != run.id:
        return None
    from counterproof.runtime.postgres.journal import PostgresJournal

    found = PostgresJournal(mine.database, run, WallClock(), mine.lease)
    damages = verified(run, found).damages
    if damages:
        raise JournalError(f"the journal of run {run.id} is damaged: {damages[0].text}", "`counterproof fleet log` shows more")
    return found


def copied(run: RunFolder, journal: RunJournal) -> None:
    """Copy a journal stored elsewhere to the run's folder as a local one, atomically."""
    if isinstance(journal, SqliteJournal):
        return
    rows = [(entry, journal.raw(entry.seq) if entry.kind == "reply" else None) for entry in journal.entries()]
    making = RunFolder(run.id, run.path, "copy.db")
    with contextlib.closing(SqliteJournal.create(making, WallClock())) as local:
        local.restore(rows)
    for suffix in ("-wal", "-shm"):
        run.journal.with_name(run.journal.name + suffix).unlink(missing_ok=True)
    making.journal.replace(run.journal)
    heads.confirm(run.head, journal.head)
