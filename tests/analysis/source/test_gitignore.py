"""`.gitignore` in a survey: honoured for what git does not track, powerless to hide what it does."""

import subprocess
from pathlib import Path

import pytest
from test_git_index import entry, index

from counterproof.analysis.source.gitignore import Ignoring
from counterproof.analysis.source.survey import survey
from counterproof.model.survey import SkipReason


def track(target: Path, *names: str) -> None:
    (target / ".git").mkdir(exist_ok=True)
    (target / ".git" / "index").write_bytes(index([entry(name.encode()) for name in sorted(names)]))


def reviewed(target: Path) -> list[str]:
    return [file.path for file in survey(target).files if file.language]


def test_nested_files_and_negation(target: Path, plant) -> None:
    for name in ("a.py", "log/x.py", "pkg/a.py", "pkg/b.py", "pkg/keep/c.py", "pkg/gone/d.py"):
        plant(name)
    plant(".gitignore", "log/\n*.py\n!a.py\n")
    plant("pkg/.gitignore", "a.py\n!b.py\ngone/\n!keep/*.py\n")
    track(target)
    assert reviewed(target) == ["a.py", "pkg/b.py", "pkg/keep/c.py"]
    skipped = {each.path: each.reason for each in survey(target).skipped}
    assert skipped == dict.fromkeys(("log", "pkg/a.py", "pkg/gone"), SkipReason.IGNORED)


def test_a_file_in_an_ignored_folder_cannot_be_brought_back(target: Path, plant) -> None:
    plant("a.py")
    plant("out/b.py")
    plant(".gitignore", "out/\n!out/b.py\n")
    track(target)
    assert reviewed(target) == ["a.py"]


@pytest.mark.rule("X15")
def test_a_tracked_file_is_reviewed_whatever_the_ignore_file_says(target: Path, plant) -> None:
    for name in ("a.py", "hidden/door.py", "hidden/build.py"):
        plant(name)
    plant(".gitignore", "*\nhidden/\n")
    track(target, "a.py", "hidden/door.py")
    found = survey(target)
    assert [file.path for file in found.files] == ["a.py", "hidden/door.py"]
    assert {each.path for each in found.skipped} == {".gitignore", "hidden/build.py"}


@pytest.mark.rule("X15")
@pytest.mark.parametrize("git", ["absent", "damaged", "a file"])
def test_without_a_readable_index_nothing_is_ignored(target: Path, plant, git: str) -> None:
    plant("a.py")
    plant(".gitignore", "*\n")
    if git == "damaged":
        plant(".git/index", b"DIRC" + b"\xff" * 100)
    elif git == "a file":
        plant(".git", "gitdir: /somewhere/else\n")
    found = survey(target)
    assert "a.py" in [file.path for file in found.files]
    assert bool(found.limitations) is (git != "absent")
    if git != "absent":
        assert "git tracks is unknown" in found.limitations[0]


def test_nested_version_control_data_is_never_entered(target: Path, plant) -> None:
    plant("a.py")
    plant("sub/.git/hooks/evil.py")
    plant("sub/b.py")
    found = survey(target)
    assert [file.path for file in found.files] == ["a.py", "sub/b.py"]
    assert [(each.path, each.reason) for each in found.skipped] == [("sub/.git", SkipReason.SPECIAL)]


@pytest.mark.rule("X16")
def test_patterns_cost_a_bounded_amount_and_then_count_no_more(target: Path) -> None:
    ignoring = Ignoring(max_patterns=100, max_comparisons=1_000)
    file = ignoring.parse(".gitignore", "*.x\n" * 50)
    assert file
    assert ignoring.parse("b/.gitignore", "*.y\n" * 60) is None
    answers = [ignoring.ignored((file,), ("a.x",), directory=False) for _ in range(30)]
    assert answers[0]
    assert not answers[-1]
    assert len(ignoring.limitations) == 2


@pytest.mark.rule("X16")
def test_a_giant_ignore_file_is_not_honoured_and_said(target: Path, plant) -> None:
    plant("a.py")
    plant(".gitignore", "*.py\n" * 100_000)
    track(target)
    found = survey(target)
    assert "a.py" in [file.path for file in found.files]
    assert any("too large" in sentence for sentence in found.limitations)


def test_a_real_repository_agrees(target: Path, plant) -> None:
    for name in ("a.py", "build/b.py", "c.log", "pkg/d.py", "pkg/cache/e.py", "forced.tmp.py"):
        plant(name)
    plant(".gitignore", "build/\n*.log\ncache\n*.tmp.py\n")
    subprocess.run(["git", "init", "-q", "."], cwd=target, check=True)
    subprocess.run(["git", "add", "-A"], cwd=target, check=True)
    subprocess.run(["git", "add", "-f", "forced.tmp.py"], cwd=target, check=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=target, capture_output=True, text=True, check=True
    ).stdout.split()
    assert [file.path for file in survey(target).files] == sorted(listed)
