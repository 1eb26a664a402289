"""Small projects on disk, surveyed and ready to be examined."""

from collections.abc import Callable
from pathlib import Path

import pytest

from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey


@pytest.fixture
def project_of(tmp_path: Path) -> Callable[[dict[str, str]], Project]:
    """`project_of({"requirements.txt": "flask"})` is a project with these files and one module."""

    def build(files: dict[str, str]) -> Project:
        root = tmp_path / "target"
        for path, content in {"app.py": "x = 1\n", **files}.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content, encoding="utf-8")
        return Project(root, survey(root))

    return build
