"""Trees on disk for the survey's tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

Plant = Callable[..., Path]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """An empty folder to audit."""
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


@pytest.fixture
def plant(target: Path) -> Plant:
    """`plant("a/b.py", "text")` writes a file beneath the target."""

    def write(path: str, content: str | bytes = "x = 1\n") -> Path:
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        return place

    return write
