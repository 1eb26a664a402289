"""Disturbs the workers of a fleet in every way, and counts what was lost (F14, F15, F18).

    python benchmarks/fleet.py --runs 200 --workers 3

A calm batch is audited first and says what the reports must be. Then the same targets are audited by workers that are killed at
random moments, together with all that lies on their disks; that lose a process of a run; that are stopped for longer than their
lease, and woken; that are cut off from the database, so that connections break or so that what was sent arrives late; and the
database is stopped at once and started again. Model agents ask a scripted model over loopback HTTP. These counts must be 0:

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
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from fleet_site import LEASE, Machine, Site, audited, made_targets
from fleet_warm import Forge
from kills import served

import postgres
from counterproof.model.batch import Order
from counterproof.model.budget import Limit
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.postgres.journal import PostgresJournal
from counterproof.runtime.verification import verified

TOKENS_A_CALL = 110
FASTEST, SLOWEST = 0.05, 0.6
"""Seconds in which the model answers: long enough that kills meet questions in flight."""
DISTURBANCES = {"kill": 5, "process": 1, "pause": 2, "cut": 2, "hold": 2, "restart": 1}
"""What happens how often, of thirteen."""
WRONG = (
    "not_ended", "ended_twice", "reports_differing", "journals_damaged", "replies_twice", "journalled_asked_again",
    "tokens_over_budget", "tokens_unknown_to_the_budget",
)  # fmt: skip


@dataclass
class Counts:
    """What happened, and what must not have."""

    runs: int = 0
    ended_once_with_the_calm_reports: int = 0
    happened: dict[str, int] = field(default_factory=lambda: dict.fromkeys(DISTURBANCES, 0))
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


class Storm:
    """Disturbs a site until every run has ended."""

    def __init__(self, site: Site, wanted: argparse.Namespace, counts: Counts) -> None:
        self._site, self._wanted, self._counts = site, wanted, counts
        self._chance = random.Random(wanted.seed)
        self._kinds = {kind: DISTURBANCES[kind] for kind in wanted.kinds.split(",")}
        self._machines = list[Machine]()

    def rage(self, order: Order) -> None:
        self._machines = [self._site.worker() for _ in range(self._wanted.workers)]
        self._site.submit(order)
        until = time.monotonic() + self._wanted.patience
        while self._site.left() and time.monotonic() < until:
            self._site.check(order.id)
            self._pass(self._chance.uniform(*self._wanted.every))
            self._disturb(self._chance.choices(list(self._kinds), list(self._kinds.values()))[0])
        for each in self._machines:
            each.recover()
        time.sleep(LEASE)  # whoever was asleep finds out that its run is another's
        for each in self._machines:
            each.die()

    def _pass(self, seconds: float) -> None:
        """Time goes by; whoever is due recovers; a worker that ended, as when the database stays away, is replaced."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(0.2)
            for number, each in enumerate(self._machines):
                if each.recovers and time.monotonic() > each.recovers:
                    each.recover()
                if not each.lives:
                    self._machines[number] = self._site.worker()

    def _disturb(self, what: str) -> None:
        number = self._chance.randrange(len(self._machines))
        chosen, seconds = self._machines[number], LEASE * self._chance.uniform(0.2, 2)
        if what == "kill":
            chosen.die()
            self._machines[number] = self._site.worker()
        elif what == "process":
            if not chosen.lose_a_process(self._chance):
                return
        elif what == "restart":
            self._site.server.stop()
            time.sleep(self._chance.uniform(0.1, 2))
            self._site.server.start()
        elif chosen.recovers:
            return
        elif what == "pause":
            chosen.stop(seconds)
        else:
            chosen.cut_off(seconds, held=what == "hold")
        self._counts.happened[what] += 1
        print(f"{what} {number}; {self._site.queue.counts()}", file=sys.stderr, flush=True)


def judge(site: Site, before: Site, order: Order, asks: list[tuple[str, float]], counts: Counts) -> None:
    standings = site.queue.standings(order.id)
    counts.runs = len(standings)
    counts.takeovers = sum(each.deaths for each in standings)
    counts.not_ended = sum(each.state != "done" for each in standings)
    counts.trouble += [f"{each.run} {each.state}: {each.note}" for each in standings if each.state != "done"][:5]
    journals: dict[str, float] = {}
    for each, mine, theirs in zip(standings, site.reports(order.id), before.reports(order.id), strict=True):
        kinds = [row[0] for row in site.database.rows("SELECT kind FROM counterproof.entries WHERE run = %s", each.run)]
        twice, differs = kinds.count("receipt") > 1, mine != theirs or len(mine) != 4
        counts.ended_twice += twice
        counts.reports_differing += differs
        counts.ended_once_with_the_calm_reports += each.state == "done" and not twice and not differs
        run = RunFolder(each.run, site.folder / "none")
        counts.journals_damaged += bool(verified(run, PostgresJournal(site.database, run, WallClock())).damages)
        kept = replies(site, each.run)
        counts.replies_twice += len(kept) - len({key for key, _ in kept})
        journals.update({request: at for (*_, request), at in kept})
    counts.questions = len({key for key, _ in asks})
    counts.journalled_asked_again = sum(at > journals.get(key, at) for key, at in asks)
    counts.asked_again_in_flight = len(asks) - counts.questions - counts.journalled_asked_again
    used = {row[0]: row[1] + row[2] for row in site.queue.purses()}
    limit = order.budget.tokens or 0
    counts.tokens_over_budget = max(0, len(asks) * TOKENS_A_CALL - limit, used[order.id] - limit)
    counts.tokens_unknown_to_the_budget = max(0, len(asks) * TOKENS_A_CALL - used[order.id])


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
    counts = Counts()
    process, port, log = served(folder, FASTEST, SLOWEST)
    agents = f"hunter=openai-compatible:scripted@http://127.0.0.1:{port}/v1,analyst"
    targets = made_targets(folder / "code", wanted.runs, ("--mode", "quick", "--agents", agents))
    forge = Forge(folder / "warm", Path(targets[0].source), agents)
    server = postgres.server()
    before, during = Site(folder, "calm", server, forge.machine), Site(folder, "stormy", server, forge.machine)
    try:
        order = Order("20300101-000000-000001", "campaign", targets, Limit(wanted.runs * 400_000, None))
        during.same_key_as(before)
        counts.seconds_calm = round(audited(before, order, wanted.workers, wanted.patience), 1)
        print(f"calm: {before.queue.counts()} in {counts.seconds_calm} s", file=sys.stderr, flush=True)
        began, wall = time.monotonic(), time.time()
        Storm(during, wanted, counts).rage(order)
        counts.seconds = round(time.monotonic() - began, 1)
        judge(during, before, order, asked(log, wall), counts)
    finally:
        during.close()
        before.close()
        forge.close()
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description="Disturb a fleet and count what was lost.")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(DISTURBANCES), help="what may happen, separated by commas")
    parser.add_argument(
        "--every", type=float, nargs=2, default=(2.0, 8.0), help="seconds between two disturbances, at least and at most"
    )
    parser.add_argument("--patience", type=float, default=3600, help="seconds after which runs that have not ended are given up")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fleet-", ignore_cleanup_errors=True) as name:
        counts = campaign(Path(name), wanted)
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(json.dumps(counts.__dict__, indent=2))
    sys.exit(1 if any(getattr(counts, name) for name in WRONG) else 0)


if __name__ == "__main__":
    main()
