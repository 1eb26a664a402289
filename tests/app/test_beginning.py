"""A run starts completely or not at all; a full disk is a user error, not a bug."""

import json
import resource
from pathlib import Path

import pytest

from counterproof.app.beginning import begun, first_journal
from counterproof.app.files import write_whole
from counterproof.model.errors import StorageError, UserError
from counterproof.runtime import lock
from counterproof.runtime.home import Home


def test_a_run_that_cannot_be_written_down_leaves_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, before[1]))  # stands in for a full disk
    try:
        with pytest.raises(UserError, match=r"cannot start a run in .*home") as raised:
            begun(home, {"job": "audit", "target": "x"})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "COUNTERPROOF_HOME" in raised.value.hint
    assert home.runs() == []
    assert json.loads((begun(home, {"job": "audit"}).path / "request.json").read_text())["job"] == "audit"


def test_a_lock_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    run = begun(Home(tmp_path / "home"), {"job": "audit"})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(StorageError, match="could not be written") as raised, lock.held(run):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert run.id in raised.value.hint
    with lock.held(run):
        assert run.lock.stat().st_size


@pytest.mark.rule("F16")
def test_a_journal_that_finds_no_room_leaves_no_run(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    run = begun(home, {"job": "audit"})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, before[1]))
    try:
        with pytest.raises(UserError, match="cannot start a run"):
            first_journal(home, run)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert home.runs() == []
    assert not [path for path in home.root.rglob("*") if path.is_file()]


def test_a_file_that_finds_no_room_leaves_no_draft(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_whole(tmp_path / "report.md", "a report\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []
