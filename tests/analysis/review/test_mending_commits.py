"""Which commit brought the lines that a change removes, and whether it says that it fixed something."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import after_commits, git, project_of
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.mending_commits import Found, Reason, reasons
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.model.location import at

PLAIN = """
def first(rows, limit):
    total = 0
    for row in rows:
        total += row.price
    return total / limit
"""
GUARDED = PLAIN.replace("    return total", "    if not limit:\n        return 0\n    return total")


def reason(view: View) -> Found:
    """Why the guard was there that the change removes above line 6."""
    return reasons(view, (at("rows.py", 6),))[0]


@pytest.mark.parametrize("message", ["Fix division by zero in first()", "bug: empty limits", "Prevent a crash on no limit"])
def test_reasons_lines_of_a_fix_name_its_commit(tmp_path: Path, message: str) -> None:
    found = reason(after_commits(tmp_path / "tree", [("Begin", PLAIN), (message, GUARDED)], PLAIN))
    assert found == Found(Reason.FIXED, f"{git(tmp_path / 'tree', 'rev-parse', 'HEAD')[:12]} (“{message}”)")


@pytest.mark.parametrize(
    "message", ["Add limits", "Fix typo in docs", "fix lint", "Fix formatting", "Add auto-fix", "refactor secure.py"]
)
def test_reasons_lines_of_another_commit_have_none(tmp_path: Path, message: str) -> None:
    assert reason(after_commits(tmp_path / "tree", [("Begin", PLAIN), (message, GUARDED)], PLAIN)).reason is Reason.NONE


def test_reasons_lines_of_the_first_commit_have_none(tmp_path: Path) -> None:
    assert reason(after_commits(tmp_path / "tree", [("Add limits", GUARDED)], PLAIN)).reason is Reason.NONE


def test_reasons_of_a_shallow_history_are_open(tmp_path: Path) -> None:
    after_commits(tmp_path / "tree", [("Begin", PLAIN), ("Add limits", GUARDED)], PLAIN)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{tmp_path / 'tree'}", "part")
    (tmp_path / "part" / "rows.py").write_text(PLAIN)
    project = project_of(tmp_path / "part")
    done = resolve(project, Wanted())
    assert reason(View(project, done.scope, done.before)).reason is Reason.OPEN


def test_reasons_the_message_of_the_change_itself_does_not_count(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    after_commits(folder, [("Begin", PLAIN), ("Add limits", GUARDED)], PLAIN)
    git(folder, "commit", "-qm", "Fix a crash")
    project = project_of(folder)
    done = resolve(project, Wanted(diff="HEAD~1..HEAD"))
    assert reason(View(project, done.scope, done.before)).reason is Reason.NONE
