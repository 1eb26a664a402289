"""One analyst at a time, and a garbage collector that looks at what they made only when it must."""

import gc

from counterproof.toolbox.workspace import Turn


def test_a_turn_leaves_the_collector_as_it_was_and_the_next_one_hands_back_what_it_set_aside() -> None:
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
