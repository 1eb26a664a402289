"""The receipt is inside what is verified, every reader refuses a broken log, and a signed one shows a forgery of the whole."""

import contextlib
import json
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.command import small_app
from counterproof.app import audit
from counterproof.app.standing import Standing
from counterproof.cli.console import SilentObserver
from counterproof.cli.main import app
from counterproof.model.errors import JournalError, UserError
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime import heads
from counterproof.runtime.chain import chained, genesis
from counterproof.runtime.home import Home, RunFolder


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return audit.start(AuditRequest(str(small_app(tmp_path / "app"))), Standing(), SilentObserver(), Home()).run


def said(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def rechained(run: RunFolder, edit: Callable[[str, str], str]) -> None:
    """Rewrite rows, every hash after them, and the head outside: the forgery of someone who can write all files."""
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        before, last = genesis(run.id), (0, "")
        for seq, at, kind, body in database.execute("SELECT seq, at, kind, body FROM entries ORDER BY seq").fetchall():
            body = edit(kind, body)
            before = chained(before, seq, at, kind, body)
            database.execute("UPDATE entries SET body = ?, hash = ? WHERE seq = ?", (body, before, seq))
            last = (seq, before)
            if kind == "receipt":
                run.receipt.write_text(body, encoding="utf-8")
    heads.confirm(run.head, last)


@pytest.mark.rule("X18")
def test_every_field_of_the_receipt_is_inside_what_is_verified(run: RunFolder) -> None:
    whole = run.receipt.read_text(encoding="utf-8")
    assert said("log", "verify", run.id).exit_code == 0
    for name in json.loads(whole):
        receipt = json.loads(whole)
        receipt[name] = "forged"
        run.receipt.write_text(json.dumps(receipt, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        result = said("log", "verify", run.id)
        assert result.exit_code == 4, name
        assert "receipt" in result.output
    run.receipt.write_text(whole.replace("\n", " \n", 1), encoding="utf-8")
    assert said("log", "verify", run.id).exit_code == 4


def _readers(run: RunFolder, folder: Path) -> tuple[tuple[str, ...], ...]:
    return (
        ("show", run.id),
        ("show", run.id, "--format", "json"),
        ("show", run.id, "--out", str(folder / "out")),
        ("replay", run.id),
        ("explain", "H-01", "--run", run.id),
        ("diff", run.id, run.id),
        ("audit", str(folder / "app"), "--yes", "--baseline", run.id),
    )


@pytest.mark.rule("X18")
@pytest.mark.parametrize("damage", ["row", "receipt"])
def test_every_reader_refuses_a_broken_log(run: RunFolder, tmp_path: Path, damage: str) -> None:
    if damage == "row":
        with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
            database.execute("UPDATE entries SET body = replace(body, 'HIGH', 'LOW') || ' ' WHERE kind = 'event' AND seq > 3")
    else:
        run.receipt.write_text(
            run.receipt.read_text(encoding="utf-8").replace('"exit_code": 1', '"exit_code": 0'), encoding="utf-8"
        )
    for command in _readers(run, tmp_path):
        refused = said(*command).exception
        assert isinstance(refused, JournalError), (command, refused)
        assert "is broken" in str(refused)
        assert f"counterproof log verify {run.id}" in refused.hint


@pytest.mark.rule("X18")
@pytest.mark.parametrize("name", ["report.md", "report.html", "report.json", "report.sarif"])
def test_every_reader_refuses_a_run_whose_report_was_rewritten(run: RunFolder, tmp_path: Path, name: str) -> None:
    """One answer, whether or not the command reads that file; `resume` restores it."""
    whole = (run.path / name).read_bytes()
    (run.path / name).write_bytes(whole.replace(b"SQL", b"sql"))
    for command in _readers(run, tmp_path):
        refused = said(*command).exception
        assert isinstance(refused, JournalError), (command, refused)
        assert f"report of run {run.id} was changed" in str(refused), command
    verified = said("log", "verify", run.id)
    assert verified.exit_code == 4
    assert "was changed" in verified.output
    said("resume", run.id)
    assert (run.path / name).read_bytes() == whole
    assert said("log", "verify", run.id).exit_code == 0


def test_a_receipt_that_was_lost_is_written_again_as_the_log_holds_it(run: RunFolder) -> None:
    whole = run.receipt.read_bytes()
    run.receipt.unlink()
    said("resume", run.id)
    assert run.receipt.read_bytes() == whole
    assert said("log", "verify", run.id).exit_code == 0


@pytest.fixture
def key(tmp_path: Path) -> Path:
    if not shutil.which("ssh-keygen"):
        pytest.skip("ssh-keygen, which signs logs, is not installed")
    for name in ("key", "other"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)], check=True)
    return tmp_path / "key"


@pytest.mark.rule("X18")
def test_a_signed_log_shows_a_forgery_of_the_whole(run: RunFolder, key: Path) -> None:
    public = f"{key}.pub"
    assert said("log", "verify", run.id, "--key", public).exit_code == 4  # nobody signed it yet
    signed = said("log", "sign", run.id, "--key", str(key))
    assert signed.exit_code == 0, signed.output
    assert said("log", "verify", run.id, "--key", public).exit_code == 0
    assert said("log", "verify", run.id, "--key", str(key.with_name("other.pub"))).exit_code == 4
    rechained(run, lambda kind, body: body.replace('"exit_code": 1', '"exit_code": 0') if kind == "receipt" else body)
    assert said("log", "verify", run.id).exit_code == 0  # whole by itself: whoever can write all files can forge them
    forged = said("log", "verify", run.id, "--key", public)
    assert forged.exit_code == 4
    assert "signature" in forged.output


def test_an_exported_log_carries_its_signature_and_what_is_broken_is_not_signed(
    run: RunFolder, key: Path, tmp_path: Path
) -> None:
    said("log", "sign", run.id, "--key", str(key))
    path = tmp_path / "log.jsonl"
    said("log", "export", run.id, "--out", str(path))
    assert said("log", "verify", str(path), "--key", f"{key}.pub").exit_code == 0
    path.write_bytes(path.read_bytes().replace(b"SQL", b"sql", 1))
    assert said("log", "verify", str(path), "--key", f"{key}.pub").exit_code == 4
    refused = said("log", "sign", str(path), "--key", str(key))
    assert refused.exit_code == 4
    assert "not signed" in refused.output
    assert isinstance(said("log", "sign", run.id, "--key", str(tmp_path / "missing")).exception, UserError)
    assert isinstance(said("log", "verify", run.id, "--key", str(run.receipt)).exception, UserError)
