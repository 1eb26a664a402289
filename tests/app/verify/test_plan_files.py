"""Finding and reading the plan's file (P1)."""

import os
from pathlib import Path

import pytest

from counterproof.app import plan_file as documents
from counterproof.model.errors import UserError


@pytest.mark.rule("P1")
def test_the_newest_plan_of_the_usual_folders_is_taken(tmp_path: Path) -> None:
    for number, name in enumerate(("docs/plans/old.md", "plans/new.md", "PLAN.md")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# A plan\n")
        os.utime(path, (1_000 + number * (1 if name != "PLAN.md" else -10),) * 2)
    (tmp_path / "plans" / "newest.png").write_bytes(b"x")
    assert documents.newest_plan(tmp_path) == tmp_path / "plans/new.md"


@pytest.mark.rule("P1")
def test_no_plan_anywhere_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no plan was named"):
        documents.newest_plan(tmp_path)


@pytest.mark.rule("P1")
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b"\x00\x01", "is binary"),
        (b"a plan\x00" * 100, "is binary"),
        (b"\xff\xfe plan", "not UTF-8"),
        (b"x" * (documents.MAX_BYTES + 1), "longer than"),
        (b"a\n" * (documents.MAX_LINES + 1), "too many lines"),
    ],
)
def test_what_cannot_be_a_plan_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "PLAN.md"
    path.write_bytes(content)
    with pytest.raises(UserError, match=why):
        documents.read_document(path)


@pytest.mark.rule("P1")
def test_a_stray_nul_in_a_long_text_does_not_make_it_binary(tmp_path: Path) -> None:
    path = tmp_path / "PLAN.md"
    path.write_bytes(b"# A plan\n\n" + b"1. Change it.\n" * 100 + b"key = `a\x00b`\n")
    assert "`a\ufffdb`" in documents.read_document(path).text


@pytest.mark.rule("P1")
def test_a_missing_plan_a_folder_and_a_pipe_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    for name in ("missing.md", "", "pipe.md"):
        with pytest.raises(UserError, match="cannot be read"):
            documents.read_document(tmp_path / name)


def test_a_link_among_the_plans_is_not_taken_by_itself(tmp_path: Path) -> None:
    (tmp_path / "plans").mkdir()
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "plans" / "link.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(UserError):
        documents.newest_plan(tmp_path)
