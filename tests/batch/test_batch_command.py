"""The command as a user gives it: real repositories, real processes, killed and gone on with."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from batch.repositories import committed, harmless, served, vulnerable
from cli.command import counterproof
from counterproof.batch import ledger
from counterproof.batch.ledger import Summary
from counterproof.reports.schema import batch_schema
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal

QUICK = ("--", "--mode", "quick")


def told(out: Path) -> dict[str, Any]:
    document = json.loads((out / "batch.json").read_text())
    jsonschema.validate(document, batch_schema())
    return document


def by_name(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in document["targets"]}


def last(home: Path) -> Summary:
    return next(ledger.summaries(Home(home)))


def started(*arguments: str) -> "subprocess.Popen[str]":
    command = (sys.executable, "-m", "counterproof", "batch", *arguments)
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def has_rows(run: RunFolder) -> bool:
    if not run.journal.is_file():
        return False
    with closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        return journal.head[0] > 0


def begun(home: Path) -> None:
    """Wait until a run has a first event, which is when there is something to go on with."""
    ends = time.monotonic() + 120
    while not any(has_rows(run) for run in Home(home).runs()):
        assert time.monotonic() < ends, "no run began"
        time.sleep(0.02)


def test_every_target_is_a_row_and_the_next_batch_skips_what_is_as_it_was(tmp_path: Path, home: Path) -> None:
    shop, sums = vulnerable(tmp_path / "shop"), harmless(tmp_path / "sums")
    harmless(tmp_path / "all" / "far")
    targets, out = tmp_path / "targets.txt", tmp_path / "out"
    with served(tmp_path / "all") as server:
        address = server.address.replace("://", "://bot:s3cret@")
        targets.write_text(f"shop\nsums --min-coverage 0\nabsent\n{address}/far/.git --min-coverage 0\n{address}/none.git\n")
        first = counterproof("batch", str(targets), "--out", str(out), "--jobs", "2", *QUICK)
        document = told(out)
        rows = by_name(document)
        assert first.returncode == document["exit_code"] == 2, first.stderr
        assert rows["shop"]["counts"]["critical"] == 2
        assert (rows["shop"]["result"], rows["shop"]["new"]) == ("findings", None)
        assert (out / rows["shop"]["report"]).is_file()
        assert rows["sums"]["exit_code"] == rows["far"]["exit_code"] == 0
        assert (rows["absent"]["state"], rows["absent"]["exit_code"]) == ("failed", 2)
        assert (rows["none"]["state"], rows["none"]["exit_code"]) == ("failed", 3)
        assert not [each for folder in (home / "batches").glob("*/code") for each in folder.iterdir()]

        (sums / "more.py").write_text("import os\nos.system(input())\n")
        (shop / "notes.md").write_text("nothing\n")
        committed(shop)
        second = counterproof("batch", str(targets), "--out", str(out), *QUICK)
    document = told(out)
    rows = by_name(document)
    assert {name: row["state"] for name, row in rows.items()} == {
        "shop": "done", "sums": "done", "far": "unchanged", "absent": "failed", "none": "failed",
    }  # fmt: skip
    assert (rows["shop"]["new"], rows["shop"]["gone"]) == (0, 0)
    assert rows["sums"]["new"] == sum(rows["sums"]["counts"][level] for level in ("critical", "high", "medium", "low"))
    assert (out / rows["far"]["report"]).is_file()
    assert "5/5" in second.stderr
    with (out / "batch.csv").open() as stream:
        assert {row["target"]: row["state"] for row in csv.DictReader(stream)}[str(shop)] == "done"
    everything = [*out.rglob("*"), *home.rglob("*")]
    assert not [each for each in everything if each.is_file() and b"s3cret" in each.read_bytes()]
    assert "s3cret" not in first.stdout + first.stderr + second.stdout + second.stderr
    runs = json.loads(counterproof("runs", "--json").stdout)
    assert len(runs) == 5


@pytest.mark.parametrize(
    "how", [signal.SIGKILL, *(pytest.param(each, marks=pytest.mark.nightly) for each in (signal.SIGINT, signal.SIGTERM))]
)
def test_a_batch_that_was_stopped_goes_on_with_the_runs_it_had_begun(tmp_path: Path, home: Path, how: signal.Signals) -> None:
    for name in ("one", "two"):
        vulnerable(tmp_path / "all" / name)
    arguments = (str(tmp_path / "all"), "--out", str(tmp_path / "out"), "--jobs", "1", *QUICK)
    process = started(*arguments)
    begun(home)
    process.send_signal(how)
    process.communicate(timeout=100)
    assert process.returncode == (-how if how is signal.SIGKILL else 6)
    if how is not signal.SIGKILL:
        assert told(tmp_path / "out")["exit"] == "paused"
    gone(home)
    before = last(home)
    first = {run.id for run in Home(home).runs() if has_rows(run)}
    ended = counterproof("batch", *arguments)
    assert ended.returncode == 1, ended.stderr
    after = last(home)
    assert after.batch.id == before.batch.id
    assert [row.state for row in after.rows] == ["done"] * 2
    runs = [row.outcome.run for row in after.rows if row.outcome]
    assert first
    assert first <= set(runs)  # what had begun was gone on with, and not begun again
    assert len(set(runs)) == 2
    document = told(tmp_path / "out")
    assert {row["counts"]["critical"] for row in document["targets"]} == {2}


def gone(home: Path) -> None:
    """Wait until no run is driven any more: audits end with the batch that was killed."""
    ends = time.monotonic() + 20
    while any(f"/{home.parent.name}/" in each for each in _commands()):
        assert time.monotonic() < ends, "an audit outlived its batch"
        time.sleep(0.05)


def _commands() -> list[str]:
    found: list[str] = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(each.read_bytes().decode("utf-8", "replace"))
        except OSError:
            continue
    return [text for text in found if "\0counterproof\0audit" in text or "\0counterproof\0resume" in text]


def test_names_of_targets_act_nowhere(tmp_path: Path) -> None:
    names = ('=cmd|"calc"!A1', "<img src=x onerror=alert(1)>", "\x1b]0;owned\x07red", "-rf", "@SUM(1)", "'); alert(1); ('")
    for name in names:
        harmless(tmp_path / "all" / name)
    out = tmp_path / "out"
    ended = counterproof("batch", str(tmp_path / "all"), "--out", str(out), "--", "--mode", "quick", "--min-coverage", "0")
    assert ended.returncode == 0, ended.stderr
    page = (out / "index.html").read_text()
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "\x1b" not in ended.stdout + ended.stderr + page + (out / "batch.csv").read_text()
    with (out / "batch.csv").open() as stream:
        cells = [cell for row in csv.reader(stream) for cell in row]
    assert not [
        cell for cell in cells if cell.startswith(("=", "+", "@", "\t")) or (cell.startswith("-") and not cell[1:].isdigit())
    ]
    assert {row["name"] for row in told(out)["targets"]} == {
        name.replace("\x1b", "\\x1B").replace("\x07", "\\x07") for name in names
    }
    assert {each.name.rpartition("-")[0] for each in (out / "targets").iterdir()} >= {"rf", "SUM-1"}


def test_what_an_audit_would_refuse_is_refused_before_anything_runs(tmp_path: Path, home: Path) -> None:
    harmless(tmp_path / "app")
    (tmp_path / "list").write_text("app --mode thorough\n")
    for arguments, word in (
        ((str(tmp_path / "list"),), "line 1"),
        ((str(tmp_path / "app"), "--", "--out", "x"), "--out cannot be given for one target"),
        ((str(tmp_path / "app"), "--budget-tokens", "5"), "no model is configured"),
        (
            (str(tmp_path / "app"), "--budget-tokens", "5", "--", "--agents", "openai:x", "--budget-usd", "1"),
            "--budget-usd cannot be given",
        ),
    ):
        ended = counterproof("batch", *arguments)
        assert ended.returncode == 2
        assert word in ended.stderr
    assert not (home / "batches").exists()


def test_a_process_that_dies_is_a_row_and_stops_nothing(tmp_path: Path) -> None:
    for name in ("one", "two"):
        harmless(tmp_path / "all" / name)
    out = tmp_path / "out"
    ended = counterproof(
        "batch",
        str(tmp_path / "all"),
        "--out",
        str(out),
        "--jobs",
        "1",
        "--",
        "--mode",
        "quick",
        COUNTERPROOF_CRASH_AT="run-created",
    )
    assert ended.returncode == 70, ended.stderr
    document = told(out)
    assert [row["state"] for row in document["targets"]] == ["failed", "failed"]
    assert "signal 9" in document["targets"][0]["verdict"]


def test_the_time_of_a_batch_pauses_it(tmp_path: Path, home: Path) -> None:
    for name in ("one", "two", "three", "four"):
        vulnerable(tmp_path / "all" / name)
    arguments = (str(tmp_path / "all"), "--out", str(tmp_path / "out"), "--jobs", "1", "--max-batch-time", "1", *QUICK)
    ended = counterproof("batch", *arguments)
    assert ended.returncode == 6, ended.stderr
    assert "continues" in ended.stdout
    assert not all(row.state.ended for row in last(home).rows)
    shown = counterproof("batches", "latest")
    assert "waiting" in shown.stdout
    assert "unfinished" in counterproof("batches").stdout


def test_a_list_on_standard_input(tmp_path: Path) -> None:
    harmless(tmp_path / "app")
    command = (sys.executable, "-m", "counterproof", "batch", "-", "--out", "out", "--", "--mode", "quick", "--min-coverage", "0")
    ended = subprocess.run(command, cwd=tmp_path, input="app\n", capture_output=True, text=True, env=os.environ)
    assert ended.returncode == 0, ended.stderr
    assert told(tmp_path / "out")["list"] == "standard input"
