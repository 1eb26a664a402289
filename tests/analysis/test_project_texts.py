"""Texts that a project keeps: bounded, and never of a file that changed before it was read."""

from pathlib import Path

import pytest

from counterproof.analysis import project as projects
from counterproof.analysis.project import Project
from counterproof.analysis.source.reading import TargetChanged
from counterproof.analysis.source.survey import survey


def test_kept_texts_are_bounded_and_the_ones_read_last_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        (tmp_path / f"{name}.py").write_text(f"{name} = 1\n" + "#" * 30)
    project = Project(tmp_path, survey(tmp_path))
    monkeypatch.setattr(projects, "MAX_TEXTS", 80)
    for name in ("a.py", "b.py", "a.py", "c.py"):
        project.text(name)
    for name in "abc":
        (tmp_path / f"{name}.py").write_text("changed = 1\n")
    assert project.text("a.py").startswith("a = 1")
    assert project.text("c.py").startswith("c = 1")
    with pytest.raises(TargetChanged):
        project.text("b.py")
