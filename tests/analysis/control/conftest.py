"""Small web applications, examined for control weaknesses."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from control_cases import HEAD, Examine, Found

from counterproof.analysis import control
from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import ALL_DIMENSIONS


@pytest.fixture
def project(tmp_path: Path) -> Callable[[str], Project]:
    def made(text: str) -> Project:
        root = tmp_path / "target"
        root.mkdir(exist_ok=True)
        (root / "app.py").write_text(dedent(HEAD) + dedent(text), "utf-8")
        return Project(root, survey(root))

    return made


@pytest.fixture
def examine(project: Callable[[str], Project]) -> Examine:
    def run(text: str) -> Examination:
        made = project(text)
        return control.examine(made, entry_points(made), ALL_DIMENSIONS)

    return run


@pytest.fixture
def found(examine: Examine) -> Found:
    """The weaknesses found, each as its rule and the line it quotes."""

    def run(text: str) -> list[str]:
        return [f"{each.rule}: {each.evidence.splitlines()[0]}" for each in examine(text).findings]

    return run
