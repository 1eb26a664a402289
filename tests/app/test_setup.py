"""`counterproof setup` without a network: what it refuses, what it says, and that half an installation does not count."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from counterproof.app.setup import LOCK, SEMGREP_VERSION, install, installed, program_for, semgrep_folder
from counterproof.cli.main import app
from counterproof.model.errors import UserError
from counterproof.runtime.home import Home


def finished(folder: Path, version: str = SEMGREP_VERSION) -> Path:
    """What a finished installation looks like from outside."""
    program = folder / "bin" / "semgrep"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    (folder / "pyvenv.cfg").write_text("")
    (folder / "counterproof-setup").write_text(f"{version}\n")
    return program


def test_the_lock_pins_the_version_and_every_file_by_hash() -> None:
    text = LOCK.read_text(encoding="utf-8")
    assert f"\nsemgrep=={SEMGREP_VERSION} \\\n    --hash=sha256:" in text
    pinned = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
    assert all("==" in line and line.endswith("\\") for line in pinned)
    assert "://" not in text


def test_an_installation_counts_only_when_it_is_whole_and_of_this_version(tmp_path: Path) -> None:
    program = finished(tmp_path / "whole")
    found = installed(tmp_path / "whole")
    assert found
    assert found.program == program
    finished(tmp_path / "old", "1.0.0")
    assert installed(tmp_path / "old") is None
    finished(tmp_path / "half")
    (tmp_path / "half" / "counterproof-setup").unlink()
    assert installed(tmp_path / "half") is None
    assert installed(tmp_path / "nothing") is None


def test_asking_again_changes_nothing(tmp_path: Path) -> None:
    finished(tmp_path / "semgrep")
    said: list[str] = []
    assert install(tmp_path / "semgrep", said.append).version == SEMGREP_VERSION
    assert said == [f"Semgrep {SEMGREP_VERSION} is already installed in {tmp_path / 'semgrep'}."]


def test_a_folder_that_set_up_did_not_make_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "semgrep").mkdir()
    (tmp_path / "semgrep" / "thesis.txt").write_text("years of work")
    with pytest.raises(UserError, match="did not create"):
        install(tmp_path / "semgrep", lambda _: None)
    assert (tmp_path / "semgrep" / "thesis.txt").read_text() == "years of work"


def test_a_folder_without_wheels_is_refused_with_the_way_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no Semgrep wheel") as caught:
        install(tmp_path / "semgrep", lambda _: None, tmp_path)
    assert "pip download" in caught.value.hint


def test_wheels_that_are_not_the_locked_ones_are_not_installed(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / f"semgrep-{SEMGREP_VERSION}-py3-none-any.whl").write_bytes(b"not what the lock names")
    with pytest.raises(UserError, match="pip could not install Semgrep: ERROR"):
        install(tmp_path / "semgrep", lambda _: None, wheels)
    assert installed(tmp_path / "semgrep") is None


def test_two_set_ups_at_once_do_not_meet(tmp_path: Path) -> None:
    script = (
        "import fcntl, sys\n"
        "lock = open(sys.argv[1], 'w')\n"
        "fcntl.flock(lock, fcntl.LOCK_EX)\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "semgrep-setup.lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(UserError, match="another setup is running"):
            install(tmp_path / "semgrep", lambda _: None)
        other.communicate()


def test_the_program_is_the_one_named_else_ours_else_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNTERPROOF_SEMGREP", raising=False)
    home = Home(tmp_path / "data")
    ours = finished(semgrep_folder(home))
    assert program_for(home, tmp_path / "target") == ours
    named = finished(tmp_path / "named")
    monkeypatch.setenv("COUNTERPROOF_SEMGREP", str(named))
    assert program_for(home, tmp_path / "target") == named
    monkeypatch.setenv("COUNTERPROOF_SEMGREP", str(tmp_path / "missing"))
    with pytest.raises(UserError, match="which is not an executable program"):
        program_for(home, tmp_path / "target")


def test_check_reports_the_installation_and_installs_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERPROOF_SEMGREP", "")
    missing = CliRunner().invoke(app, ["setup", "--check"])
    assert "`counterproof setup` installs it" in missing.output
    assert not semgrep_folder(Home()).exists()
    finished(semgrep_folder(Home()))
    there = CliRunner().invoke(app, ["setup", "--check"])
    assert there.exit_code == 0
    assert f"Semgrep {SEMGREP_VERSION} is ready in {home / 'semgrep'}" in there.output


def test_the_lock_file_can_be_asked_for() -> None:
    assert CliRunner().invoke(app, ["setup", "--lock"]).output == f"{LOCK}\n"
