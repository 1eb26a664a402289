"""The storm of fleet.py over plain DBOS steps, for comparison.

    python benchmarks/fleet_dbos.py --python PYTHON_WITH_DBOS --runs 200 --workers 3

Runs are workflows in a queue; workers have names that stay, and one that was killed is started again at once with its name,
so that the engine recovers what it had begun. That is the arrangement in which it does best without anything of ours around it.
A step that asks lasts as long as one of ours; nothing else of an audit is done.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

from fleet_site import Machine
from kills import served

import postgres
from counterproof.app.leased import FLEET
from counterproof.model.batch import Order
from counterproof.runtime.postgres.database import Database
from fleet import DISTURBANCES, FASTEST, SLOWEST, Counts, Storm, asked

_SCRIPT = Path(__file__).with_name("fleet_dbos_worker.py")
_LEFT = ("ENQUEUED", "PENDING", "DELAYED")


class Site:
    """What the storm needs of a site, over the engine's own tables."""

    def __init__(self, folder: Path, python: str, runs: int, port: int) -> None:
        self.folder, self.server, self._python, self._port = folder, postgres.server(), python, port
        with closing(Database(self.server.url())) as owner:
            owner.rows("CREATE DATABASE dbos_runs")
        self.database = Database(self.server.url(database="dbos_runs"))
        environment = {**os.environ, FLEET: postgres.Wire(self.server).url("postgres", "dbos_runs")}
        subprocess.run([python, _SCRIPT, "submit", str(runs), str(port)], env=environment, check=True)
        self.machines: dict[str, Machine] = {}
        self.witness = folder / "witness"
        self.witness.touch()
        self.queue = SimpleNamespace(counts=self.counts)
        self._started = 0

    def submit(self, _: Order) -> None:
        """They are there already: the first to come makes the tables."""

    def worker(self) -> Machine:
        """The first name that no living machine has."""
        name = next(
            f"w{number}" for number in range(99) if not (f"w{number}" in self.machines and self.machines[f"w{number}"].lives)
        )

        def start(_: list[str], environment: dict[str, str], disk: Path) -> int:
            environment[FLEET] = environment[FLEET].replace(postgres.WORKER, "postgres", 1)
            words = [self._python, str(_SCRIPT), "work", name, str(self._port), str(self.witness)]
            with (disk / "log").open("wb") as log:
                return subprocess.Popen(words, env=environment, stdout=log, stderr=log).pid

        self._started += 1
        self.machines[name] = Machine(self.folder / f"{name}-{self._started}", "dbos_runs", postgres.Wire(self.server), start)
        return self.machines[name]

    def counts(self) -> dict[str, int]:
        rows = self.database.rows("SELECT status, count(*) FROM dbos.workflow_status GROUP BY 1 ORDER BY 1")
        return {str(state): int(count) for state, count in rows}

    def left(self) -> int:
        return sum(count for state, count in self.counts().items() if state in _LEFT)


def main() -> None:
    parser = argparse.ArgumentParser(description="Disturb workers of another engine and count what was lost.")
    parser.add_argument("--python", required=True)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(each for each in DISTURBANCES if each != "process"))
    parser.add_argument("--every", type=float, nargs=2, default=(2.0, 8.0))
    parser.add_argument("--patience", type=float, default=600)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fleet-", ignore_cleanup_errors=True) as name:
        process, port, log = served(Path(name), FASTEST, SLOWEST)
        site, counts = Site(Path(name), wanted.python, wanted.runs, port), Counts()
        try:
            began, wall = time.monotonic(), time.time()
            Storm(site, wanted, counts).rage(Order("", "", ()))  # pyright: ignore[reportArgumentType]
            asks = asked(log, wall)
            noted = [line.split() for line in site.witness.read_text().splitlines()]
            offset = time.time() - time.monotonic()
            received = {key: int(at) / 1e9 + offset for what, key, at in reversed(noted) if what == "received"}
            ends = Counter(key for what, key, _ in noted if what == "ended")
            found = {
                "runs": wanted.runs, "happened": counts.happened, "states at the end": site.counts(),
                "ran to their end twice or more": sum(number > 1 for number in ends.values()),
                "questions": len({key for key, _ in asks}), "asked again": len(asks) - len({key for key, _ in asks}),
                "asked again after their reply was there": sum(at > received.get(key, at) for key, at in asks),
                "seconds": round(time.monotonic() - began, 1),
            }  # fmt: skip
        finally:
            for each in site.machines.values():
                each.die()
            site.database.close()
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    sys.exit(main())
