"""X16: a value that a reader chokes on costs nothing but itself. A few here, all of them by `benchmarks/odd_values.py`."""

import random
from pathlib import Path

import pytest

from hostile.odd_values import Odd, cases
from hostile.test_one_bad_value import COMMAND, checked, plant

EVERY = list(cases())
FEW = [EVERY[0], *random.Random(22).sample(EVERY, 5)]
"""The first is a number that Python's own `int` refuses."""


@pytest.mark.rule("X16")
@pytest.mark.parametrize("odd", FEW, ids=lambda odd: odd.name[:40])
def test_a_value_that_a_reader_chokes_on(tmp_path: Path, home: Path, odd: Odd) -> None:
    checked(plant(tmp_path / "code", odd.files), {(path, COMMAND) for path in odd.flaws})
