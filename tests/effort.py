"""How much of what could be tried a run of the tests tries."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings


def examples(full: int) -> int:
    """`full` of them, or the part of that which the profile takes: `--hypothesis-profile=push` takes a third."""
    return max(1, full * settings().max_examples // 100)


def every_other(values: Iterable[Any]) -> list[Any]:
    """`values` as parameters of a test, every second one `nightly`."""
    return [pytest.param(value, marks=pytest.mark.nightly if number % 2 else ()) for number, value in enumerate(values)]
