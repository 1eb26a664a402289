"""A batch on a fleet of real workers: reports where the batch wants them, workers killed and replaced, secrets unseen (F14)."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from counterproof.app.leased import FLEET
from fleet.test_leased_runs import WEAK

PASSWORD = "a-password-nobody-may-see"


def repositories(folder: Path, count: int) -> Path:
    """Projects that differ, and a list of them."""
    for number in range(count):
        project = folder / "code" / f"shop{number}"
        project.mkdir(parents=True)
        (project / "app.py").write_text(f"{WEAK}\n\nNUMBER = {number}\n")
    (folder / "list").write_text("".join(f"{folder / 'code' / f'shop{number}'}\n" for number in range(count)))
    return folder / "list"


def environment(folder: Path, address: str) -> dict[str, str]:
    known = {name: value for name, value in os.environ.items() if name != "COUNTERPROOF_HOME"}
    return {**known, "COUNTERPROOF_HOME": str(folder), FLEET: address.replace("@", f":{PASSWORD}@")}


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "counterproof", *words]


@contextmanager
def working(folder: Path, address: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker on a disk of its own, until the test leaves it."""
    folder.mkdir()
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command("worker", "--jobs", "1", *words), env=environment(folder / "home", address), stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.wait()


def batched(folder: Path, address: str, listed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    call = command("batch", str(listed), "--out", str(folder / "out"), *words, "--", "--mode", "quick")
    return subprocess.run(call, env=environment(folder / "home", address), capture_output=True, text=True, timeout=300)


def reports(folder: Path) -> dict[str, bytes]:
    found = sorted((folder / "out" / "targets").glob("*/report.*"))
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in found}


def processes() -> str:
    """The words of every process on this machine."""
    said = list[str]()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            said.append(path.read_bytes().decode(errors="replace"))
    return "\n".join(said)


@pytest.mark.rule("F14", "F15")
def test_a_batch_is_audited_by_workers_of_which_one_dies(fleet, tmp_path: Path) -> None:
    listed = repositories(tmp_path, 3)
    with (
        working(tmp_path / "one", fleet.worker, "--lease", "2") as first,
        working(tmp_path / "two", fleet.worker, "--lease", "2"),
    ):
        call = command("batch", str(listed), "--out", str(tmp_path / "out"), "--check-share", "100", "--", "--mode", "quick")
        home = environment(tmp_path / "home", fleet.operator)
        submitter = subprocess.Popen(call, env=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        seen = ""
        while "app.py" not in seen and "--yes" not in seen and submitter.poll() is None:
            seen = processes()
            time.sleep(0.05)
        assert "--yes" in seen  # an audit is under way
        assert PASSWORD not in seen
        first.kill()
        said, _ = submitter.communicate(timeout=300)
    assert submitter.returncode == 1, said
    for each in (said, (tmp_path / "one" / "log").read_text(), (tmp_path / "two" / "log").read_text()):
        assert PASSWORD not in each
    rows = json.loads((tmp_path / "out" / "batch.json").read_text())["targets"]
    assert [row["state"] for row in rows] == ["done"] * 3
    assert len(reports(tmp_path)) == 12
    assert b"sk_live_51H" not in b"".join(reports(tmp_path).values())


@pytest.mark.rule("F14")
def test_a_run_whose_process_was_killed_goes_on_and_is_not_held_against_the_target(fleet, tmp_path: Path) -> None:
    listed = repositories(tmp_path, 1)
    with working(tmp_path / "one", fleet.worker, "--lease", "2"):
        call = command("batch", str(listed), "--out", str(tmp_path / "out"), "--", "--mode", "quick")
        submitter = subprocess.Popen(call, env=environment(tmp_path / "home", fleet.operator), stdout=subprocess.DEVNULL)
        victim = 0
        while not victim and submitter.poll() is None:
            for path in Path("/proc").glob("[0-9]*/cmdline"):
                with suppress(OSError):
                    words = path.read_bytes()
                    victim = int(path.parent.name) if b"--yes" in words and str(tmp_path).encode() in words else victim
            time.sleep(0.05)
        os.kill(victim, signal.SIGKILL)
        assert submitter.wait(300) == 1
    assert "ended by signal 9" in (tmp_path / "one" / "log").read_text()
    assert [row["state"] for row in json.loads((tmp_path / "out" / "batch.json").read_text())["targets"]] == ["done"]


def test_what_has_not_changed_is_not_audited_again_and_a_run_can_be_fetched(fleet, tmp_path: Path) -> None:
    listed = repositories(tmp_path, 1)
    with working(tmp_path / "one", fleet.worker):
        first = batched(tmp_path / "a", fleet.operator, listed)
        second = batched(tmp_path / "b", fleet.operator, listed)
    assert (first.returncode, second.returncode) == (1, 1), first.stdout + second.stdout
    [row] = json.loads((tmp_path / "b" / "out" / "batch.json").read_text())["targets"]
    assert row["state"] == "unchanged"
    assert reports(tmp_path / "a") == reports(tmp_path / "b")
    run = json.loads((tmp_path / "a" / "out" / "batch.json").read_text())["targets"][0]["run"]
    home = environment(tmp_path / "c", fleet.operator)
    calls = (
        ("fleet", "fetch", run), ("log", "verify", run), ("replay", run), ("show", run), ("fleet", "cancel", run),
        ("fleet", "retry", run), ("fleet", "limits", "--budget-tokens", "5"), ("fleet", "status", "--json"), ("fleet", "status"),
    )  # fmt: skip
    for words in calls:
        ended = subprocess.run(command(*words), env=home, capture_output=True, text=True)
        assert ended.returncode == 0, (words, ended.stderr)
    assert "1 done" in ended.stdout
    assert "0 held of 5" in ended.stdout
    migrated = subprocess.run(
        command("fleet", "migrate"), env=environment(tmp_path / "d", fleet.owner), capture_output=True, text=True
    )
    assert "up to date" in migrated.stdout
    refused = subprocess.run(command("fleet", "migrate"), env=home, capture_output=True, text=True)
    assert (refused.returncode, PASSWORD in refused.stderr) == (2, False)


def test_a_worker_that_is_stopped_gives_its_run_back_and_tells_its_health(fleet, tmp_path: Path) -> None:
    listed = repositories(tmp_path, 1)
    with working(tmp_path / "one", fleet.worker, "--health", "18777") as worker:
        assert _answer("ready", 200) == 200
        assert _answer("live", 200) == 200
        assert _answer("other", 404) == 404
        drained = subprocess.run(
            command("fleet", "drain"), env=environment(tmp_path / "home", fleet.operator), capture_output=True
        )
        assert drained.returncode == 0
        assert _answer("ready", 503) == 503
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(60) == 0
    assert "0 runs submitted" in (tmp_path / "one" / "log").read_text()
    assert listed.is_file()


def _answer(path: str, wanted: int) -> int:
    """What the worker answers once it answers, or for a while something else than is wanted."""
    status = 0
    for _ in range(200):
        try:
            status = urllib.request.urlopen(f"http://127.0.0.1:18777/{path}", timeout=5).status
        except urllib.error.HTTPError as error:
            status = error.code
            error.close()
        except OSError:
            status = 0
        if status == wanted:
            break
        time.sleep(0.1)
    return status
