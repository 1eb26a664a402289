"""X16: what a file costs grows with its size, whatever its shape. A few shapes of each class run here, small, and their work is
counted in calls, which do not depend on the machine; `benchmarks/shapes.py` runs them all, large, and takes the time.
"""

import random
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from hostile.hidden_code import PYTHON_FLAW
from hostile.quick_audit import audited, plant
from hostile.shapes import DATA, PYTHON, SCRIPTS, TREES, tree

FLAW = ("main.py", 78)
SMALL, LARGE = 60, 180
SLACK = 1.25
"""A little more than in proportion: the depth of what is kept sorted, the first use of a part."""
OFTEN, RARELY = (
    [random.Random(16).sample(sorted(shapes), 2)[each] for shapes in (PYTHON, SCRIPTS, DATA, TREES)] for each in range(2)
)


def calls(root: Path, files: dict[str, bytes]) -> int:
    """How many functions an audit calls, in all its threads."""
    counted = 0

    def count(frame: object, event: str, argument: object) -> Any:
        nonlocal counted
        counted += event in ("call", "c_call")

    threading.setprofile(count)
    sys.setprofile(count)
    try:
        seen = audited(plant(root, files))
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert FLAW in seen.flaws
    return counted


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> int:
    """What an audit costs without any shape, once everything is imported."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("COUNTERPROOF_HOME", str(tmp_path_factory.mktemp("home")))
        environment.setenv("COUNTERPROOF_CACHE", "off")
        calls(tmp_path_factory.mktemp("warm"), tree("routes", 5) | tree("routes of scripts", 5))
        return calls(tmp_path_factory.mktemp("alone"), {"main.py": PYTHON_FLAW.encode()})


@pytest.mark.rule("X16")
@pytest.mark.parametrize("name", [*OFTEN, *(pytest.param(name, marks=pytest.mark.nightly) for name in RARELY)])
def test_work_grows_no_faster_than_the_file(
    tmp_path: Path, home: Path, alone: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERPROOF_CACHE", "off")
    small, large = (calls(tmp_path / str(size), tree(name, size)) - alone for size in (SMALL, LARGE))
    assert large <= SLACK * (LARGE / SMALL) * max(small, alone // 10)
