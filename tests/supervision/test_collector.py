"""A process that audits again and again does not run into its own garbage."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from counterproof.analysis import ceiling
from counterproof.analysis.ceiling import Ceiling
from counterproof.supervision.collector import COLLECTOR
from counterproof.supervision.supervisor import resident
from counterproof.toolbox.workspace import Turn


class Knot:
    """Refers to itself, so that only the collector takes it away."""

    def __init__(self, text: bytes) -> None:
        self.itself = self
        self.text = text


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_overlapping_turns_restore_the_gc_thresholds() -> None:
    usual, one, other = gc.get_threshold(), Turn(), Turn()
    one.__enter__()
    other.__enter__()
    one.__exit__()
    assert gc.get_threshold() != usual
    other.__exit__()
    assert gc.get_threshold() == usual


NONE, FAR, NEAR = 0, 100, 3
"""Limits of memory in times of what this process takes: none, one far above it, one that it takes a third of."""


@pytest.mark.parametrize(
    ("limit", "objects", "share", "left"),
    [
        pytest.param(NONE, 0, 0, True, id="no-limit-few-objects"),
        pytest.param(NONE, 1_000_000, 0, False, id="no-limit-many-objects"),
        pytest.param(FAR, 0, 0.5, True, id="far-from-the-limit"),
        pytest.param(NEAR, 0, 0, True, id="near-the-limit-little-memory"),
        pytest.param(NEAR, 0, 0.5, False, id="near-the-limit-much-memory"),
    ],
)
def test_a_new_run_collects_the_garbage_of_earlier_ones_only_where_it_grew_much(
    monkeypatch: pytest.MonkeyPatch, limit: int, objects: int, share: float, left: bool
) -> None:
    memory = resident("self")
    monkeypatch.setattr(ceiling, "memory_limit", lambda: limit * memory)
    monkeypatch.setattr(COLLECTOR, "_memory", 0)
    monkeypatch.setattr(COLLECTOR, "_objects", 0)
    gc.freeze()
    Ceiling()
    kept = gc.get_freeze_count()
    with Turn():
        seen = weakref.ref(Knot(b"x" * int(share * memory)))
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
