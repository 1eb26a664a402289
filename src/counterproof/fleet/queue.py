"""The queue as workers and operators see it: typed calls on the functions of the database.

Always holds: every call is one transaction that may be made twice, because its answer can be lost on the way.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from counterproof.model.batch import Order, Outcome, Row
from counterproof.model.budget import Limit
from counterproof.runtime.chain import genesis
from counterproof.runtime.codec import Codec
from counterproof.runtime.postgres.database import Database
from counterproof.runtime.postgres.journal import Lease

MOST_DEATHS: Final = 20
"""So many workers may die over one run before it is given up."""
_SOME: Final = 200
"""Runs that one transaction removes."""
PURSE: Final = (
    "purse", "used_tokens", "held_tokens", "limit_tokens", "used_micros", "held_micros", "limit_micros", "per_minute", "refused"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Work:
    """What a run is about: a row of a batch on the batch's terms, which name no other target."""

    order: Order
    row: Row


@dataclass(frozen=True, slots=True)
class Taken:
    """A run that is this worker's until the lease runs out."""

    lease: Lease
    work: Work


@dataclass(frozen=True, slots=True)
class Standing:
    """How a run stands."""

    run: str
    position: int
    state: str
    note: str
    worker: str
    deaths: int
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Status:
    """A fleet at a glance. `running`: worker, run, what it says, seconds left of its lease; `purses`: the columns of `PURSE`;
    `batches`: the newest, with how many runs have ended, how many there are, and how many workers were lost over them."""

    draining: bool
    runs: dict[str, int]
    running: list[tuple[Any, ...]]
    purses: list[tuple[Any, ...]]
    batches: list[tuple[Any, ...]]


_WORK: "Codec[Work]" = Codec(Work)
_OUTCOME: "Codec[Outcome]" = Codec(Outcome)


class Queue:
    """One connection's view."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def submit(self, order: Order, row: Row) -> None:
        """Put a row into the queue, unless it is there already. A batch with a budget pays from a purse of its own."""
        purse = order.id if order.budget != Limit() else "fleet"
        now = datetime.now(UTC)
        run = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        body = _WORK.encode(Work(replace(order, targets=()), row))
        self._database.rows(
            "SELECT counterproof.enqueue(%s, %s, %s, %s, %s, %s)", run, genesis(run), order.id, row.position, body, purse
        )

    def limit(self, purse: str, budget: Limit, per_minute: int | None = None) -> None:
        """Set what may be spent from a purse."""
        self._database.rows("SELECT counterproof.set_limits(%s, %s, %s, %s)", purse, budget.tokens, budget.micros, per_minute)

    def take(self, worker: str, seconds: float) -> Taken | None:
        """The next run, if there is one."""
        found = self._database.rows("SELECT * FROM counterproof.take_next(%s, %s, %s)", worker, seconds, MOST_DEATHS)
        if not found:
            return None
        run, epoch, body = found[0]
        return Taken(Lease(run, epoch), _WORK.decode(body))

    def beat(self, lease: Lease, seconds: float, said: str) -> bool:
        """Whether the run is still this worker's to drive."""
        return bool(self._database.value("SELECT counterproof.beat(%s, %s, %s, %s)", lease.run, lease.epoch, seconds, said))

    def hand_in(self, lease: Lease, state: str, key: str, outcome: Outcome | None, said: str, files: Mapping[str, bytes]) -> bool:
        """The end of this worker's part. False where the run is another's by now: then nothing of this counts."""
        body = _OUTCOME.encode(outcome) if outcome else ""
        names, bodies = list(files), list(files.values())
        statement = "SELECT counterproof.hand_in(%s, %s, %s, %s, %s, %s, %s::text[], %s::bytea[])"
        return bool(self._database.value(statement, lease.run, lease.epoch, state, key, body, said, names, bodies))

    def known(self, key: str) -> tuple[Outcome, dict[str, bytes]] | None:
        """The lasting outcome of an earlier run of the same job, with its files."""
        found = self._database.rows("SELECT outcome, name, body FROM counterproof.known(%s)", key)
        outcome = _OUTCOME.decode(found[0][0]) if found else None
        return (outcome, {name: bytes(body) for _, name, body in found}) if outcome and outcome.is_lasting else None

    def files(self, run: str) -> dict[str, bytes]:
        rows = self._database.rows("SELECT name, body FROM counterproof.files WHERE run = %s ORDER BY name", run)
        return {name: bytes(body) for name, body in rows}

    def standings(self, batch: str) -> list[Standing]:
        """All runs of a batch, in the order of its list."""
        columns = "run, position, state, note, worker, deaths, outcome"
        rows = self._database.rows(f"SELECT {columns} FROM counterproof.runs WHERE batch = %s ORDER BY position", batch)  # noqa: S608
        return [
            Standing(run, place, state, note, worker, deaths, _OUTCOME.decode(body) if body else None)
            for run, place, state, note, worker, deaths, body in rows
        ]

    def counts(self) -> dict[str, int]:
        """How many runs there are in each state."""
        rows = self._database.rows(
            "SELECT state, count(*) FROM counterproof.runs WHERE state <> 'apart' GROUP BY state ORDER BY state"
        )
        return {str(state): int(count) for state, count in rows}

    def status(self) -> Status:
        """Everything at a glance."""
        running = self._database.rows(
            "SELECT worker, run, note, extract(epoch FROM lease_until - clock_timestamp())::float8 FROM counterproof.runs"
            " WHERE state = 'running' ORDER BY worker, run"
        )
        batches = self._database.rows(
            "SELECT batch, count(ended_at), count(*), sum(deaths) FROM counterproof.runs WHERE state <> 'apart'"
            " GROUP BY batch ORDER BY batch DESC LIMIT 20"
        )
        return Status(self.draining, self.counts(), running, self.purses(), batches)

    def purses(self) -> list[tuple[Any, ...]]:
        """The budgets, with the columns of `PURSE`."""
        return self._database.rows(f"SELECT {', '.join(PURSE)} FROM counterproof.purses ORDER BY purse")  # noqa: S608

    @property
    def draining(self) -> bool:
        return bool(self._database.value("SELECT draining FROM counterproof.fleet_state"))

    def drain(self, wanted: bool) -> None:
        self._database.rows("SELECT counterproof.drain(%s)", wanted)

    def cancel(self, named: str) -> int:
        return int(self._database.value("SELECT counterproof.cancel(%s)", named))

    def retry(self, named: str) -> int:
        return int(self._database.value("SELECT counterproof.retry(%s)", named))

    def prunable(self, before: datetime) -> int:
        """How many runs ended before that time, in batches that have ended. For the owner, like `prune`."""
        return int(self._database.value("SELECT count(*) FROM counterproof.prunable(%s)", before))

    def prune(self, before: datetime) -> int:
        """Remove them with their journals and reports, some at a time."""
        removed = 0
        while some := int(self._database.value("SELECT counterproof.prune(%s, %s)", before, _SOME)):
            removed += some
        return removed
