"""The kill harness in small: real processes, real SIGKILL, a model behind real HTTP (F14). The docs have the large run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HARNESS = Path(__file__).parents[2] / "benchmarks" / "kills.py"
MUST_BE_ZERO = (
    "reports_differing",
    "journals_damaged",
    "findings_twice",
    "journalled_asked_again",
    "handed_over_asked_again",
    "answered_work_repeated",
)


def killed(tmp_path: Path, *arguments: str) -> dict[str, int]:
    results = tmp_path / "counts.json"
    command = [sys.executable, str(HARNESS), "--modes", "quick", "--json", str(results), *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return json.loads(results.read_text())["quick"]


@pytest.mark.rule("F14")
def test_killed_at_random_moments_nothing_is_lost_and_nothing_is_done_twice(tmp_path: Path) -> None:
    counts = killed(tmp_path, "--kills", "12")
    assert counts["kills"] >= 12
    assert [counts[name] for name in MUST_BE_ZERO] == [0] * len(MUST_BE_ZERO)
    assert counts["repeats_in_flight"] <= counts["in_flight"]


@pytest.mark.rule("F14", "F15")
def test_killed_at_the_points_that_matter_nothing_is_lost_and_nothing_is_done_twice(tmp_path: Path) -> None:
    points = "mid-journal:4,before-head:4,after-send,reply-received,reply-stored,mid-report:2,before-receipt,recovering"
    counts = killed(tmp_path, "--points", points)
    assert counts["kills"] >= 10
    assert [counts[name] for name in MUST_BE_ZERO] == [0] * len(MUST_BE_ZERO)


@pytest.mark.nightly
@pytest.mark.rule("F14")
def test_model_agents_over_http_survive_too(tmp_path: Path) -> None:
    pytest.importorskip("pydantic_ai")
    counts = killed(tmp_path, "--team", "models", "--kills", "4", "--points", "before-send,after-send:2,reply-stored:3")
    assert counts["kills"] >= 7
    assert [counts[name] for name in MUST_BE_ZERO] == [0] * len(MUST_BE_ZERO)
