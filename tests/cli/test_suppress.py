"""`suppress`: an exception for a finding, and the audit that honours it."""

import shlex
import tomllib
from datetime import date, timedelta
from pathlib import Path

import pytest

from cli.command import counterproof, small_app

UNTIL = f"{date.today() + timedelta(days=30):%Y-%m-%d}"
WHY = ("--reason", 'tested "by hand"\n[[exception]]', "--until", UNTIL)


@pytest.fixture
def audited(tmp_path: Path, home: Path) -> Path:
    root = small_app(tmp_path / "app")
    assert counterproof("audit", str(root), "--mode", "quick", "--quiet").returncode == 1
    return root


def next_command(stdout: str) -> list[str]:
    return shlex.split(stdout.partition("Next: counterproof ")[2])


def test_suppressed_finding_is_accepted_by_the_printed_command(audited: Path) -> None:
    done = [counterproof("suppress", number, *WHY) for number in ("C-01", "c-02")]
    assert [each.returncode for each in done] == [0, 0], done
    assert "Latest run: audit of" in done[0].stderr
    assert f"C-01 is accepted until {UNTIL}" in done[0].stdout
    again = counterproof(*next_command(done[1].stdout))
    assert "2 accepted for a while" in again.stdout
    assert again.returncode in (0, 3)


def test_explain_names_the_command_that_suppresses_a_finding(audited: Path) -> None:
    shown = counterproof("explain", "C-01").stdout
    (command,) = (line.strip() for line in shown.splitlines() if line.strip().startswith("counterproof suppress "))
    assert "If it is wrong, or cannot be fixed now" in shown
    done = counterproof(*shlex.split(command)[1:], *WHY)
    assert "C-01 is accepted" in done.stdout, done.stderr


def test_exception_is_added_to_a_file_that_exists_and_never_twice(audited: Path, tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    kept = """# ours\n[[exception]]\nfingerprint = "aa"\nreason = "r"\nauthor = "Ada"\nexpires = 2999-01-31\n"""
    file.write_text(kept)
    written = counterproof("suppress", "C-01", *WHY, "--author", "Grace", "--exceptions", str(file))
    assert written.returncode == 0, written.stderr
    assert file.read_text().startswith(kept)
    first, second = tomllib.loads(file.read_text())["exception"]
    assert (first["author"], second["author"], second["expires"]) == ("Ada", "Grace", date.fromisoformat(UNTIL))
    twice = counterproof("suppress", "C-01", *WHY, "--exceptions", str(file))
    assert twice.returncode == 2
    assert "already has an exception for C-01" in twice.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("C-01",), "needs a reason and a last day"),
        (("C-01", "--reason", "x"), "needs a last day\n  add --until DATE\n"),
        (("C-99", *WHY), "'C-99' names no finding"),
        (("C-01", "--reason", "x", "--until", "soon"), "'soon' is not a date"),
        (("C-01", "--reason", "x", "--until", "2001-01-01"), "in the past"),
    ],
)
def test_incomplete_exception_is_rejected_with_what_to_add(audited: Path, arguments: tuple[str, ...], said: str) -> None:
    refused = counterproof("suppress", *arguments)
    assert refused.returncode == 2
    assert said in refused.stderr


def test_damaged_file_is_left_as_it_is(audited: Path, tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text("exception = 3")
    assert counterproof("suppress", "C-01", *WHY, "--exceptions", str(file)).returncode == 2
    assert file.read_text() == "exception = 3"


def test_file_in_the_target_counts_as_of_a_trusted_revision(audited: Path) -> None:
    done = counterproof("suppress", "C-01", *WHY, "--exceptions", str(audited / "known.toml"))
    assert "--trust-ref REV" in done.stdout
