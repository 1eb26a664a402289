"""Runs are found by id, locked by one process, and removed whole."""

import fcntl
import json
import multiprocessing
import os
import socket
import sys
from pathlib import Path

import pytest

from counterproof.app.beginning import begun
from counterproof.model.errors import JournalError, UserError
from counterproof.runtime import lock
from counterproof.runtime.home import Home


def test_a_run_is_found_by_its_id_its_beginning_and_its_end() -> None:
    home = Home()
    runs = [home.create() for _ in range(3)]
    first = runs[0]
    assert home.find(first.id) == first
    assert home.find(first.id.rsplit("-", 1)[1]) == first
    with pytest.raises(UserError, match="fits 3 runs"):
        home.find(first.id[:8])
    for name in ("", "zzz", "../.."):
        with pytest.raises(UserError, match="there is no run"):
            home.find(name)


def test_runs_that_begin_within_one_second_are_listed_in_the_order_they_began() -> None:
    home = Home()
    begun = [home.create() for _ in range(40)]
    assert home.runs() == begun


def test_latest_is_of_the_current_folder_and_never_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home()
    mine, other, empty = (tmp_path / name for name in ("mine", "other", "empty"))
    for folder in (mine / "src", other, empty):
        folder.mkdir(parents=True)
    monkeypatch.chdir(other)
    of_mine = begun(home, {"job": "audit", "target": str(mine)})
    of_plan = begun(home, {"job": "verify", "target": str(tmp_path / "PLAN.md"), "repository": str(mine)})
    of_other = begun(home, {"job": "audit", "target": str(other)})
    for folder, expected in ((other, of_other), (mine, of_plan), (mine / "src", of_plan)):
        monkeypatch.chdir(folder)
        assert home.find("latest") == expected
    assert home.find("latest", other) == of_other
    home.remove(of_plan)
    home.remove(of_other)
    monkeypatch.chdir(other)
    assert home.find("latest") == of_mine  # started here
    monkeypatch.chdir(empty)
    with pytest.raises(UserError, match=f"no run of {empty}") as refused:
        home.find("latest")
    assert of_mine.id in refused.value.hint
    assert str(mine) in refused.value.hint


def test_an_unusable_data_folder_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot use"):
        Home(tmp_path / "file" / "below").create()


def hold(folder: str, held: "multiprocessing.synchronize.Event", done: "multiprocessing.synchronize.Event") -> None:
    home = Home(Path(folder))
    with lock.held(home.runs()[-1]):
        held.set()
        done.wait(20)


@pytest.mark.rule("F15")
def test_a_second_process_is_rejected_and_the_message_names_the_lock_holder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/some/where/counterproof", "resume", "latest"])
    context = multiprocessing.get_context("spawn")
    run = Home(home).create()
    held, done = context.Event(), context.Event()
    process = context.Process(target=hold, args=(str(home), held, done))
    process.start()
    try:
        assert held.wait(20)
        with pytest.raises(JournalError, match=f"process {process.pid} on .* since 20.* \\(") as refused, lock.held(run):
            pass
        assert socket.gethostname() in str(refused.value)
    finally:
        done.set()
        process.join(20)
    with lock.held(run):
        holder = json.loads(run.lock.read_text())
        assert holder["pid"] == os.getpid()
        assert holder["host"] == socket.gethostname()
        assert holder["command"] == "counterproof resume latest"


@pytest.mark.rule("F15")
def test_a_killed_holder_leaves_no_lock_behind(home: Path) -> None:
    context = multiprocessing.get_context("spawn")
    run = Home(home).create()
    held, done = context.Event(), context.Event()
    process = context.Process(target=hold, args=(str(home), held, done))
    process.start()
    assert held.wait(20)
    process.kill()
    process.join(20)
    with lock.held(run):
        pass


@pytest.mark.rule("F15")
def test_a_lock_file_that_was_replaced_is_not_taken_for_the_lock(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between opening and locking, another process may remove the file and lock a new one: then ours is worth nothing."""
    run = Home(home).create()
    flock = fcntl.flock

    def swapped(descriptor: int, operation: int) -> None:
        run.lock.unlink()
        run.lock.touch()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", swapped)
    with pytest.raises(JournalError, match="just removed"), lock.held(run):
        pass


def test_a_lock_whose_holder_has_not_signed_yet_is_still_a_lock(home: Path) -> None:
    run = Home(home).create()
    with lock.held(run):
        run.lock.write_text("{half")
        with pytest.raises(JournalError, match="processed by another process"), lock.held(run):
            pass


def test_removing_a_run_removes_its_head_too() -> None:
    home = Home()
    run = home.create()
    run.head.write_text("1 x")
    home.remove(run)
    assert not run.path.exists()
    assert not run.head.exists()
