"""`log verify`, `log export`, `replay` and a locked run, as a user meets them."""

import contextlib
import os
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.command import counterproof, small_app
from counterproof.app import audit
from counterproof.app.standing import Standing
from counterproof.cli.console import SilentObserver
from counterproof.cli.main import app
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime import lock
from counterproof.runtime.home import Home, RunFolder


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    request = AuditRequest(str(small_app(tmp_path / "app")))
    return audit.start(request, Standing(), SilentObserver(), Home()).run


def said(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.rule("R33")
def test_a_log_is_exported_verified_and_replayed_from_the_file_alone(run: RunFolder, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    exported = said("log", "export", "latest", "--out", str(path))
    assert exported.exit_code == 0, exported.output
    assert path.stat().st_mode & 0o077 == 0
    here, there = said("log", "verify", "latest"), said("log", "verify", str(path))
    head = here.output.split("head ")[1][:64]
    assert f"head {head}; the journal is whole." in there.output
    assert said("log", "verify", str(path), "--head", head).exit_code == 0
    assert said("log", "verify", "latest", "--head", "0" * 64).exit_code == 4
    stored = {each.name: each.read_bytes() for each in (*run.path.glob("report.*"), run.path / "appendix.md")}
    Home().remove(run)
    out = tmp_path / "out"
    assert said("replay", str(path), "--out", str(out)).exit_code == 0
    assert {each.name: each.read_bytes() for each in out.iterdir()} == stored
    printed = said("replay", str(path), "--format", "markdown")
    assert printed.output.encode() == stored["report.md"]
    assert "byte for byte" in said("replay", str(path)).output


@pytest.mark.rule("X18")
def test_a_changed_log_is_refused_with_the_row(run: RunFolder, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    said("log", "export", run.id, "--out", str(path))
    path.write_bytes(path.read_bytes().replace(b"SQL", b"sql", 1))
    result = said("log", "verify", str(path))
    assert result.exit_code == 4
    assert "was changed" in result.output
    assert "rows before it are intact" in result.output
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        database.execute("DELETE FROM entries WHERE seq = 3")
    result = said("log", "verify", run.id)
    assert result.exit_code == 4
    assert "row 3 is missing" in result.output


def test_a_file_that_cannot_be_written_or_read_is_a_clear_error(run: RunFolder, tmp_path: Path) -> None:
    refused = counterproof("log", "export", "latest", "--out", str(tmp_path / "no" / "such" / "folder.jsonl"))
    assert refused.returncode == 2
    assert "cannot write" in refused.stderr
    missing = counterproof("log", "verify", str(tmp_path / "missing.jsonl"))
    assert missing.returncode == 2
    assert "cannot read" in missing.stderr


@pytest.mark.rule("F15")
def test_a_second_driver_is_refused_with_the_name_of_the_first(run: RunFolder) -> None:
    before = run.journal.read_bytes()
    with lock.held(run):
        refused = counterproof("resume", "latest")
    assert refused.returncode == 4
    assert f"process {os.getpid()} on" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert run.journal.read_bytes() == before


@pytest.mark.rule("F16")
def test_resume_rejects_a_damaged_journal_and_cuts_it_on_request(run: RunFolder) -> None:
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        database.execute("UPDATE entries SET at = 'never' WHERE seq = 6")
    refused = counterproof("resume", "latest")
    assert refused.returncode == 4
    assert "row 6 or an earlier row was changed" in refused.stderr
    assert "--cut-damage" in refused.stderr
    cut = counterproof("resume", "latest", "--cut-damage", "--quiet")
    assert cut.returncode == 1, cut.stderr
    verified = counterproof("log", "verify", "latest")
    assert verified.returncode == 0
    assert "cut by the user after row 5" in verified.stderr
