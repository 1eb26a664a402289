"""The queue as workers and operators see it: typed calls on the functions of the database.

Invariant: every call is one transaction that may be made twice, because its answer can be lost on the way.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from counterproof.model.batch import Order, Outcome, Row, Spent
from counterproof.model.budget import Limit
from counterproof.runtime.chain import genesis
from counterproof.runtime.codec import Codec
from counterproof.runtime.postgres.database import Database
from counterproof.runtime.postgres.journal import Lease

_SOME: Final = 200
"""Runs that one transaction removes."""
PURSE: Final = (
    "purse", "used_tokens", "held_tokens", "limit_tokens", "used_micros", "held_micros", "limit_micros", "per_minute", "refused"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Work:
    """What a run is about: a row of a batch, with its job, on the batch's terms, which name no other target."""

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
    code: int
    used: Spent
    head: str
    body: str
    """What it is about, where a journal is to be checked."""
    outcome: Outcome | None

    @property
    def work(self) -> Work:
        return _WORK.decode(self.body)


@dataclass(frozen=True, slots=True)
class Status:
    """A fleet at a glance. `running`: worker, login, run, what it says, seconds left of its lease; `purses`: the columns of
    `PURSE`; `batches`: the newest, with how many runs have ended, how many there are, and how many workers were lost over them;
    `quarantined`: login, the run that was rejected, why."""

    draining: bool
    runs: dict[str, int]
    running: list[tuple[Any, ...]]
    purses: list[tuple[Any, ...]]
    batches: list[tuple[Any, ...]]
    quarantined: list[tuple[Any, ...]]


_WORK: "Codec[Work]" = Codec(Work)
_OUTCOME: "Codec[Outcome]" = Codec(Outcome)


class Queue:
    """One connection's view."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def submit(self, order: Order, row: Row) -> None:
        """Put a row with its job into the queue, unless it is there already. A batch with a budget pays from a purse of its
        own."""
        purse = order.id if order.budget != Limit() else "fleet"
        now = datetime.now(UTC)
        run = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        body, key = _WORK.encode(Work(replace(order, targets=()), row)), row.job.key if row.job else ""
        statement = "SELECT counterproof.enqueue(%s, %s, %s, %s, %s, %s, %s)"
        self.database.rows(statement, run, genesis(run), order.id, row.position, body, key, purse)

    def limit(self, purse: str, budget: Limit, per_minute: int | None = None) -> None:
        """Set what may be spent from a purse."""
        self.database.rows("SELECT counterproof.set_limits(%s, %s, %s, %s)", purse, budget.tokens, budget.micros, per_minute)

    def take(self, worker: str, seconds: float) -> Taken | None:
        """The next run, if there is one."""
        found = self.database.rows("SELECT * FROM counterproof.take_next(%s, %s)", worker, seconds)
        if not found:
            return None
        run, epoch, body = found[0]
        return Taken(Lease(run, epoch), _WORK.decode(body))

    def beat(self, lease: Lease, seconds: float, said: str) -> bool:
        """True if the run is still this worker's to drive."""
        return bool(self.database.value("SELECT counterproof.beat(%s, %s, %s, %s)", lease.run, lease.epoch, seconds, said))

    def hand_in(self, lease: Lease, state: str, code: int, said: str) -> bool:
        """The end of this worker's part: `unverified` where a journal is to be checked, or why there is none. False where the run
        is another's by now: then nothing of this counts."""
        return bool(
            self.database.value("SELECT counterproof.hand_in(%s, %s, %s, %s, %s)", lease.run, lease.epoch, state, code, said)
        )

    def accept(self, run: Standing, outcome: Outcome, files: Mapping[str, bytes]) -> bool:
        """What was handed in holds. False where it is not what was checked any more."""
        statement = "SELECT counterproof.accept(%s, %s, %s, %s::text[], %s::bytea[])"
        body = _OUTCOME.encode(outcome)
        return bool(self.database.value(statement, run.run, run.head, body, list(files), list(files.values())))

    def reject(self, run: str, row: int, why: str) -> str:
        """What was handed in does not hold, from a row of its journal on, or as a whole (0). Answers whose login is in quarantine
        for it; '' where somebody else decided before."""
        return str(self.database.value("SELECT counterproof.reject(%s, %s, %s)", run, row, why) or "")

    def release(self, login: str) -> bool:
        """Let a login work again."""
        return bool(self.database.value("SELECT counterproof.release(%s)", login))

    def known(self, key: str) -> tuple[Outcome, dict[str, bytes]] | None:
        """The lasting outcome of an earlier run of the same job, with its files."""
        statement = (
            "SELECT run, outcome FROM counterproof.runs WHERE job_key = %s AND state = 'done' ORDER BY number DESC LIMIT 1"
        )
        found = self.database.rows(statement, key) if key else []
        outcome = _OUTCOME.decode(found[0][1]) if found else None
        return (outcome, self.files(found[0][0])) if outcome and outcome.is_lasting else None

    def files(self, run: str) -> dict[str, bytes]:
        rows = self.database.rows("SELECT name, body FROM counterproof.files WHERE run = %s ORDER BY name", run)
        return {name: bytes(body) for name, body in rows}

    def standings(self, batch: str) -> list[Standing]:
        """The runs of a batch that count, in the order of its list."""
        return self._standings("batch = %s AND state NOT IN ('apart', 'rejected') ORDER BY position", batch)

    def standing(self, run: str) -> Standing | None:
        """How that run stands; None where there is none."""
        return next(iter(self._standings("run = %s", run)), None)

    def _standings(self, which: str, value: str) -> list[Standing]:
        columns = "run, position, state, note, worker, deaths, code, used_tokens, used_micros, head_hash"
        body = "CASE WHEN state = 'unverified' THEN job ELSE '' END"
        rows = self.database.rows(f"SELECT {columns}, {body}, outcome FROM counterproof.runs WHERE {which}", value)  # noqa: S608
        return [
            Standing(
                *row[:7], used=Spent(*row[7:9]), head=row[9], body=row[10], outcome=_OUTCOME.decode(row[11]) if row[11] else None
            )
            for row in rows
        ]

    def counts(self) -> dict[str, int]:
        """How many runs there are in each state."""
        rows = self.database.rows(
            "SELECT state, count(*) FROM counterproof.runs WHERE state <> 'apart' GROUP BY state ORDER BY state"
        )
        return {str(state): int(count) for state, count in rows}

    def status(self) -> Status:
        """Everything at a glance."""
        running = self.database.rows(
            "SELECT worker, login::text, run, note, extract(epoch FROM lease_until - clock_timestamp())::float8"
            " FROM counterproof.runs WHERE state = 'running' ORDER BY worker, run"
        )
        batches = self.database.rows(
            "SELECT batch, count(ended_at), count(*), sum(deaths) FROM counterproof.runs WHERE state <> 'apart'"
            " GROUP BY batch ORDER BY batch DESC LIMIT 20"
        )
        quarantined = self.database.rows("SELECT login::text, run, why FROM counterproof.quarantine ORDER BY at")
        return Status(self.draining, self.counts(), running, self.purses(), batches, quarantined)

    def purses(self) -> list[tuple[Any, ...]]:
        """The budgets, with the columns of `PURSE`."""
        return self.database.rows(f"SELECT {', '.join(PURSE)} FROM counterproof.purses ORDER BY purse")  # noqa: S608

    @property
    def draining(self) -> bool:
        return bool(self.database.value("SELECT draining FROM counterproof.fleet_state"))

    def drain(self, wanted: bool) -> None:
        self.database.rows("SELECT counterproof.drain(%s)", wanted)

    def cancel(self, named: str) -> int:
        return int(self.database.value("SELECT counterproof.cancel(%s)", named))

    def retry(self, named: str) -> int:
        return int(self.database.value("SELECT counterproof.retry(%s)", named))

    def prunable(self, before: datetime) -> int:
        """How many runs ended before that time, in batches that have ended. For the owner, like `prune`."""
        return int(self.database.value("SELECT count(*) FROM counterproof.prunable(%s)", before))

    def prune(self, before: datetime) -> int:
        """Remove them with their journals and reports, some at a time."""
        removed = 0
        while some := int(self.database.value("SELECT counterproof.prune(%s, %s)", before, _SOME)):
            removed += some
        return removed
