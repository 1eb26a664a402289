"""Kills audits, reviews and verifications as users run them, resumes them, and compares what they report (F14).

    python benchmarks/kill_jobs.py --kills 60

Each command runs without models in a process of its own, is killed with SIGKILL at a random moment, goes on with `resume`, is
killed again, a few times, and is then let finish. These counts must be 0: runs that did not end, reports that differ in any file
from those of an undisturbed run, journals that do not verify. `kills.py` counts what was asked again, for audits with agents.
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
from datetime import UTC, datetime
from pathlib import Path

from kill_campaign import WEAK

from counterproof.app.jobs import JOBS
from counterproof.runtime.home import Home
from counterproof.runtime.verification import verify

MOST = 4
"""Kills of one run."""
PLAN = "# Sort items by price\n\n1. In `app.py` give `find` a parameter `order`.\n2. Call `sorted_items(order)` from `find`.\n"
WORDS = {
    "audit": ("audit", "code", "--yes", "--mode", "standard"),
    "review": ("review", "--repo", "code", "--yes", "--diff", "HEAD~1..HEAD"),
    "verify": ("verify", "code/PLAN.md", "--repo", "code", "--yes"),
}


def made(folder: Path) -> None:
    """A repository with a change and a plan."""
    code = folder / "code"
    code.mkdir(parents=True)
    (code / "PLAN.md").write_text(PLAN)
    for number, text in enumerate(("import sqlite3\n", WEAK)):
        (code / "app.py").write_text(text)
        named = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        for words in (("init", "-q"), ("add", "-A"), (*named, "commit", "-qm", f"state {number}")):
            subprocess.run(["git", "-C", code, *words], check=True)


def started(folder: Path, home: Path, words: tuple[str, ...]) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "COUNTERPROOF_HOME": str(home), "COUNTERPROOF_SEMGREP": "", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "counterproof", *words, "--quiet"]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ended(folder: Path, home: Path, job: str) -> dict[str, bytes]:
    """Let it finish; its reports."""
    runs = list(Home(home).runs())
    words = ("resume", runs[-1].id, "--yes") if runs else WORDS[job]
    code = started(folder, home, words).wait()
    if code == 4 and runs:  # killed before its first row: there is nothing to go on with
        shutil.rmtree(home)
        started(folder, home, WORDS[job]).wait()
    run = Home(home).runs()[-1]
    files = next(each.files for each in JOBS if each.name == job).values()
    return {name: (run.path / name).read_bytes() for name in files if (run.path / name).is_file()}


def campaign(folder: Path, job: str, kills: int, chance: random.Random) -> dict[str, int]:
    began = time.monotonic()
    expected = ended(folder, folder / f"{job}-calm", job)
    lasts = time.monotonic() - began
    found = dict.fromkeys(("runs", "kills", "not_ended", "reports_differing", "journals_damaged"), 0)
    while found["kills"] < kills:
        home = folder / f"{job}-{found['runs']}"
        found["runs"] += 1
        for _ in range(chance.randint(1, MOST)):
            runs = Home(home).runs()
            process = started(folder, home, ("resume", runs[-1].id, "--yes") if runs else WORDS[job])
            time.sleep(chance.uniform(lasts * 0.2, lasts))
            if process.poll() is None:
                found["kills"] += 1
                process.send_signal(signal.SIGKILL)
            process.wait()
        time.sleep(0.2)  # its child ends a moment after it
        reports = ended(folder, home, job)
        found["not_ended"] += not reports
        found["reports_differing"] += bool(reports) and reports != expected
        found["journals_damaged"] += bool(verify(Home(home).runs()[-1]).damages)
        shutil.rmtree(home)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill the three jobs and compare their reports.")
    parser.add_argument("--kills", type=int, default=60, help="of each job")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kill-jobs-") as name:
        made(Path(name))
        found = {job: campaign(Path(name), job, wanted.kills, random.Random(f"{wanted.seed}/{job}")) for job in WORDS}
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(json.dumps(found, indent=2))
    sys.exit(any(each[name] for each in found.values() for name in ("not_ended", "reports_differing", "journals_damaged")))


if __name__ == "__main__":
    main()
