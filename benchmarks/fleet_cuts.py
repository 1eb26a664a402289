"""Cuts the network between a fleet's workers and its database, as a broken cable does: what is sent is lost, and nobody is told.

    unshare -Urnm python benchmarks/fleet_cuts.py SOCKETS --runs 20 --workers 4
    unshare -nm python benchmarks/fleet_cuts.py --runs 20 --workers 4 --restarts 2      as root

SOCKETS is the folder of a PostgreSQL server's socket, started outside and open to others; without it the server is our own and is
stopped at once and started again as often as asked. Each worker has a network namespace of its own, joined by a pair of devices
that goes down and up again at random moments; some cuts outlive a lease. Audits without models. These counts must be 0: runs that
did not end, ended twice, or report otherwise than the same batch undisturbed; journals that do not verify.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fleet_site import LEASE, Machine, Site, audited, made_targets

import postgres
from counterproof.model.batch import Order
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.postgres.journal import PostgresJournal
from counterproof.runtime.verification import verified


def ip(*words: str) -> None:
    subprocess.run(["/usr/sbin/ip", *words], check=True)


class Cabled(Site):
    """Workers in namespaces of their own."""

    def worker(self) -> Machine:
        number = len(self.machines) + 1
        name, near, far = f"{self.name}{number}", f"n{self.name[0]}{number}", f"f{self.name[0]}{number}"
        net = f"10.{9 if self.name == 'calm' else 10}.{number}"
        ip("netns", "add", name)
        ip("link", "add", near, "type", "veth", "peer", "name", far)
        ip("link", "set", far, "netns", name)
        ip("addr", "add", f"{net}.1/24", "dev", near)
        ip("link", "set", near, "up")
        for words in (("addr", "add", f"{net}.2/24", "dev", far), ("link", "set", far, "up"), ("link", "set", "lo", "up")):
            ip("-n", name, *words)

        def start(words: list[str], environment: dict[str, str], disk: Path) -> int:
            command = ["/usr/sbin/ip", "netns", "exec", name, sys.executable, "-m", "counterproof", *words]
            with (disk / "log").open("wb") as log:
                return subprocess.Popen(command, env=environment, stdout=log, stderr=log).pid

        disk = self.folder / f"{self.name}-{number}"
        self.machines.append(Machine(disk, self.name, postgres.Wire(self.server, f"{net}.1"), start))
        return self.machines[-1]


def storm(site: Cabled, order: Order, wanted: argparse.Namespace) -> dict[str, int]:
    for _ in range(wanted.workers):
        site.worker()
    site.submit(order)
    chance, workers = random.Random(wanted.seed), wanted.workers
    cuts, longer, restarts, until = 0, 0, 0, time.monotonic() + wanted.patience
    down: dict[int, float] = {}
    while site.left() and time.monotonic() < until:
        site.check(order.id)
        if restarts < wanted.restarts and site.left() < len(order.targets) * (1 - restarts / wanted.restarts) and down:
            site.server.stop()
            time.sleep(chance.uniform(0.1, 2))
            site.server.start()
            restarts += 1
        number = chance.randrange(workers) + 1
        if number not in down and len(down) < workers - 1 and chance.random() < 0.3:
            seconds = LEASE * chance.uniform(0.2, 2.5)
            ip("link", "set", f"ns{number}", "down")
            down[number] = time.monotonic() + seconds
            cuts, longer = cuts + 1, longer + (seconds > LEASE)
        for each in [each for each, ends in down.items() if time.monotonic() > ends]:
            ip("link", "set", f"ns{each}", "up")
            del down[each]
        time.sleep(0.3)
    return {"cuts": cuts, "of these longer than a lease": longer, "restarts of the database": restarts}


def main() -> None:
    parser = argparse.ArgumentParser(description="Cut the network of a fleet and count what was lost.")
    parser.add_argument("sockets", type=Path, nargs="?")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=900)
    parser.add_argument("--restarts", type=int, default=0, help="of the database, without SOCKETS")
    wanted = parser.parse_args()
    ip("link", "set", "lo", "up")
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run"], check=True)
    os.mkdir("/run/netns")
    folder = Path(tempfile.mkdtemp(prefix="cuts-"))
    server: Any = SimpleNamespace(folder=wanted.sockets) if wanted.sockets else postgres.server()
    if wanted.sockets:
        server.url = lambda user="postgres", database="postgres": postgres.Server.url(server, user, database)
    before, during = Cabled(folder, "calm", server), Cabled(folder, "stormy", server)
    order = Order("20300101-000000-000001", "cuts", made_targets(folder / "code", wanted.runs, ("--mode", "quick")))
    during.same_key_as(before)
    try:
        audited(before, order, wanted.workers, wanted.patience)
        found = storm(during, order, wanted)
        standings = during.queue.standings(order.id)
        found |= dict.fromkeys(("not_ended", "ended_twice", "reports_differing", "journals_damaged"), 0)
        found["runs taken over"] = sum(each.deaths for each in standings)
        for each, mine, theirs in zip(standings, during.reports(order.id), before.reports(order.id), strict=True):
            kinds = during.database.rows("SELECT kind FROM counterproof.entries WHERE run = %s", each.run)
            run = RunFolder(each.run, folder / "none")
            found["not_ended"] += each.state != "done"
            found["ended_twice"] += sum(kind == "receipt" for (kind,) in kinds) > 1
            found["reports_differing"] += mine != theirs or not mine
            found["journals_damaged"] += bool(verified(run, PostgresJournal(during.database, run, WallClock())).damages)
        print(json.dumps({"runs": len(standings), **found}, indent=2))
    finally:
        before.close()
        during.close()


if __name__ == "__main__":
    main()
