"""The debug triggers themselves: exact, counted, and never set by a typo."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from counterproof.model.errors import UserError
from counterproof.runtime import crashpoints

PASSING = """
from counterproof.runtime.crashpoints import reached
for number in range(4):
    print(number, flush=True)
    reached("mid-report")
    reached("after-", "surveyed")
"""


@pytest.mark.parametrize(
    ("variable", "value", "ended", "printed"),
    [
        ("COUNTERPROOF_CRASH_AT", "mid-report", -signal.SIGKILL, 1),
        ("COUNTERPROOF_CRASH_AT", "mid-report:3", -signal.SIGKILL, 3),
        ("COUNTERPROOF_CRASH_AT", "after-surveyed:2", -signal.SIGKILL, 2),
        ("COUNTERPROOF_CRASH_AT", "after-surveyed:9", 0, 4),
        ("COUNTERPROOF_STOP_AT", "after-surveyed", -signal.SIGINT, 1),
        ("COUNTERPROOF_CRASH_AT", "", 0, 4),
    ],
)
def test_a_process_dies_exactly_at_its_point(variable: str, value: str, ended: int, printed: int) -> None:
    environment = {**os.environ, variable: value}
    result = subprocess.run([sys.executable, "-c", PASSING], env=environment, capture_output=True, text=True)
    assert result.returncode == ended
    assert len(result.stdout.split()) == printed


@pytest.mark.parametrize("value", ["mid-reprot", "mid-report:0", "mid-report:x", ":2", "mid-report:²"])
def test_a_point_that_does_not_exist_is_an_error(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERPROOF_CRASH_AT", value)
    with pytest.raises(UserError, match="is not a crash point"):
        crashpoints.rearm()
    monkeypatch.delenv("COUNTERPROOF_CRASH_AT")
    crashpoints.rearm()


def test_every_point_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "durability.md").read_text(encoding="utf-8")
    for name, meaning in crashpoints.POINTS.items():
        assert f"| `{name}` | {meaning} |" in page
