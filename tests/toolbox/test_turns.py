"""One analyst at a time, and a garbage collector that looks at what they made only when it must."""

import gc

from counterproof.toolbox.workspace import Turn


def test_a_turn_restores_the_collector_and_the_next_one_frees_its_garbage() -> None:
    gc.unfreeze()
    usual, turn = gc.get_threshold(), Turn()
    try:
        with turn:
            assert gc.get_threshold() != usual
        assert gc.get_threshold() == usual
        assert gc.get_freeze_count() > 0
        with turn:
            assert gc.get_freeze_count() == 0
    finally:
        gc.unfreeze()
