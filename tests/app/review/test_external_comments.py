"""R31: exports of forges and plain lines as comments, and a review that rules on them from the command line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.review.changed_tree import changed
from cli.command import VULNERABLE, counterproof
from counterproof.app.external_comments import comments_in
from counterproof.model.errors import UserError
from counterproof.model.review.comment import Comment

pytestmark = pytest.mark.rule("R31")

GITHUB = [
    {"path": "app.py", "line": 13, "body": "SQL injection here", "user": {"login": "ada", "type": "User"}},
    {"path": "app.py", "line": None, "original_line": 4, "body": "unused?", "user": {"login": "lint[bot]", "type": "Bot"}},
    {"body": "Looks good overall", "user": {"login": "bob", "type": "User"}},
    {"path": "app.py", "line": 1, "body": "ours <!-- counterproof:abc -->", "user": {"login": "ci", "type": "User"}},
]
GITLAB = [
    {"notes": [
        {"body": "closed it", "system": True, "author": {"username": "ada"}},
        {"body": "why?", "author": {"username": "bob"}, "position": {"new_path": "b.py", "new_line": 7, "old_path": "a.py"}},
    ]},
]  # fmt: skip


def test_exports_of_forges() -> None:
    assert comments_in(json.dumps(GITHUB)) == (
        Comment("ada", "SQL injection here", "app.py", 13),
        Comment("lint[bot]", "unused?", "app.py", 4, bot=True),
        Comment("bob", "Looks good overall"),
    )
    assert comments_in(json.dumps(GITLAB)) == (Comment("bob", "why?", "b.py", 7),)


def test_plain_lines() -> None:
    text = "./app.py:13: SQL injection\nthrough term\napp.py:4:9: unused import\n\nA word in general\n"
    assert comments_in(text) == (
        Comment("", "SQL injection\nthrough term", "app.py", 13),
        Comment("", "unused import", "app.py", 4),
        Comment("", "A word in general"),
    )


@given(st.text(max_size=200) | st.recursive(st.text() | st.integers(), lambda x: st.lists(x) | st.dictionaries(st.sampled_from(
    ("body", "path", "line", "user", "login", "position", "new_line")), x)).map(json.dumps))  # fmt: skip
def test_any_text_gives_comments_or_a_sentence(text: str) -> None:
    try:
        found = comments_in(text)
    except UserError:
        return
    for each in found:
        each.text.encode()
        assert bool(each.path) == bool(each.line)


def test_a_review_rules_on_what_others_said(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {}, {"app.py": VULNERABLE})
    (tmp_path / "comments.json").write_text(json.dumps(GITHUB))
    arguments = ("--diff", "--yes", "--quick", "--comments", str(tmp_path / "comments.json"), "--out", str(tmp_path / "out"))
    said = counterproof("review", *arguments, cwd=folder)
    assert said.returncode == 1, said.stderr
    assert "COMMENTS  1 Fix, 0 No-Fix, 2 Investigate" in said.stdout
    report = json.loads((tmp_path / "out" / "review-report.json").read_text())
    rulings = [(each["comment"]["author"], each["ruling"]) for each in report["comments"]]
    assert rulings == [("ada", "Fix"), ("lint[bot]", "Investigate"), ("bob", "Investigate")]
    assert all(not each["finding"]["id"].startswith("EXT") for each in report["findings"])
    for name in ("review-report.md", "review-report.html"):
        page = (tmp_path / "out" / name).read_text()
        assert "Comments of others" in page
        assert "lint\\[bot\\] (a program)" in page or "lint[bot] (a program)" in page


@pytest.mark.parametrize(("text", "why"), [("", "holds no comment"), ("[{", "cannot be read"), ("{}", "holds no comment")])
def test_a_file_without_comments_is_rejected(tmp_path: Path, text: str, why: str) -> None:
    folder = changed(tmp_path / "a", {}, {"app.py": "x = 1\n"})
    (tmp_path / "c").write_text(text)
    said = counterproof("review", "--yes", "--comments", str(tmp_path / "c"), cwd=folder)
    assert said.returncode == 2
    assert why in said.stderr
