"""Projects of any language written to disk, and their entry points as short lines that a reader can check at a glance."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from counterproof.analysis.endpoints.verdict import NOT_ANALYSED
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.recon import EntryKind, EntryPoint

Shown = Callable[[dict[str, str]], list[str]]
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


@pytest.fixture
def routes(make_project: ProjectMaker) -> Shown:
    """HTTP routes as `METHOD path file:line guard`, sorted by path; a guard that is not judged as `(its text)`."""

    def guard(entry: EntryPoint) -> str:
        by = entry.guarded_by
        return f"({by.symbol})" if by is not None and by.note.endswith(NOT_ANALYSED) else entry.guard

    def shown(files: dict[str, str]) -> list[str]:
        found = [each for each in other_entry_points(make_project(files)) if each.kind is EntryKind.HTTP]
        return [
            f"{each.method} {each.path} {each.handler} {guard(each)}" for each in sorted(found, key=lambda e: (e.path, e.method))
        ]

    return shown


@pytest.fixture
def others(make_project: ProjectMaker) -> Shown:
    """All other ways in as `kind path file:line`, in the order of their handlers."""

    def shown(files: dict[str, str]) -> list[str]:
        found = [each for each in other_entry_points(make_project(files)) if each.kind is not EntryKind.HTTP]
        return [f"{each.kind} {each.path} {each.handler}" for each in found]

    return shown
