"""The budget and the rate that all workers of a fleet share, as one run sees them.

Invariant: one transaction decides, in the database; a worker whose lease was taken over can neither reserve nor ask.
"""

from counterproof.protocols.guard.budget import Cost
from counterproof.runtime.postgres.database import Database
from counterproof.runtime.postgres.journal import Lease, LeaseLost


class PostgresBudget:
    """The `CommonBudget` of one run under one lease."""

    def __init__(self, database: Database, lease: Lease) -> None:
        self._database, self._lease = database, lease

    def reserve(self, mark: str, most: Cost) -> bool:
        said = self._said("SELECT counterproof.reserve(%s, %s, %s, %s, %s)", mark, most.tokens, most.micros)
        return said == "reserved"

    def settle(self, mark: str, cost: Cost) -> None:
        self._database.rows(
            "SELECT counterproof.settle(%s, %s, %s, %s, %s)", self._lease.run, self._lease.epoch, mark, cost.tokens, cost.micros
        )

    def wait(self) -> float:
        return float(self._said("SELECT counterproof.depart(%s, %s)"))

    def _said(self, statement: str, *values: object) -> str | float:
        said = self._database.value(statement, self._lease.run, self._lease.epoch, *values)
        if said in (None, "fenced"):
            raise LeaseLost(self._lease.run)
        return said
