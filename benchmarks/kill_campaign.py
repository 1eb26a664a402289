"""Runs of one mode that are killed and resumed, and what came of them: the counting part of `kills.py`."""

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import time
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from kill_child import BEGUN, CUT, HANDED, ID_LENGTH, NEVER_STARTED, RECEIVED, SENDING, STIRS, forked
from kill_server import ASK

from counterproof.app.stored_runs import report_of
from counterproof.reports import FILE_NAMES
from counterproof.runtime import crashpoints
from counterproof.runtime.home import Home
from counterproof.runtime.verification import verify

MOST_KILLS_PER_RUN = 15
LONGEST_LIFE = 0.35
FINISHED = (0, 1, 3)
WEAK = """
import sqlite3
import subprocess

from flask import Flask, request

app = Flask(__name__)


@app.route("/find")
def find():
    return {"rows": sqlite3.connect("a.db").execute("SELECT * FROM item WHERE name = '" + request.args["term"] + "'").fetchall()}


@app.route("/ping")
def ping():
    return subprocess.run("ping -c 1 " + request.args["host"], shell=True, capture_output=True).stdout
"""


@dataclass
class Counts:
    """What one mode came to. All after the first six must be 0, and `repeats_in_flight` at most `in_flight`;
    of those, `repeats_between_socket_and_disk` were whole in memory when the process died."""

    kills: int = 0
    runs: int = 0
    questions: int = 0
    in_flight: int = 0
    repeats_in_flight: int = 0
    repeats_between_socket_and_disk: int = 0
    reports_differing: int = 0
    journals_damaged: int = 0
    findings_twice: int = 0
    journalled_asked_again: int = 0
    handed_over_asked_again: int = 0
    answered_work_repeated: int = 0
    trouble: list[str] = field(default_factory=list[str])

    def failed(self) -> bool:
        wrong = sum(getattr(self, each.name) for each in fields(self)[6:-1])
        return bool(wrong or self.trouble or self.repeats_in_flight > self.in_flight)


@dataclass(frozen=True)
class Death:
    """What was on disk and under way when a process was killed."""

    at: int
    stored: frozenset[str]
    answered: frozenset[str]
    in_flight: int


class Campaign:
    """Runs of one mode, killed again and again."""

    def __init__(self, folder: Path, mode: str, team: str, port: int, log: Path, seed: int) -> None:
        self.folder, self.mode, self.team, self.port, self.log = folder, mode, team, port, log
        self.target = made_target(folder / "target")
        self.chance = random.Random(f"{seed}/{mode}")
        self.counts = Counts()
        self.number = 0
        self.stir = ""
        self._expected: dict[str, dict[str, bytes]] = {}
        started = time.monotonic()
        self._expect("")
        self.duration = time.monotonic() - started

    def _expect(self, stir: str) -> None:
        """From here on this scenario; what its uninterrupted run reports is what the others must."""
        self.stir = stir
        if stir not in self._expected:
            self._expected[stir] = self._reports(self._finished(self._home(), ""))

    def _home(self) -> Path:
        self.number += 1
        return self.folder / self.mode / f"{self.number}"

    def _fork(self, home: Path, point: str) -> int:
        home.mkdir(parents=True, exist_ok=True)
        return forked(home, self.target, self.mode, self.team, self.port, point, self.stir)

    def _finished(self, home: Path, point: str) -> Path:
        """Let a run go to its end."""
        while True:
            _, status = os.waitpid(self._fork(home, point), 0)
            code = os.waitstatus_to_exitcode(status)
            if code == NEVER_STARTED:
                shutil.rmtree(home / "runs")
            elif code in FINISHED:
                return home
            else:
                self.counts.trouble.append(f"{self.mode}: ended with {code}: {(home / 'errors').read_text()[-300:]}")
                return home

    def _reports(self, home: Path) -> dict[str, bytes]:
        run = Home(home).runs()[-1]
        return {name: (run.path / name).read_bytes() for name in FILE_NAMES.values() if (run.path / name).is_file()}

    def random_run(self) -> None:
        """One run, killed at random moments of its life, each time with less of it left."""
        self._expect("")
        home, deaths = self._home(), list[Death]()
        self.counts.runs += 1
        for _ in range(self.chance.randint(1, MOST_KILLS_PER_RUN)):
            process = self._fork(home, "")
            time.sleep(self.chance.uniform(0, self.duration * LONGEST_LIFE))
            os.kill(process, signal.SIGKILL)
            _, status = os.waitpid(process, 0)
            code = os.waitstatus_to_exitcode(status)
            if code == NEVER_STARTED:
                shutil.rmtree(home / "runs")
            elif code != -signal.SIGKILL:
                break
            else:
                deaths.append(self._death(home))
        self._judge(self._finished(home, ""), deaths)

    def point_run(self, point: str) -> bool:
        """One run killed at a named point, then resumed; False if the run never came by."""
        kind = point.removeprefix(crashpoints.AFTER)
        self._expect(kind if kind in STIRS else "")
        home = self._home()
        if point == "mid-repair":
            return self._chain_run(home, ("after-recon_reported", point, point), damaged=True)
        process = self._fork(home, point)
        _, status = os.waitpid(process, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL and point.startswith("recovering"):
            shutil.rmtree(home)
            return self._chain_run(home, ("after-recon_reported", point, point))
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            shutil.rmtree(home)
            return False
        self.counts.runs += 1
        death = self._death(home)
        self._judge(self._finished(home, ""), [death])
        return True

    def _chain_run(self, home: Path, points: tuple[str, ...], damaged: bool = False) -> bool:
        """Killed, and killed again while recovering from that, or while cutting a journal whose last row was damaged."""
        deaths: list[Death] = []
        lost: set[str] = set()
        for point in points:
            _, status = os.waitpid(self._fork(home, point), 0)
            if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
                return False
            deaths.append(self._death(home))
            if damaged and not lost:
                lost = spoilt(home)
        self.counts.runs += 1
        self._judge(self._finished(home, ""), [replace(death, answered=death.answered - lost) for death in deaths])
        return True

    def _death(self, home: Path) -> Death:
        self.counts.kills += 1
        stored, answered = on_disk(home)
        witness = lines(home / "witness")
        handed = {key for what, key, _ in witness if what == HANDED}
        in_flight = len({key for what, key, _ in witness if what == SENDING} - stored - handed)
        self.counts.in_flight += in_flight
        return Death(time.monotonic_ns(), frozenset(stored), frozenset(answered), in_flight)

    def _judge(self, home: Path, deaths: list[Death]) -> None:
        counts = self.counts
        if counts.trouble:
            return
        run = Home(home).runs()[-1]
        counts.reports_differing += self._reports(home) != self._expected[self.stir]
        counts.journals_damaged += bool(verify(run).damages)
        prints = [row.fingerprint for row in report_of(run).findings]
        counts.findings_twice += len(prints) - len(set(prints))
        self._count_repeats(home, deaths)
        if not counts.failed():
            shutil.rmtree(home)

    def _count_repeats(self, home: Path, deaths: list[Death]) -> None:
        counts, witness = self.counts, lines(home / "witness")
        begun = min((at for what, _, at in witness if what == BEGUN), default=1 << 62)
        asks = [(key, at) for what, key, at in lines(self.log) if what == ASK and at >= begun]
        handed = {key: at for what, key, at in reversed(witness) if what == HANDED}
        counts.questions += len({key for key, _ in asks})
        stored_again = {(key, at) for key, at in asks for death in deaths if at > death.at and key in death.stored}
        handed_again = {(key, at) for key, at in asks if at > handed.get(key, at)}
        counts.journalled_asked_again += len(stored_again)
        counts.handed_over_asked_again += len(handed_again)
        counts.repeats_in_flight += len(asks) - len({key for key, _ in asks}) - len(stored_again | handed_again)
        received = {key: at for _, key, at in reversed(lines(home / RECEIVED))}
        counts.repeats_between_socket_and_disk += sum(at > received.get(key, at) for key, at in asks)
        counts.answered_work_repeated += sum(
            what == BEGUN and any(at > death.at and task in death.answered for death in deaths) for what, task, at in witness
        )


def on_disk(home: Path) -> tuple[set[str], set[str]]:
    """The questions whose reply is in the journal, and the commands whose answer is."""
    stored, answered = set[str](), set[str]()
    for run in Home(home).runs():
        copy = home / "copy.db"
        for suffix in ("", "-wal"):  # a copy, because opening the journal itself would already recover it
            Path(f"{copy}{suffix}").unlink(missing_ok=True)
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(f"{run.journal}{suffix}", f"{copy}{suffix}")
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(copy)) as database:
            for kind, body in database.execute("SELECT kind, body FROM entries"):
                value: dict[str, Any] = json.loads(body) if kind in ("reply", "event") else {}
                if kind == "reply":
                    stored.add(value["request"][:ID_LENGTH])
                elif kind == "event" and value["kind"] != "agent_started" and "answers" in value:
                    answered.add(value["answers"].replace(" ", "_"))
    return stored, answered


def spoilt(home: Path) -> set[str]:
    """Change the last row behind the chain's back, and say whose answer it was. The user will allow to cut the damage off."""
    with contextlib.closing(sqlite3.connect(Home(home).runs()[-1].journal)) as database, database:
        seq, body = database.execute("SELECT seq, body FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
        database.execute("UPDATE entries SET body = ? WHERE seq = ?", (f"{body} ", seq))
    (home / CUT).touch()
    return {json.loads(body)["answers"].replace(" ", "_")}


def lines(path: Path) -> list[tuple[str, str, int]]:
    """The notes in a log: what, which, when."""
    if not path.exists():
        return []
    parts = [line.split() for line in path.read_text().rstrip("\0").splitlines()]
    return [(part[0], part[1], int(part[2])) for part in parts]


def made_target(folder: Path) -> Path:
    """A small project with two weaknesses, long enough for every mode."""
    if not folder.exists():
        folder.mkdir(parents=True)
        (folder / "app.py").write_text(WEAK)
        (folder / "requirements.txt").write_text("flask==3.1.0\n")
        (folder / "sums.py").write_text("\n".join(f"def add_{n}(value):\n    return value + {n}\n" for n in range(260)))
    return folder
