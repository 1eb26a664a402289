"""The example protocol: three pieces and one line of the registry, with everything that a run of the others has."""

import sys
from collections.abc import Generator
from pathlib import Path
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from counterproof.app import jobs, stored_runs
from counterproof.cli.console import SilentObserver
from counterproof.model.receipt import Exit
from counterproof.runtime.home import Home

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def checklist() -> Generator[ModuleType]:
    """The example as a package, bound for this test alone."""
    before = list(jobs.JOBS)
    sys.path.insert(0, str(EXAMPLES))
    try:
        example: Any = import_module("checklist")
        if example.JOB not in jobs.JOBS:
            jobs.JOBS.append(example.JOB)
        yield example
    finally:
        sys.path.remove(str(EXAMPLES))
        jobs.JOBS[:] = before


def asked(example: ModuleType, folder: Path, **more: int) -> object:
    (folder / "LICENSE").write_text("MIT License\n")
    (folder / "app.py").write_text("import os\n\nDEBUG = True\n")
    questions = (
        example.protocol.Question("Q1", "Is debugging switched on?", r"DEBUG\s*=\s*True", "**/*.py"),
        example.protocol.Question("Q2", "Is there a password?", r"password\s*=", "**/*.py"),
    )
    return example.Request(str(folder), questions, **more)


def test_every_question_is_answered_with_a_line_or_with_what_was_searched(checklist: ModuleType, tmp_path: Path) -> None:
    ended = checklist.start(asked(checklist, tmp_path), SilentObserver(), Home())
    assert ended.outcome.exit is Exit.FINDINGS
    assert [(row.word, row.path, row.line) for row in ended.report.rows] == [("yes", "app.py", 3), ("no", "", 0)]
    assert "app.py:3: DEBUG = True" in stored_runs.text(ended.run, "markdown")
    assert "Checklist of " in stored_runs.text(ended.run, "html")
    assert "yes: app.py:3" in stored_runs.explained(ended.run, "q1")


def test_a_run_is_decided_again_from_its_journal_and_goes_on_where_it_stopped(checklist: ModuleType, tmp_path: Path) -> None:
    ended = checklist.start(asked(checklist, tmp_path), SilentObserver(), Home())
    assert stored_runs.replayed(ended.run).differing == ()
    receipt = ended.run.receipt.read_bytes()
    (ended.run.path / "checklist.html").unlink()
    again = checklist.resume(ended.run, SilentObserver())
    assert again.outcome == ended.outcome
    assert (ended.run.path / "checklist.html").is_file()
    assert ended.run.receipt.read_bytes() == receipt


def test_a_question_that_fails_is_asked_again_and_then_left_unanswered(checklist: ModuleType, tmp_path: Path) -> None:
    asked(checklist, tmp_path)
    broken = checklist.protocol.Question("Q1", "Is this a pattern?", "(")
    sound = checklist.protocol.Question("Q2", "Is there a licence?", "MIT")
    ended = checklist.start(checklist.Request(str(tmp_path), (broken, sound)), SilentObserver(), Home())
    assert ended.outcome.exit is Exit.INCOMPLETE
    assert [row.word for row in ended.report.rows] == ["unanswered", "yes"]


def test_a_yes_without_a_line_is_none(checklist: ModuleType) -> None:
    question = checklist.protocol.Question("Q1", "?", "x")
    assert checklist.protocol.accept(checklist.protocol.Row(question, "a.py", 3, "  ")).word == "unanswered"
