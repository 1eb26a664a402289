"""What a change takes away is claimed where the history knows a reason for it, noted where it knows none."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import after_commits, git, project_of
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.kinds import claims_of
from counterproof.analysis.review.scope import Wanted, resolve

PLAIN = """
def first(rows, limit):
    total = 0
    for row in rows:
        total += row.price
    return total / limit
"""
GUARDED = PLAIN.replace("    return total", "    if not limit:\n        return 0\n    return total")
PERMITTED = """
def remove(user, store, key):
    if not user.is_admin:
        return None
    return store.delete(key)
"""
OPEN = PERMITTED.replace("    if not user.is_admin:\n        return None\n", "")


def reviewed(folder: Path, commits: list[tuple[str, str]], now: str) -> tuple[list[Claim], list[str]]:
    """The claims about guards that went, and what is noted, after these commits of one file and a last edit."""
    view = after_commits(folder, commits, now)
    found = claims_of(view, ("edge-cases", "logic", "invariants"), documents=False)
    return [each for each in found if each.at.path == "rows.py"], view.limitations


@pytest.mark.parametrize("message", ["Fix division by zero in first()", "bug: empty limits", "Prevent a crash on no limit"])
def test_what_a_fix_brought_is_claimed_with_its_commit(tmp_path: Path, message: str) -> None:
    claims, _ = reviewed(tmp_path / "tree", [("Begin", PLAIN), (message, GUARDED)], PLAIN)
    (claim,) = claims
    commit = git(tmp_path / "tree", "rev-parse", "HEAD")[:12]
    assert f"commit {commit} (“{message}”), which says that it mended something" in claim.why


def test_what_no_fix_brought_is_noted_and_not_claimed(tmp_path: Path) -> None:
    claims, notes = reviewed(tmp_path / "tree", [("Begin", PLAIN), ("Add limits", GUARDED)], PLAIN)
    assert claims == []
    assert [each for each in notes if "no sign that it was there for a reason" in each and "rows.py" in each]


@pytest.mark.parametrize("message", ["Fix typo in docs", "fix lint", "Fix formatting", "Add auto-fix", "refactor secure.py"])
def test_what_mends_nothing_that_runs_is_no_reason(tmp_path: Path, message: str) -> None:
    claims, notes = reviewed(tmp_path / "tree", [("Begin", PLAIN), (message, GUARDED)], PLAIN)
    assert claims == []
    assert [each for each in notes if "no sign that it was there for a reason" in each]


def test_lines_that_a_whole_history_begins_with_have_no_reason_either(tmp_path: Path) -> None:
    claims, notes = reviewed(tmp_path / "tree", [("Add limits", GUARDED)], PLAIN)
    assert claims == []
    assert [each for each in notes if "no sign that it was there for a reason" in each]


def test_where_the_history_is_cut_short_the_reason_is_assumed(tmp_path: Path) -> None:
    reviewed(tmp_path / "tree", [("Begin", PLAIN), ("Add limits", GUARDED)], PLAIN)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{tmp_path / 'tree'}", "part")
    (tmp_path / "part" / "rows.py").write_text(PLAIN)
    project = project_of(tmp_path / "part")
    done = resolve(project, Wanted())
    (claim,) = claims_of(View(project, done.scope, done.before), ("edge-cases", "logic", "invariants"), documents=False)
    assert claim.why.endswith("Assumed: the old code had a reason.")


def test_what_keeps_somebody_out_is_claimed_whatever_brought_it(tmp_path: Path) -> None:
    claims, _ = reviewed(tmp_path / "tree", [("Begin", OPEN), ("Only for some", PERMITTED)], OPEN)
    assert [each for each in claims if "is_admin" in each.title]


def test_what_the_change_says_of_itself_does_not_count(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    reviewed(folder, [("Begin", PLAIN), ("Add limits", GUARDED)], PLAIN)
    git(folder, "commit", "-qm", "Fix a crash")
    project = project_of(folder)
    done = resolve(project, Wanted(diff="HEAD~1..HEAD"))
    assert not claims_of(View(project, done.scope, done.before), ("edge-cases", "logic", "invariants"), documents=False)
