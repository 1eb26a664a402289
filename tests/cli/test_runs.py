"""What can be done with a run: interrupt, kill, resume, show, replay, verify, list, prune."""

import contextlib
import json
import os
import signal
import sqlite3
from pathlib import Path

import pytest

from cli.command import counterproof, small_app


def newest(home: Path) -> Path:
    return sorted((home / "runs").iterdir())[-1]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return small_app(tmp_path / "app")


@pytest.mark.rule("F14")
def test_killed_at_any_point_a_run_resumes_to_the_same_report(home: Path, target: Path) -> None:
    counterproof("audit", "--mode", "quick", str(target), "--quiet")
    expected = (newest(home) / "report.json").read_text()
    for point in ("after-surveyed", "mid-journal:6", "before-head:8", "after-agent_finished", "mid-report", "before-receipt"):
        killed = counterproof("audit", "--mode", "quick", str(target), "--quiet", COUNTERPROOF_CRASH_AT=point)
        assert killed.returncode == -signal.SIGKILL, (point, killed.stderr)
        assert not (newest(home) / "receipt.json").exists(), point
        resumed = counterproof("resume", "latest", "--quiet")
        assert resumed.returncode == 1, (point, resumed.stderr)
        assert (newest(home) / "report.json").read_text() == expected
    assert counterproof("show", "latest", "--format", "json").stdout == expected
    assert counterproof("log", "verify", "latest").returncode == 0


def test_an_interrupted_run_pauses_and_says_how_to_go_on(home: Path, target: Path) -> None:
    stopped = counterproof("audit", "--mode", "quick", str(target), COUNTERPROOF_STOP_AT="after-surveyed")
    assert stopped.returncode == 6, stopped.stderr
    assert "interrupted" in stopped.stdout
    assert f"counterproof resume {newest(home).name}" in stopped.stdout
    assert "Traceback" not in stopped.stderr
    assert counterproof("resume", "latest", "--quiet").returncode == 1


def test_a_plan_without_a_terminal_pauses_and_is_confirmed_by_resume(home: Path, target: Path) -> None:
    paused = counterproof("audit", str(target), "--mode", "standard")
    assert paused.returncode == 6, paused.stderr
    assert "--yes" in paused.stdout
    assert "Agent plan: agent-r1-01" in paused.stderr
    assert "[" not in paused.stderr  # markers are for the log and --verbose
    resumed = counterproof("resume", "latest", "--yes", "--verbose")
    assert "[PLAN_ACK] confirmed" in resumed.stderr
    assert resumed.returncode in (1, 3)


@pytest.mark.rule("F17")
def test_changed_code_is_not_resumed(home: Path, target: Path) -> None:
    counterproof("audit", str(target), "--mode", "standard")
    (target / "app.py").write_text("print('other code')\n")
    resumed = counterproof("resume", "latest", "--yes")
    assert resumed.returncode == 4
    assert "code changed" in resumed.stderr


@pytest.mark.rule("R33")
def test_a_finished_run_can_be_shown_replayed_and_verified(home: Path, target: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    audited = counterproof("audit", "--mode", "quick", str(target), "--out", str(out))
    assert audited.returncode == 1, audited.stderr
    receipt = json.loads((out / "receipt.json").read_text())
    assert receipt["exit_code"] == 1
    assert receipt["exit"] == "findings"
    assert (out / "report.md").read_text() == counterproof("show").stdout
    assert (out / "report.sarif").read_text() == counterproof("show", "latest", "--format", "sarif").stdout
    replayed = counterproof("replay", "latest")
    assert "byte for byte" in replayed.stdout
    assert counterproof("log", "verify", "latest").stdout.endswith("the journal is whole.\n")
    listed = counterproof("runs").stdout
    assert newest(home).name in listed
    assert "KiB" in listed
    again = counterproof("resume", "latest")
    assert again.returncode == 1


@pytest.mark.rule("X18")
def test_an_edited_journal_or_report_is_refused(home: Path, target: Path) -> None:
    counterproof("audit", "--mode", "quick", str(target), "--quiet")
    folder = newest(home)
    stored = folder / "report.md"
    stored.write_text(stored.read_text().replace("SQL", "sql"))
    assert counterproof("show", "latest").returncode == 4
    with contextlib.closing(sqlite3.connect(folder / "journal.db")) as database, database:
        database.execute("UPDATE entries SET at = 'x' WHERE seq = 2")
    verified = counterproof("log", "verify", "latest")
    assert verified.returncode == 4
    assert "row 2 or an earlier row was changed" in verified.stderr


def test_two_runs_on_the_same_bytes_give_the_same_report(home: Path, target: Path) -> None:
    texts: list[list[str]] = []
    for seed in ("1", "2"):
        counterproof("audit", "--mode", "quick", str(target), "--quiet", PYTHONHASHSEED=seed)
        texts.append([(newest(home) / name).read_text() for name in ("report.md", "report.html", "report.json", "report.sarif")])
    assert texts[0] == texts[1]


def test_prune_keeps_the_newest_and_asks_first(home: Path, target: Path) -> None:
    for _ in range(3):
        counterproof("audit", "--mode", "quick", str(target), "--quiet")
    assert counterproof("runs", "prune", "--keep", "1").returncode != 0
    assert len(list((home / "runs").iterdir())) == 3
    pruned = counterproof("runs", "prune", "--keep", "1", "--yes")
    assert pruned.stdout.startswith("Removed 2 runs")
    assert len(list((home / "runs").iterdir())) == 1


def test_a_time_limit_submits_the_results_so_far(tmp_path: Path) -> None:
    target = small_app(tmp_path / "big", padding=30_000)
    limited = counterproof("audit", "--mode", "quick", str(target), "--max-time", "1")
    assert limited.returncode in (1, 3)
    assert "time limit" in limited.stdout + limited.stderr


def test_no_colour_codes_reach_a_pipe(target: Path) -> None:
    audited = counterproof("audit", "--mode", "quick", str(target), FORCE_COLOR="", NO_COLOR="1")
    assert "\x1b" not in audited.stdout + audited.stderr
    assert os.linesep in audited.stdout
