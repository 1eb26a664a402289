"""What a fleet costs: its workers against plain processes, its database, its queue with 100,000 runs that wait.

    python benchmarks/fleet_figures.py                 all of it
    python benchmarks/fleet_figures.py --rounds 0      only the database and the queue

Throughput is measured in rounds, plain processes and workers in turn. Both audit the same small projects without models, as many
at a time as there are cores. A round of the fleet begins when its workers have started: they stay. Two figures: by the clock,
which says little on a machine with other work, and processor time, which that hardly changes: of audits and, for the fleet, of
its workers and its database too.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fleet_site import Site, descendants, made_targets

import postgres
from counterproof.fleet.queue import Queue
from counterproof.model.batch import Order, Row, Target
from counterproof.model.budget import Limit
from counterproof.runtime.chain import genesis
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.postgres.database import Database
from counterproof.runtime.postgres.journal import PostgresJournal

OPTIONS = ("--mode", "quick")
MANY = 100_000


def throughput(folder: Path, rounds: int, runs: int) -> dict[str, object]:
    """Seconds a run of each kind, by round, and the median ratio."""
    cores = os.cpu_count() or 1
    site = Site(folder, "throughput", postgres.server())
    targets = made_targets(folder / "code", rounds * runs, OPTIONS)
    os.environ["PATH"] = "/usr/bin:/bin"
    for _ in range(cores):
        site.worker()
    plain, fleet = list[Took](), list[Took]()
    try:
        warm_up(site, folder)
        for number in range(rounds):
            part = targets[number * runs : (number + 1) * runs]
            order = Order(f"20300101-000000-{number:06}", "round", part, Limit())
            for kind in ("plain", "fleet") if number % 2 else ("fleet", "plain"):
                if kind == "plain":
                    plain.append(took(lambda part=part: audit_plainly(part, folder, cores), of_children))
                else:
                    fleet.append(took(lambda order=order: audit_by_fleet(site, order), lambda: of_fleet(site)))
                print(f"round {number + 1}, {kind}: {(plain if kind == 'plain' else fleet)[-1]}", file=sys.stderr, flush=True)
    finally:
        site.close()
    pairs = list(zip(plain, fleet, strict=True))
    return {
        "cores": cores,
        "runs a round": runs,
        "seconds of plain processes": [round(each.wall, 1) for each in plain],
        "seconds of the fleet": [round(each.wall, 1) for each in fleet],
        "fleet's share of plain throughput, by the clock": middle([one.wall / other.wall for one, other in pairs], 2),
        "fleet's share of plain throughput, by processor time": middle([one.work / other.work for one, other in pairs], 3),
        "milliseconds of processor time a plain run": middle([one.work / runs * 1000 for one, _ in pairs], 0),
        "milliseconds of processor time that the fleet adds": middle(
            [(other.work - one.work) / runs * 1000 for one, other in pairs], 0
        ),
    }


@dataclass(frozen=True)
class Took:
    """Seconds by the clock, and of processors."""

    wall: float
    work: float


def took(work: Callable[[], object], spent: Callable[[], float]) -> Took:
    before, wall = spent(), timed(work)
    return Took(wall, spent() - before)


def middle(values: list[float], digits: int) -> float:
    return round(sorted(values)[len(values) // 2], digits)


def of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_fleet(site: Site) -> float:
    """Of the workers, of the processes that they waited for, and of the database with all that served it."""
    roots = [int((site.server.folder / "postmaster.pid").read_text().split()[0]), *(each.process for each in site.machines)]
    found = 0.0
    for root in roots:
        for process in (root, *descendants(root)):
            with suppress(OSError):
                figures = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
                found += sum(int(each) for each in figures[11:15]) / os.sysconf("SC_CLK_TCK")
    return found


def warm_up(site: Site, folder: Path) -> None:
    """Byte code is written, and the workers have started."""
    targets = made_targets(folder / "warm", 2 * len(site.machines), OPTIONS)
    audit_by_fleet(site, Order("20300101-000000-900000", "warm", targets, Limit()))


def audit_plainly(targets: tuple[Target, ...], folder: Path, cores: int) -> None:
    def one(target: Target) -> None:
        out = folder / "plain" / target.name
        environment = {**os.environ, "COUNTERPROOF_HOME": str(folder / "home")}
        words = ("audit", *OPTIONS, "--yes", "--out", str(out), target.source)
        subprocess.run([sys.executable, "-m", "counterproof", *words], env=environment, capture_output=True)
        if not (out / "report.json").is_file():
            raise SystemExit(f"{target.name} was not audited")

    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(one, targets))


def audit_by_fleet(site: Site, order: Order) -> None:
    site.submit(order)
    while site.left():
        site.check(order.id)
        time.sleep(0.05)
    states = {each.state for each in site.queue.standings(order.id)}
    if states != {"done"}:
        raise SystemExit(f"not everything was audited: {states}")


def database(folder: Path) -> dict[str, float]:
    """Milliseconds, as medians."""
    site = Site(folder, "figures", postgres.server())
    os.environ["COUNTERPROOF_HOME"] = str(folder / "home")
    found: dict[str, float] = {}
    run = Home().create()
    with closing(SqliteJournal.create(run, WallClock())) as local:
        found["append, SQLite"] = median(lambda: local.append("event", "x" * 2_000), 200)
    lease = postgres.take_lease(site.database, run.id)
    with closing(PostgresJournal(site.database, run, WallClock(), lease)) as shared:
        found["append, PostgreSQL"] = median(lambda: shared.append("event", "x" * 2_000), 200)
    order = Order("20300101-000000-000002", "figures", (), Limit())
    numbers = iter(range(1_000_000))
    found["put into the queue"] = median(lambda: site.queue.submit(order, Row(next(numbers), Target("/x"))), 200)
    found |= of_queue(site.queue, "")
    site.database.rows(
        "INSERT INTO counterproof.runs (run, head_hash, batch, position, job, state)"
        " SELECT 'r' || n, %s, 'many', n, (SELECT job FROM counterproof.runs WHERE job <> '' LIMIT 1), 'waiting'"
        f" FROM generate_series(1, {MANY}) AS n",
        genesis("r"),
    )
    found |= of_queue(site.queue, f", {MANY:,} waiting")
    found[f"runs a second through the queue by 4 workers, {MANY:,} waiting"] = by_four(site)
    site.database.close()
    return found


def of_queue(queue: Queue, when: str) -> dict[str, float]:
    return {
        f"take, beat, hand in{when}": median(lambda: one_round(queue), 50),
        f"take{when}": median(lambda: queue.take("w", 3600), 50),
        f"what `fleet status` asks{when}": median(queue.status, 10),
    }


def one_round(queue: Queue) -> None:
    taken = queue.take("w", 60)
    assert taken
    queue.beat(taken.lease, 60, "note")
    queue.hand_in(taken.lease, "unverified", 0, "")


def by_four(site: Site) -> float:
    def some() -> None:
        with Database(site.server.url(postgres.WORKER, site.name)) as opened:
            for _ in range(50):
                one_round(Queue(opened))

    threads = [threading.Thread(target=some) for _ in range(4)]
    took = timed(lambda: [each.start() for each in threads] and [each.join() for each in threads])
    return round(200 / took, 1)


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def median(work: Callable[[], object], times: int) -> float:
    return round(sorted(timed(work) for _ in range(times))[times // 2] * 1000, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what a fleet costs.")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--runs", type=int, default=10, help="in each round, of each kind")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fleet-", ignore_cleanup_errors=True) as name:
        found: dict[str, object] = {**database(Path(name))}
        print(json.dumps(found), file=sys.stderr, flush=True)
        if wanted.rounds:
            found |= throughput(Path(name), wanted.rounds, wanted.runs)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}"
    print(f"{datetime.now(UTC):%Y-%m-%d}, {machine}, Python {platform.python_version()}")
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
