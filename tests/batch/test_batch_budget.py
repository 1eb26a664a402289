"""One budget for the whole batch, with a scripted model over real HTTP: never overshot, given back, and spent to its end."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agents.models_loop.test_demonstration import Provider
from batch.repositories import vulnerable
from cli.command import counterproof
from counterproof.batch.runner import wait_for
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home
from counterproof.runtime.journal import SqliteJournal
from faults.server import FaultServer, threaded

pytest.importorskip("pydantic_ai")
KEY = {"OPENAI_COMPATIBLE_API_KEY": "sk-demo-0123456789", "COUNTERPROOF_SEMGREP": ""}


def arguments(tmp_path: Path, url: str, tokens: int) -> tuple[str, ...]:
    model = f"openai-compatible:scripted@{url}/v1"
    options = ("--", "--mode", "quick", "--agents", model)
    return (
        "batch",
        str(tmp_path / "all"),
        "--out",
        str(tmp_path / "out"),
        "--jobs",
        "2",
        "--budget-tokens",
        str(tokens),
        *options,
    )


def told(tmp_path: Path) -> dict[str, Any]:
    return json.loads((tmp_path / "out" / "batch.json").read_text())


def test_the_last_tokens_are_spent_by_nobody_twice(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        vulnerable(tmp_path / "all" / name)
    with threaded(FaultServer(brain=Provider())) as server:
        counterproof(*arguments(tmp_path, server.url, 50_000_000), **KEY)
        spent = server.spent
        assert told(tmp_path)["totals"]["tokens"] == spent > 0
        short, server.spent = spent // 2, 0
        ended = counterproof(*arguments(tmp_path, server.url, short), "--no-cache", **KEY)
        assert 0 < server.spent <= short
        assert told(tmp_path)["totals"]["tokens"] == server.spent
    assert ended.returncode in (1, 5), ended.stderr
    assert "over budget" in " ".join(row["result"] for row in told(tmp_path)["targets"])


def test_a_budget_too_small_for_one_question_asks_none(tmp_path: Path) -> None:
    for name in ("one", "two"):
        vulnerable(tmp_path / "all" / name)
    with threaded(FaultServer(brain=Provider())) as server:
        counterproof(*arguments(tmp_path, server.url, 1), **KEY)
        assert not server.log
    assert all("over budget" in row["result"] for row in told(tmp_path)["targets"])


def test_killed_in_the_middle_no_reply_is_paid_twice(tmp_path: Path, home: Path) -> None:
    vulnerable(tmp_path / "all" / "one")
    with threaded(FaultServer(brain=Provider())) as server:
        words = arguments(tmp_path, server.url, 50_000_000)
        process = subprocess.Popen(
            (sys.executable, "-m", "counterproof", *words), env={**os.environ, **KEY}, stderr=subprocess.DEVNULL
        )
        ends = time.monotonic() + 120
        while server.answered < 3 and time.monotonic() < ends:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        (run,) = Home(home).runs()
        wait_for(run)  # the audit ends with its batch
        with closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
            kept = len(journal.raw_rows())
        before = [each.raw for each in server.log]
        ended = counterproof(*words, **KEY)
        assert ended.returncode in (1, 3), ended.stderr
        after = [each.raw for each in server.log[len(before) :]]
    assert kept
    assert len(set(before) & set(after)) <= len(before) - kept
    assert [each.id for each in Home(home).runs()] == [run.id]
    assert told(tmp_path)["totals"]["tokens"] > 0
