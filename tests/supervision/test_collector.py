"""A process that audits again and again does not run into its own garbage."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from counterproof.analysis import ceiling
from counterproof.analysis.ceiling import Ceiling
from counterproof.supervision.collector import COLLECTOR
from counterproof.toolbox.workspace import Turn


class Knot:
    """Refers to itself, so that only the collector takes it away."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_turns_that_overlap_leave_the_collector_as_it_was() -> None:
    usual, one, other = gc.get_threshold(), Turn(), Turn()
    one.__enter__()
    other.__enter__()
    one.__exit__()
    assert gc.get_threshold() != usual
    other.__exit__()
    assert gc.get_threshold() == usual


MUCH, LITTLE = 1 << 50, 1 << 20
"""Limits of memory that no process of tests comes near to, and that each is far above."""


@pytest.mark.parametrize(
    ("objects", "limit", "left"),
    [
        pytest.param(0, MUCH, True, id="little"),
        pytest.param(1_000_000, MUCH, False, id="many objects"),
        pytest.param(0, LITTLE, False, id="few objects that hold much"),
    ],
)
def test_a_new_run_lets_go_what_earlier_ones_left_where_it_is_much(
    monkeypatch: pytest.MonkeyPatch, objects: int, limit: int, left: bool
) -> None:
    monkeypatch.setattr(ceiling, "memory_limit", lambda: limit)
    COLLECTOR.make_room(pressing=True)
    kept = gc.get_freeze_count()
    with Turn():
        seen = weakref.ref(Knot())
        trees: list[list[int]] = [[] for _ in range(objects and objects + kept)]
    Ceiling()
    assert (seen() is not None) is left
    del trees


def test_a_run_beside_another_leaves_it_alone() -> None:
    with Turn():
        before = gc.get_threshold()
        Ceiling()
        assert gc.get_threshold() == before
        assert gc.get_freeze_count() == 0
