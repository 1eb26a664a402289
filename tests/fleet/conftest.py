"""Fixtures for the tests of fleets."""

from dataclasses import dataclass

import pytest

import postgres
from counterproof.runtime.postgres.migrations import migrate


@dataclass(frozen=True)
class Addresses:
    """One fleet's database, as each role logs in."""

    owner: str
    worker: str
    other: str
    operator: str


@pytest.fixture
def fleet() -> Addresses:
    """An empty fleet."""
    name = "fleet"
    owner = postgres.new_database(name)
    migrate(owner)
    real = postgres.server()
    return Addresses(
        owner, real.url(postgres.WORKER, name), real.url(postgres.OTHER_WORKER, name), real.url(postgres.OPERATOR, name)
    )
