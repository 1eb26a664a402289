"""A run that moves from machine to machine: its journal in the database, its worker killed, its disk gone (F14, F15, F18)."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import postgres
from counterproof.agents.models.faults import BudgetExhausted
from counterproof.agents.models.purse import Purse
from counterproof.app.leased import FLEET, LEASE
from counterproof.model.budget import Limit, Usage
from counterproof.protocols.guard import budget as rules
from counterproof.protocols.guard.budget import Cost
from counterproof.reports import FILE_NAMES

WEAK = """
import sqlite3
from flask import Flask, request

app = Flask(__name__)
API_KEY = "sk_live_51Habcdefghijklmnopqrstuvwx"


@app.route("/find")
def find():
    return {"rows": sqlite3.connect("a.db").execute("SELECT * FROM item WHERE name = '" + request.args["term"] + "'").fetchall()}
"""
_numbers = iter(range(1_000_000))


class Machine:
    """One worker's machine: a disk of its own, with a checkout of the target somewhere on it."""

    def __init__(self, disk: Path) -> None:
        self.disk, self.target = disk, disk / "somewhere" / "shop"
        self.target.mkdir(parents=True)
        (self.target / "app.py").write_text(WEAK)

    def audit(self, lease: str, crash_at: str = "") -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "COUNTERPROOF_HOME": str(self.disk / "home"),
            "COUNTERPROOF_CRASH_AT": crash_at,
            FLEET: postgres.server().url(postgres.WORKER),
            LEASE: lease,
        }
        words = ("audit", "--mode", "quick", "--yes", "--out", str(self.disk / "out"), str(self.target))
        return subprocess.run([sys.executable, "-m", "counterproof", *words], env=environment, capture_output=True, text=True)

    def reports(self) -> dict[str, bytes]:
        return {
            name: (self.disk / "out" / name).read_bytes() for name in FILE_NAMES.values() if (self.disk / "out" / name).is_file()
        }

    def log(self, command: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "COUNTERPROOF_HOME": str(self.disk / "home")}
        words = ("log", command, "latest")
        return subprocess.run([sys.executable, "-m", "counterproof", *words], env=environment, capture_output=True, text=True)


@pytest.fixture
def database() -> Iterator[SimpleNamespace]:
    from counterproof.runtime.postgres.database import Database

    run_id = f"20300101-{time.strftime('%H%M%S', time.gmtime(os.getpid()))}-{next(_numbers):06x}"
    worker, owner = Database(postgres.server().url(postgres.WORKER)), Database(postgres.server().url())
    with contextlib.closing(worker) as opened, contextlib.closing(owner):

        def take(name: str = run_id) -> str:
            rows = "UPDATE counterproof.runs SET lease_until = '-infinity' WHERE run = %s"
            owner.rows(rows, name)
            lease = postgres.take_lease(opened, name)
            assert lease
            return f"{lease.run}:{lease.epoch}"

        yield SimpleNamespace(take=take, run=run_id, rows=owner.rows, undisturbed=f"{run_id[:-1]}f")


@pytest.mark.rule("F14", "F15")
def test_killed_anywhere_and_its_disk_removed_the_next_machine_reports_the_same_bytes(
    database: SimpleNamespace, tmp_path: Path
) -> None:
    calm = Machine(tmp_path / "calm")
    assert calm.audit(database.take(database.undisturbed)).returncode == 1
    for number, point in enumerate(("before-journal:3", "after-recon_reported", "after-agent_finished", "mid-report:2")):
        doomed = Machine(tmp_path / f"doomed{number}")
        assert doomed.audit(database.take(), point).returncode == -signal.SIGKILL
        shutil.rmtree(doomed.disk)
    last = Machine(tmp_path / "last")
    ended = last.audit(database.take())
    assert ended.returncode == 1, ended.stderr
    assert set(calm.reports()) == set(FILE_NAMES.values())
    assert last.reports() == calm.reports()
    assert b"sk_live_51H" not in b"".join(last.reports().values())
    assert "the journal is whole" in last.log("verify").stdout
    assert "Report done" in last.log("show").stdout or last.log("show").returncode == 0
    epochs = database.rows("SELECT epoch >> 40 FROM counterproof.runs WHERE run = %s", database.run)
    assert epochs == [(5,)]


@pytest.mark.rule("F15")
def test_a_worker_whose_lease_was_taken_stops_and_changes_nothing(database: SimpleNamespace, tmp_path: Path) -> None:
    old = database.take()
    database.take()
    late = Machine(tmp_path / "late").audit(old)
    assert late.returncode == 4
    assert "another worker took over" in late.stderr
    assert database.rows("SELECT head_seq FROM counterproof.runs WHERE run = %s", database.run) == [(0,)]


def test_the_address_of_the_database_reaches_no_other_process_and_no_output(database: SimpleNamespace, tmp_path: Path) -> None:
    from counterproof.app import leased

    machine = Machine(tmp_path / "one")
    ended = machine.audit("nonsense")
    assert ended.returncode == 2
    for text in (ended.stdout, ended.stderr):
        assert str(postgres.server().folder) not in text
    os.environ[LEASE], os.environ[FLEET] = database.take(), postgres.server().url(postgres.WORKER)
    leased.held.cache_clear()  # another test of this process may have asked already
    try:
        held = leased.held()
        assert held
        assert LEASE not in os.environ
        assert FLEET not in os.environ
        held.database.close()
    finally:
        for name in (LEASE, FLEET):
            os.environ.pop(name, None)
        leased.held.cache_clear()
        from counterproof import installation

        installation.adopt(b"")


class Shared:
    """What others left of a common budget, and what was asked of it."""

    def __init__(self, left: int) -> None:
        self.left, self.held = left, dict[str, int]()

    def reserve(self, mark: str, most: Cost) -> bool:
        if most.tokens > self.left - sum(self.held.values()):
            return False
        self.held[mark] = most.tokens
        return True

    def settle(self, mark: str, cost: Cost) -> None:
        if self.held.pop(mark, None) is not None:
            self.left -= cost.tokens

    def wait(self) -> float:
        return 0.0


@pytest.mark.rule("F18")
def test_a_purse_sends_nothing_that_the_common_budget_does_not_bear() -> None:
    shared = Shared(100)
    purse = Purse(rules.opened(Limit(1_000, None), 1), common=shared)
    hold = purse.reserve("task", 50, 10, None, "q1")
    with pytest.raises(BudgetExhausted, match="of the fleet"):
        purse.reserve("task", 50, 10, None, "q2")
    assert purse.budget.held.tokens == 60
    purse.settle(hold, Usage(20, 5), None)
    assert (shared.left, shared.held) == (75, {})
    purse.release(purse.reserve("task", 50, 10, None, "q2"))
    assert (shared.left, shared.held) == (75, {})
