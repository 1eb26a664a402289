"""The real Semgrep, for the tests that need it. Without it they are skipped where one can see it, and fail under CI=true."""

import os
from pathlib import Path

import pytest

from counterproof.analysis.semgrep import find_semgrep

ROOT = Path(__file__).resolve().parents[3]


def _found() -> Path | None:
    named = os.environ.get("COUNTERPROOF_SEMGREP")
    return Path(named) if named else find_semgrep(ROOT / ".semgrep", Path(__file__).parent)


@pytest.fixture(scope="session")
def semgrep() -> Path:
    program = _found()
    if program is None:
        missing = "Semgrep is not installed; `python scripts/install_semgrep.py` brings it"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return program
