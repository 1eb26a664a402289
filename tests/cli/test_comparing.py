"""Exceptions and earlier reports come from files that the reviewed code cannot alter; they show in every format."""

import json
import subprocess
from pathlib import Path

import pytest

from cli.command import counterproof, small_app
from counterproof.app.comparison import accepted_findings, known_findings
from counterproof.model.errors import UserError
from counterproof.runtime.home import Home

ONE = '[[exception]]\nfingerprint = "{}"\nreason = "internal host"\nauthor = "Ada"\nexpires = 2999-12-31\n'


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return small_app(tmp_path / "app")


@pytest.fixture
def reviewed(target: Path) -> Path:
    """A repository whose base revision accepts one finding, and whose checked-out change accepts another."""
    git(target, "init")
    (target / "exceptions.toml").write_text(ONE.format("a" * 32))
    git(target, "add", ".")
    git(target, "commit", "-m", "base")
    git(target, "branch", "base")
    (target / "exceptions.toml").write_text(ONE.format("b" * 32))
    git(target, "commit", "-am", "accept my own findings")
    return target


def test_a_file_in_the_target_is_refused(reviewed: Path) -> None:
    with pytest.raises(UserError, match="is in the reviewed code"):
        accepted_findings(reviewed / "exceptions.toml", reviewed)


def test_a_trusted_revision_is_read_and_not_the_change_under_review(reviewed: Path) -> None:
    (one,) = accepted_findings(reviewed / "exceptions.toml", reviewed, "base")
    assert one.fingerprint == "a" * 32
    assert one.expires == "2999-12-31"


@pytest.mark.parametrize("ref", ["HEAD", "@", "HEAD~0", "HEAD^0"])
def test_the_change_under_review_cannot_be_trusted(reviewed: Path, ref: str) -> None:
    with pytest.raises(UserError, match="the very change under review"):
        accepted_findings(reviewed / "exceptions.toml", reviewed, ref)


@pytest.mark.parametrize("ref", ["nowhere", "--upload-pack=x", "base:exceptions.toml"])
def test_a_revision_that_is_none_is_refused(reviewed: Path, ref: str) -> None:
    with pytest.raises(UserError, match="is not a commit"):
        accepted_findings(reviewed / "exceptions.toml", reviewed, ref)


def test_without_a_repository_nothing_can_be_trusted(target: Path) -> None:
    (target / "exceptions.toml").write_text("")
    with pytest.raises(UserError, match="cannot be read"):
        accepted_findings(target / "exceptions.toml", target, "main")


def test_a_link_does_not_hide_where_a_file_lies(target: Path, tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside.toml", target / "inside.toml"
    inside.write_text(ONE.format("a" * 32))
    outside.symlink_to(inside)
    with pytest.raises(UserError, match="is in the reviewed code"):
        accepted_findings(outside, target)
    elsewhere = tmp_path / "elsewhere.toml"
    elsewhere.write_text(ONE.format("a" * 32))
    (target / "link.toml").symlink_to(elsewhere)
    with pytest.raises(UserError, match="is in the reviewed code"):
        accepted_findings(target / "link.toml", target)
    (tmp_path / "alias").symlink_to(target)
    with pytest.raises(UserError, match="is in the reviewed code"):
        accepted_findings(tmp_path / "alias" / "inside.toml", target)
    assert accepted_findings(elsewhere, target)


def test_an_earlier_report_in_the_target_is_refused(target: Path, home: Path) -> None:
    (target / "report.json").write_text('{"findings": []}')
    with pytest.raises(UserError, match="is in the reviewed code"):
        known_findings(Home(), str(target / "report.json"), target)


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        "[[exceptions]]\nreason = 1\n",
        "exception = 3\n",
        '[[exception]]\nfingerprint = "a"\n',
        ONE.format("a") + 'note = "typo"\n',
        ONE.format("a").replace("2999-12-31", '"2999-99-99"'),
        ONE.format("a").replace("Ada", " "),
    ],
)
def test_a_file_that_says_something_else_is_refused(target: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "exceptions.toml"
    file.write_text(text)
    with pytest.raises(UserError):
        accepted_findings(file, target)


@pytest.mark.parametrize("text", ["[]", "{}", '{"findings": [1]}', "[" * 100_000, "\x00"])
def test_a_report_that_is_none_is_refused(target: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "report.json"
    file.write_text(text)
    with pytest.raises(UserError, match="not a JSON report"):
        known_findings(Home(), str(file), target)


def test_history_and_exceptions_show_in_every_format(target: Path, tmp_path: Path) -> None:
    first = tmp_path / "first"
    assert counterproof("audit", "--mode", "quick", str(target), "--out", str(first), "--quiet").returncode == 1
    before = json.loads((first / "report.json").read_text())["findings"]
    (tmp_path / "exceptions.toml").write_text(ONE.format(before[0]["fingerprint"]))
    code = target / "app.py"
    gone = 'subprocess.run("ping -c 1 " + request.args["host"], shell=True, capture_output=True).stdout'
    code.write_text(code.read_text().replace(gone, 'str(eval(request.args["code"]))'))
    out = tmp_path / "out"
    files = ("--baseline", str(first / "report.json"), "--exceptions", str(tmp_path / "exceptions.toml"))
    audited = counterproof("audit", "--mode", "quick", str(target), "--out", str(out), *files)
    assert audited.returncode == 1, audited.stderr
    report = json.loads((out / "report.json").read_text())
    assert sorted(row["history"] for row in report["findings"]) == ["new", "persisting"]
    assert len(report["fixed"]) == 1
    assert "1 new, 0 persisting, 1 fixed; 1 accepted for a while" in audited.stdout
    markdown, page = (out / "report.md").read_text(), (out / "report.html").read_text()
    for text in (markdown, page):
        assert "Fixed since the earlier run" in text
        assert "accepted by Ada until 2999-12-31: internal host" in text
    results = json.loads((out / "report.sarif").read_text())["runs"][0]["results"]
    assert sorted(each["baselineState"] for each in results) == ["new", "unchanged"]
    assert sorted(len(each["suppressions"]) for each in results) == [0, 1]
