"""Fixtures for the tests of journals."""

import contextlib
from collections.abc import Iterator

import pytest

from runtime.places import PLACES, Place, made


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """A new run, and each place in turn to keep its journal in."""
    with contextlib.closing(made(request.param)) as kept:
        yield kept
