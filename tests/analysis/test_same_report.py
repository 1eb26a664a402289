"""The same audit twice in one home, under different hash seeds, gives the same bytes: quick and deep, on the example shop."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SHOP = Path(__file__).parents[2] / "examples" / "shop"
FORMATS = ("report.json", "report.sarif", "report.md", "report.html")


def _reports(out: Path, mode: str, seed: str) -> dict[str, bytes]:
    command = [sys.executable, "-P", "-m", "counterproof", "audit", str(SHOP), "--mode", mode, "--yes", "-q", "--out", str(out)]
    environment = {
        **os.environ,
        "PYTHONHASHSEED": seed,
        "COUNTERPROOF_HOME": str(out.parent / "home"),  # its key makes the marks of secrets
        "COUNTERPROOF_CACHE": "off",
    }
    ended = subprocess.run(command, env=environment, check=False, capture_output=True, timeout=300)
    assert ended.returncode in (0, 1, 3), ended.stderr.decode()
    return {name: (out / name).read_bytes() for name in FORMATS}


@pytest.mark.nightly
@pytest.mark.parametrize("mode", ["quick", "deep"])
def test_the_seed_of_hashing_leaves_no_mark(mode: str, tmp_path: Path) -> None:
    first, second = _reports(tmp_path / "one", mode, "11"), _reports(tmp_path / "two", mode, "4242")
    assert first == second
