"""Runs are found by id, locked by one process, and removed whole."""

import multiprocessing
import os
from pathlib import Path

import pytest

from counterproof.model.errors import JournalError, UserError
from counterproof.runtime import lock
from counterproof.runtime.home import Home


def test_a_run_is_found_by_its_id_its_beginning_its_end_and_latest() -> None:
    home = Home()
    runs = sorted((home.create() for _ in range(3)), key=lambda run: run.id)
    first = runs[0]
    assert home.find(first.id) == first
    assert home.find(first.id.rsplit("-", 1)[1]) == first
    assert home.find("latest") == runs[-1]
    with pytest.raises(UserError, match="fits 3 runs"):
        home.find(first.id[:8])
    for name in ("", "zzz", "../.."):
        with pytest.raises(UserError, match="there is no run"):
            home.find(name)


def test_an_unusable_data_folder_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot use"):
        Home(tmp_path / "file" / "below").create()


def hold(folder: str, held: "multiprocessing.synchronize.Event", done: "multiprocessing.synchronize.Event") -> None:
    home = Home(Path(folder))
    with lock.held(home.find("latest")):
        held.set()
        done.wait(20)


@pytest.mark.rule("F15")
def test_a_second_process_is_refused_and_told_who_holds_the_run(home: Path) -> None:
    context = multiprocessing.get_context("spawn")
    run = Home(home).create()
    held, done = context.Event(), context.Event()
    process = context.Process(target=hold, args=(str(home), held, done))
    process.start()
    try:
        assert held.wait(20)
        with pytest.raises(JournalError, match=f"process {process.pid}"), lock.held(run):
            pass
    finally:
        done.set()
        process.join(20)
    with lock.held(run):
        assert run.lock.read_text() == str(os.getpid())


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


def test_removing_a_run_removes_its_head_too() -> None:
    home = Home()
    run = home.create()
    run.head.write_text("1 x")
    home.remove(run)
    assert not run.path.exists()
    assert not run.head.exists()
