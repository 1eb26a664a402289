"""A run's journal in PostgreSQL: the same rows, hashes and rules as the local one, behind the same port.

Invariant: every append is one transaction that checks the lease's epoch and the head before it inserts, and moves the head
with the rows; a worker whose lease was taken over is rejected, whatever it still has in memory. After a lost connection the
append is repeated; the database reports if it was already done. With a lease a journal is also read by it; without one, by any
login with rights to the tables. Not handled here: taking leases, which belongs to the queue.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from counterproof.model.errors import JournalError
from counterproof.ports import Clock, Entry
from counterproof.runtime.chain import chained, genesis
from counterproof.runtime.crashpoints import reached
from counterproof.runtime.heads import Head, Position
from counterproof.runtime.home import RunFolder
from counterproof.runtime.inbox import Inbox
from counterproof.runtime.postgres.database import Database

_PAGE = 1_000
_APPEND = "SELECT counterproof.append(%s, %s, %s, %s, %s::text[], %s::text[], %s::bytea[], %s::text[], %s::bytea)"
_ENTRIES = "SELECT seq, at, kind, body, hash FROM counterproof.entries WHERE run = %s AND seq > %s ORDER BY seq LIMIT %s"
_END = "SELECT seq, hash FROM counterproof.entries WHERE run = %s ORDER BY seq DESC LIMIT 1"
_REPLY = "SELECT raw FROM counterproof.replies WHERE run = %s AND seq = %s"
_REPLY_ROWS = "SELECT seq FROM counterproof.replies WHERE run = %s ORDER BY seq"
_HEAD = "SELECT head_seq, head_hash FROM counterproof.runs WHERE run = %s"
_LEASED = {
    _HEAD: "SELECT head_seq, head_hash FROM counterproof.leased_head(%s, %s)",
    _ENTRIES: "SELECT seq, at, kind, body, hash FROM counterproof.leased_entries(%s, %s, %s, %s)",
    _END: "SELECT seq, hash FROM counterproof.leased_end(%s, %s)",
    _REPLY: "SELECT counterproof.leased_reply(%s, %s, %s)",
    _REPLY_ROWS: "SELECT counterproof.leased_reply_rows(%s, %s)",
}
"""The same statements under a lease."""
_LEASES = 40
"""The random bits of an epoch; the higher bits count the leases."""


class LeaseLost(JournalError):
    """Another worker drives the run now. This one can no longer change anything."""

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"another worker took over run {run_id}", "nothing is lost: that worker continues where the journal ends"
        )


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to drive a run, until a higher epoch is taken. Knowing the epoch is holding the lease."""

    run: str
    epoch: int


class PostgresJournal:
    """One run's journal. Read-only without a lease."""

    def __init__(self, database: Database, run: RunFolder, clock: Clock, lease: Lease | None = None) -> None:
        self._database, self._run, self._clock, self._lease = database, run, clock, lease
        self.writable = lease is not None
        self.inbox = _inbox(run, lease)
        self._turn = threading.Lock()
        known = self.outside()
        if known is None:
            raise JournalError(f"the fleet has no run {run.id}", "`counterproof fleet status` lists its runs")
        self._seq, self._hash = self._last()

    @property
    def head(self) -> Position:
        return self._seq, self._hash

    def outside(self) -> Head | None:
        """The head in the run's own row: moved in the appending transaction, so it is never pending."""
        found = self._rows(_HEAD)
        return Head(found[0], found[0]) if found else None  # pyright: ignore[reportArgumentType]

    def _last(self) -> Position:
        found = self._rows(_END)
        return (found[0][0], found[0][1]) if found else (0, genesis(self._run.id))

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of this run. Under a lost lease the result is empty, which must not pass for an empty journal."""
        if self._lease is None:
            return self._database.rows(statement, self._run.id, *values)
        found = self._database.rows(_LEASED[statement], self._run.id, self._lease.epoch, *values)
        if not found and not self._database.rows(_LEASED[_HEAD], self._run.id, self._lease.epoch):
            raise LeaseLost(self._run.id)
        return found

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
        if self._lease is None:
            raise JournalError(f"the journal of run {self._run.id} is open for reading only")
        at, hashes, before = self._clock.now(), list[str](), self._hash
        for seq, body in enumerate(bodies, self._seq + 1):
            before = chained(before, seq, at, kind, body)
            hashes.append(before)
        reached("mid-journal")
        texts = [body.encode("utf-8", "surrogatepass") for body in bodies]
        columns = ([at] * len(bodies), [kind] * len(bodies), texts, hashes, raw)
        said = self._database.value(_APPEND, self._run.id, self._lease.epoch, *self.head, *columns)
        reached("before-head")
        if said == "fenced":
            raise LeaseLost(self._run.id)
        if said == "behind":
            raise JournalError(
                f"another process wrote to the journal of run {self._run.id}",
                "only one process may work on a run; stop the other",
            )
        self._seq, self._hash = self._seq + len(bodies), before

    def entries(self) -> Iterator[Entry]:
        """All rows in order, read page by page. `verification` checks the chain."""
        last = -1
        while page := self._rows(_ENTRIES, last, _PAGE):
            for seq, at, kind, body, digest in page:
                try:
                    yield Entry(seq, at, kind, body.decode("utf-8", "surrogatepass"), digest)
                except UnicodeDecodeError as error:
                    raise JournalError(f"row {seq} of the journal of run {self._run.id} is damaged: it is not text") from error
                last = seq

    def raw(self, seq: int) -> bytes | None:
        """The raw reply of a row; None if it has none."""
        found = self._rows(_REPLY, seq)
        return bytes(found[0][0]) if found and found[0][0] is not None else None

    def raw_rows(self) -> tuple[int, ...]:
        """The numbers of all rows with a raw reply."""
        return tuple(seq for (seq,) in self._rows(_REPLY_ROWS))

    def close(self) -> None:
        """Does nothing: the connection belongs to its owner."""
        self.inbox.close()


def _inbox(run: RunFolder, lease: Lease | None) -> Inbox:
    """The inbox of this epoch. Replies that the previous epoch left on this machine are taken over; older ones are ignored,
    because another machine has requested replies since."""
    number = lease.epoch >> _LEASES if lease else 0
    mine = run.inbox.with_name(f"{run.inbox.name}-{number}")
    if lease is not None:
        before = run.inbox.with_name(f"{run.inbox.name}-{number - 1}")
        for other in run.path.glob(f"{run.inbox.name}-*"):
            if other == before:
                other.rename(mine)
            elif other != mine:
                other.unlink()
    return Inbox(mine)
