"""Copies: exact, read-only, under names that Semgrep reads, without anything that could silence it."""

from pathlib import Path

import pytest

from analysis.semgrep.targets import EVAL, tree
from counterproof.analysis.semgrep.staged_copies import stage


def test_copies_keep_their_path_and_bytes_and_cannot_be_written(tmp_path: Path) -> None:
    root, surveyed = tree(tmp_path / "target", {"pkg/app.py": EVAL, "web/page.tsx": "let a = 1;\n"})
    copies = tmp_path / "copies"
    copies.mkdir()
    staged = stage(root, surveyed.files, copies)
    assert sorted(staged.originals) == ["pkg/app.py", "web/page.tsx"]
    assert (copies / "pkg/app.py").read_text() == EVAL
    assert (copies / "pkg/app.py").stat().st_mode & 0o777 == 0o400


@pytest.mark.parametrize(
    ("name", "copy"),
    [("window.pyw", "window.pyw.py"), ("page.mts", "page.mts.ts"), ("tasks.rake", "tasks.rake.rb"), ("A.PY", "A.PY.py")],
)
def test_names_that_semgrep_does_not_know_get_an_ending_that_it_does(tmp_path: Path, name: str, copy: str) -> None:
    root, surveyed = tree(tmp_path / "target", {name: "x = 1\n"})
    copies = tmp_path / "copies"
    copies.mkdir()
    staged = stage(root, surveyed.files, copies)
    assert list(staged.originals) == [copy]
    assert staged.originals[copy].path == name


def test_two_files_that_want_one_name_get_two(tmp_path: Path) -> None:
    root, surveyed = tree(tmp_path / "target", {"a.pyw": "x = 1\n", "a.pyw.py": "x = 2\n"})
    copies = tmp_path / "copies"
    copies.mkdir()
    staged = stage(root, surveyed.files, copies)
    assert len(staged.originals) == 2
    assert {copy: (copies / copy).read_text() for copy in staged.originals} == {
        copy: (root / file.path).read_text() for copy, file in staged.originals.items()
    }


@pytest.mark.rule("X15")
def test_ignore_files_and_settings_of_the_target_are_not_copied(tmp_path: Path) -> None:
    silencing = {
        ".semgrepignore": "*\n",
        "a/.semgrepignore": "*\n",
        ".gitignore": "*\n",
        ".semgrep.yml": "x\n",
        ".semgrep/a.yml": "x\n",
    }
    root, surveyed = tree(tmp_path / "target", {**silencing, "a/app.py": EVAL})
    copies = tmp_path / "copies"
    copies.mkdir()
    assert list(stage(root, surveyed.files, copies).originals) == ["a/app.py"]
