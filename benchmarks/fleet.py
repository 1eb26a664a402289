"""Kills the workers of a fleet with their disks, pauses them, restarts the database, and counts what was lost (F14, F15, F18).

    python benchmarks/fleet.py --runs 20 --workers 3      the campaign
    python benchmarks/fleet.py --figures                  what the database costs: appends, the queue with 100,000 runs

A calm batch is audited first and says what the reports must be. Then the same targets are audited by workers that are killed at
random moments, together with all that lies on their disks; stopped for longer than their lease, and woken; and the database is
stopped at once and started again. Model agents ask a scripted model over loopback HTTP. All of these counts must be 0:

    runs that did not end, and runs that ended twice
    reports that differ from those of the calm batch, in any format
    journals that do not verify
    replies that stand in a journal twice, and questions that left after their reply was in the journal
    tokens spent beyond the budget, and tokens that the budget does not know of
"""

import argparse
import json
import os
import platform
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kills import served

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import postgres
from counterproof.app.leased import FLEET
from counterproof.model.batch import Order, Row, Target
from counterproof.model.budget import Limit
from counterproof.runtime.chain import genesis
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.verification import verified

TOKENS_A_CALL = 110
LEASE = 6.0
WEAK = """
import sqlite3
from flask import Flask, request

app{number} = Flask(__name__)


@app{number}.route("/find{number}")
def find_{number}():
    found = sqlite3.connect("a.db").execute("SELECT * FROM item{number} WHERE name = '" + request.args["term"] + "'")
    return {{"rows": found.fetchall()}}
"""


@dataclass
class Counts:
    """What happened, and what must not have."""

    runs: int = 0
    kills: int = 0
    pauses: int = 0
    restarts: int = 0
    takeovers: int = 0
    questions: int = 0
    asked_again_in_flight: int = 0
    not_ended: int = 0
    ended_twice: int = 0
    reports_differing: int = 0
    journals_damaged: int = 0
    replies_twice: int = 0
    journalled_asked_again: int = 0
    tokens_over_budget: int = 0
    tokens_unknown_to_the_budget: int = 0
    seconds_calm: float = 0.0
    seconds: float = 0.0
    trouble: list[str] = field(default_factory=list[str])


class Site:
    """One database and the machines around it."""

    def __init__(self, folder: Path, name: str, server: postgres.Server) -> None:
        from counterproof.fleet.queue import Queue
        from counterproof.runtime.postgres.database import Database
        from counterproof.runtime.postgres.migrations import migrate

        self.folder, self.server, self.name = folder, server, name
        with closing(Database(server.url())) as owner:
            owner.rows(f"CREATE DATABASE {name}")
        migrate(server.url(database=name))
        self.database = Database(server.url(database=name))
        self.queue = Queue(self.database)
        self.machines = list[Machine]()

    def same_key_as(self, other: "Site") -> None:
        key = other.database.value("SELECT key FROM counterproof.fleet_key")
        self.database.rows("UPDATE counterproof.fleet_key SET key = %s", key)

    def submit(self, order: Order) -> None:
        self.queue.limit(order.id, order.budget)
        for position, target in enumerate(order.targets):
            self.queue.submit(order, Row(position, target))

    def worker(self) -> "Machine":
        disk = self.folder / f"{self.name}-{len(self.machines) + 1}"
        self.machines.append(Machine(disk, self.server.url(postgres.WORKER, self.name)))
        return self.machines[-1]

    def close(self) -> None:
        """Nothing is left running."""
        for each in self.machines:
            each.die()
        self.database.close()

    def left(self) -> int:
        return sum(count for state, count in self.queue.counts().items() if state in ("waiting", "running"))

    def reports(self, batch: str) -> list[dict[str, bytes]]:
        found = [self.queue.files(each.run) for each in self.queue.standings(batch)]
        return [{name: body for name, body in files.items() if name.startswith("report.")} for files in found]


class Machine:
    """One worker and its disk."""

    def __init__(self, disk: Path, address: str) -> None:
        self.disk = disk
        disk.mkdir()
        environment = {**os.environ, "COUNTERPROOF_HOME": str(disk / "home"), FLEET: address, "PATH": "/usr/bin:/bin"}
        words = [sys.executable, "-m", "counterproof", "worker", "--jobs", "1", "--lease", str(LEASE)]
        with (disk / "log").open("wb") as log:
            self.process = subprocess.Popen(words, env=environment, stdout=log, stderr=log)
        self.wakes = 0.0

    def die(self) -> None:
        """Together with its children, as when the power goes, and with its disk."""
        if self.process.poll() is None:
            self._signal(signal.SIGKILL)
            self.process.wait()
        shutil.rmtree(self.disk, ignore_errors=True)

    def stop(self, seconds: float) -> None:
        self.wakes = time.monotonic() + seconds
        self._signal(signal.SIGSTOP)

    def wake(self) -> None:
        self.wakes = 0.0
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        for process in (self.process.pid, *descendants(self.process.pid)):
            with suppress(ProcessLookupError):
                os.kill(process, number)


def descendants(root: int) -> list[int]:
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    found, fresh = list[int](), [root]
    while fresh:
        fresh = [child for child, parent in parents.items() if parent in fresh]
        found += fresh
    return found


def made_targets(folder: Path, count: int, port: int) -> tuple[Target, ...]:
    agents = f"hunter=openai-compatible:scripted@http://127.0.0.1:{port}/v1,analyst"
    for number in range(count):
        project = folder / f"shop{number}"
        project.mkdir(parents=True)
        (project / "app.py").write_text(WEAK.format(number=number))
    return tuple(Target(str(folder / f"shop{number}"), "", ("--mode", "quick", "--agents", agents)) for number in range(count))


def calm(site: Site, order: Order, workers: int, patience: float) -> None:
    for _ in range(workers):
        site.worker()
    site.submit(order)
    until = time.monotonic() + patience
    while site.left() and time.monotonic() < until:
        time.sleep(0.5)
    for each in site.machines:
        each.die()


def stormy(site: Site, order: Order, wanted: argparse.Namespace, counts: Counts) -> None:
    """Disturb until every run has ended."""
    chance = random.Random(wanted.seed)
    machines = [site.worker() for _ in range(wanted.workers)]
    site.submit(order)
    until = time.monotonic() + wanted.patience
    while site.left() and time.monotonic() < until:
        time.sleep(chance.uniform(*wanted.every))
        for each in machines:
            if each.wakes and time.monotonic() > each.wakes:
                each.wake()
        number = chance.randrange(len(machines))
        what = chance.choices(("kill", "pause", "restart"), (5, 3, 1))[0]
        if what == "kill":
            machines[number].die()
            machines[number] = site.worker()
            counts.kills += 1
        elif what == "pause" and not machines[number].wakes:
            machines[number].stop(LEASE + chance.uniform(1, 4))
            counts.pauses += 1
        elif what == "restart":
            site.server.stop()
            time.sleep(chance.uniform(0.1, 2))
            site.server.start()
            counts.restarts += 1
        print(f"{what}; {site.queue.counts()}", file=sys.stderr, flush=True)
    for each in machines:
        each.wake()
    time.sleep(LEASE)  # whoever was asleep finds out that its run is another's
    for each in machines:
        each.die()


def judge(site: Site, before: Site, order: Order, asks: list[tuple[str, float]], counts: Counts) -> None:
    standings = site.queue.standings(order.id)
    counts.runs = len(standings)
    counts.takeovers = sum(each.deaths for each in standings)
    counts.not_ended = sum(each.state != "done" for each in standings)
    counts.trouble += [f"{each.run} {each.state}: {each.note}" for each in standings if each.state != "done"][:5]
    journals: dict[str, float] = {}
    for each in standings:
        kinds = [row[0] for row in site.database.rows("SELECT kind FROM counterproof.entries WHERE run = %s", each.run)]
        counts.ended_twice += kinds.count("receipt") > 1
        run = RunFolder(each.run, site.folder / "none")
        counts.journals_damaged += bool(verified(run, site_journal(site, run)).damages)
        kept = replies(site, each.run)
        counts.replies_twice += len(kept) - len({key for key, _ in kept})
        journals.update({request: at for (*_, request), at in kept})
    for mine, theirs in zip(site.reports(order.id), before.reports(order.id), strict=True):
        counts.reports_differing += mine != theirs or len(mine) != 4
    counts.questions = len({key for key, _ in asks})
    counts.journalled_asked_again = sum(at > journals.get(key, at) for key, at in asks)
    counts.asked_again_in_flight = len(asks) - counts.questions - counts.journalled_asked_again
    used = {row[0]: row[1] + row[2] for row in site.queue.purses()}
    limit = order.budget.tokens or 0
    counts.tokens_over_budget = max(0, len(asks) * TOKENS_A_CALL - limit, used[order.id] - limit)
    counts.tokens_unknown_to_the_budget = max(0, len(asks) * TOKENS_A_CALL - used[order.id])


def site_journal(site: Site, run: RunFolder) -> Any:
    from counterproof.runtime.postgres.journal import PostgresJournal

    return PostgresJournal(site.database, run, WallClock())


def replies(site: Site, run: str) -> list[tuple[tuple[str, int, int, str], float]]:
    rows = site.database.rows("SELECT body, at FROM counterproof.entries WHERE run = %s AND kind = 'reply' ORDER BY seq", run)
    found = [(json.loads(bytes(body)), datetime.fromisoformat(at).timestamp()) for body, at in rows]
    return [((each["task"], each["attempt"], each["step"], each["request"][:32]), at) for each, at in found]


def asked(log: Path, after: float) -> list[tuple[str, float]]:
    """Questions by key and wall-clock time; the server notes the machine's monotonic clock."""
    offset = time.time() - time.monotonic()
    parts = [line.split() for line in log.read_text().splitlines()]
    asks = [(key, int(at) / 1e9 + offset) for what, key, at in parts if what == "ask"]
    return [(key, at) for key, at in asks if at > after]


def campaign(folder: Path, wanted: argparse.Namespace) -> Counts:
    server, counts = postgres.server(), Counts()
    process, port, log = served(folder)
    before, during = Site(folder, "calm", server), Site(folder, "stormy", server)
    try:
        budget = Limit(wanted.runs * 400_000, None)
        order = Order("20300101-000000-000001", "campaign", made_targets(folder / "code", wanted.runs, port), budget)
        during.same_key_as(before)
        began = time.monotonic()
        calm(before, order, wanted.workers, wanted.patience)
        counts.seconds_calm = round(time.monotonic() - began, 1)
        print(f"calm: {before.queue.counts()} in {counts.seconds_calm} s", file=sys.stderr, flush=True)
        began, wall = time.monotonic(), time.time()
        stormy(during, order, wanted, counts)
        counts.seconds = round(time.monotonic() - began, 1)
        judge(during, before, order, asked(log, wall), counts)
    finally:
        during.close()
        before.close()
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    return counts


def figures(folder: Path) -> dict[str, float]:
    """Milliseconds, as medians."""
    site = Site(folder, "figures", postgres.server())
    os.environ["COUNTERPROOF_HOME"] = str(folder / "home")
    from counterproof.runtime.postgres.journal import PostgresJournal, take_lease

    found: dict[str, float] = {}
    run = Home().create()
    with closing(SqliteJournal.create(run, WallClock())) as local:
        found["append, SQLite"] = median(lambda: local.append("event", "x" * 2_000), 200)
    lease = take_lease(site.database, run.id, "w", 3600)
    with closing(PostgresJournal(site.database, run, WallClock(), lease)) as shared:
        found["append, PostgreSQL"] = median(lambda: shared.append("event", "x" * 2_000), 200)
    order = Order("20300101-000000-000002", "figures", (), Limit())
    numbers = iter(range(1_000_000))
    found["put into the queue"] = median(lambda: site.queue.submit(order, Row(next(numbers), Target("/x"))), 200)
    found["take, beat, hand in"] = median(lambda: one_round(site), 100)
    site.database.rows(
        "INSERT INTO counterproof.runs (run, head_hash, batch, position, job, state)"
        " SELECT 'r' || n, %s, 'many', n, (SELECT job FROM counterproof.runs WHERE job <> '' LIMIT 1), 'waiting'"
        " FROM generate_series(1, 100000) AS n",
        genesis("r"),
    )
    found["the same with 100,000 waiting"] = median(lambda: one_round(site), 100)
    found["counts with 100,000 waiting"] = median(lambda: site.queue.counts(), 10)
    site.database.close()
    return found


def one_round(site: Site) -> None:
    taken = site.queue.take("w", 60)
    assert taken
    site.queue.beat(taken.lease, 60, "note")
    site.queue.hand_in(taken.lease, "done", "key", None, "", {"report.md": b"x" * 50_000})


def median(work: Any, times: int) -> float:
    took = list[float]()
    for _ in range(times):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return round(sorted(took)[times // 2] * 1000, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description="Disturb a fleet and count what was lost.")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--every", type=float, nargs=2, default=(2.0, 8.0), help="seconds between two disturbances, at least and at most"
    )
    parser.add_argument("--patience", type=float, default=3600, help="seconds after which runs that have not ended are given up")
    parser.add_argument("--figures", action="store_true", help="what the database costs instead")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fleet-", ignore_cleanup_errors=True) as name:
        where = f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        if wanted.figures:
            print(where, json.dumps(figures(Path(name)), indent=2), sep="\n")
            return
        counts = campaign(Path(name), wanted)
    print(where, json.dumps(counts.__dict__, indent=2), sep="\n")
    wrong = [key for key, value in counts.__dict__.items() if value and list(counts.__dict__).index(key) in range(7, 15)]
    sys.exit(1 if wrong or counts.trouble else 0)


if __name__ == "__main__":
    main()
