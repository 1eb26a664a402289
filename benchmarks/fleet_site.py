"""A fleet to measure: a real database, workers with disks and networks of their own, small targets. See fleet.py."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import postgres
from counterproof.app.leased import FLEET
from counterproof.batch import acceptance
from counterproof.batch.preparing import Preparation
from counterproof.cli import commands_audit
from counterproof.fleet.queue import Queue
from counterproof.model.batch import Order, Row, Target
from counterproof.runtime.postgres.database import Database

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


Start = Callable[[list[str], dict[str, str], Path], int]
"""Starts a worker with these words and this environment, which writes to a log on its disk; returns the process to kill."""


def cold(words: list[str], environment: dict[str, str], disk: Path) -> int:
    """As users start it."""
    with (disk / "log").open("wb") as log:
        return subprocess.Popen([sys.executable, "-m", "counterproof", *words], env=environment, stdout=log, stderr=log).pid


def _read(words: tuple[str, ...]) -> acceptance.Question:
    request, asked = commands_audit.read(words[1:])
    return acceptance.Question(request, asked.since, asked.fail_on_incomplete)


class Site:
    """One database and the machines around it."""

    def __init__(self, folder: Path, name: str, server: postgres.Server, start: Start = cold) -> None:
        self.folder, self.server, self.name, self._start = folder, server, name, start
        with closing(Database(server.url())) as owner:
            owner.rows(f"CREATE DATABASE {name}")
        postgres.prepare(server.url(database=name))
        self.database = Database(server.url(database=name))
        self.queue = Queue(self.database)
        self.machines = list[Machine]()

    def same_key_as(self, other: "Site") -> None:
        key = other.database.value("SELECT key FROM counterproof.fleet_key")
        self.database.rows("UPDATE counterproof.fleet_key SET key = %s", key)

    def submit(self, order: Order) -> None:
        self.queue.limit(order.id, order.budget)
        for position, target in enumerate(order.targets):
            self.queue.submit(order, Row(position, target, job=Preparation({}).job(target)))

    def check(self, batch: str) -> None:
        """What `batch` does with runs that were handed in."""
        for each in self.queue.standings(batch):
            if each.state == "unverified":
                acceptance.decide(self.queue, each, {}, _read)

    def worker(self) -> "Machine":
        disk = self.folder / f"{self.name}-{len(self.machines) + 1}"
        self.machines.append(Machine(disk, self.name, postgres.Wire(self.server), self._start))
        return self.machines[-1]

    def close(self) -> None:
        """Nothing is left running."""
        for each in self.machines:
            each.die()
        self.database.close()

    def left(self) -> int:
        return sum(count for state, count in self.queue.counts().items() if state in ("waiting", "running", "unverified"))

    def reports(self, batch: str) -> list[dict[str, bytes]]:
        found = [self.queue.files(each.run) for each in self.queue.standings(batch)]
        return [{name: body for name, body in files.items() if name.startswith("report.")} for files in found]


class Machine:
    """One worker, its disk and its way to the database."""

    def __init__(self, disk: Path, database: str, wire: postgres.Wire, start: Start) -> None:
        self.disk, self.wire = disk, wire
        disk.mkdir()
        address = wire.url(postgres.WORKER, database)
        environment = {**os.environ, "COUNTERPROOF_HOME": str(disk / "home"), FLEET: address, "PATH": "/usr/bin:/bin"}
        self.process = start(["worker", "--jobs", "1", "--lease", str(LEASE)], environment, disk)
        self.recovers = 0.0
        """When a disturbance that lasts is over; 0 while there is none."""

    @property
    def lives(self) -> bool:
        """A process that ended and has not been waited for does not."""
        with suppress(OSError):
            return Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        return False

    def die(self) -> None:
        """All processes at once, as when the power goes, and with the disk. What was sent may still arrive."""
        self._signal(signal.SIGSTOP)
        self._signal(signal.SIGKILL)
        while self.lives:
            time.sleep(0.01)
        shutil.rmtree(self.disk, ignore_errors=True)
        self.wire.restore()

    def lose_a_process(self, chance: random.Random) -> bool:
        """One of those that drive a run, as when memory is short; False where there is none."""
        with suppress(OSError, ValueError, IndexError):
            worker = int((self.disk / "worker").read_text())
            os.kill(chance.choice([each for each in descendants(self.process) if each != worker]), signal.SIGKILL)
            return True
        return False

    def stop(self, seconds: float) -> None:
        self.recovers = time.monotonic() + seconds
        self._signal(signal.SIGSTOP)

    def cut_off(self, seconds: float, held: bool) -> None:
        self.recovers = time.monotonic() + seconds
        self.wire.hold() if held else self.wire.cut()

    def recover(self) -> None:
        self.recovers = 0.0
        self.wire.restore()
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        for process in (self.process, *descendants(self.process)):
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


def made_targets(folder: Path, count: int, options: tuple[str, ...]) -> tuple[Target, ...]:
    """Small projects that differ, each with one weakness."""
    for number in range(count):
        project = folder / f"shop{number}"
        project.mkdir(parents=True)
        (project / "app.py").write_text(WEAK.format(number=number))
    return tuple(Target(str(folder / f"shop{number}"), "", options) for number in range(count))


def audited(site: Site, order: Order, workers: int, patience: float) -> float:
    """Seconds in which undisturbed workers audit all of it; starting them counts."""
    for _ in range(workers):
        site.worker()
    site.submit(order)
    began = time.monotonic()
    while site.left() and time.monotonic() < began + patience:
        site.check(order.id)
        time.sleep(0.2)
    took = time.monotonic() - began
    for each in site.machines:
        each.die()
    return took
