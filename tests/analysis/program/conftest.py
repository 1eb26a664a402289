"""Projects written to disk for the moment: what a test sees is what an audit would see."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey

ProjectMaker = Callable[[dict[str, str]], Project]


@pytest.fixture
def make_project(tmp_path: Path) -> ProjectMaker:
    def made(files: dict[str, str]) -> Project:
        for name, text in files.items():
            target = tmp_path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(dedent(text).lstrip("\n"), "utf-8")
        return Project(tmp_path, survey(tmp_path))

    return made
