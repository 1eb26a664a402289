"""A process that audits again and again does not run into its own garbage."""

import gc
import weakref

import pytest

from counterproof.analysis import ceiling


class Knot:
    """Refers to itself, so that only the collector takes it away."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize(("limit", "left"), [(1, False), (1 << 60, True)])
def test_a_new_run_lets_go_what_earlier_ones_left_where_memory_is_short(
    monkeypatch: pytest.MonkeyPatch, limit: int, left: bool
) -> None:
    monkeypatch.setattr(ceiling, "memory_limit", lambda: limit)
    gc.collect()
    gc.disable()
    try:
        seen = weakref.ref(Knot())
        gc.freeze()  # as at the end of a turn
        ceiling.Ceiling()
        assert (seen() is not None) is left
    finally:
        gc.unfreeze()
        gc.enable()
