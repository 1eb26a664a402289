"""Kills audits with SIGKILL at random moments and at every named point, resumes them, and counts what was lost (F14, F15).

    python benchmarks/kills.py --kills 1000 --modes quick,standard,deep
    python benchmarks/kills.py --points --modes quick
    python benchmarks/kills.py --compare dbos --kills 100    dbos in a throw-away environment; needs a package index

A run is killed, resumed, killed again, up to a few times, and then left to finish; recovery itself is killed as often as
anything else. Its agents ask a scripted model over loopback HTTP. The counts must all be 0, but for the last:

    reports that differ from that of an uninterrupted run, in any format
    journals that do not verify, and findings that stand twice
    questions sent again although their reply was in the journal when the process died
    questions sent again although their reply had been handed to the agent
    commands carried out again although the journal held their answer
    other questions sent again: their reply was still on its way, or between socket and disk; at most those in flight
"""

import argparse
import contextlib
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import venv
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path

from kill_campaign import Campaign, Counts, made_target
from kill_child import warmed_up
from kill_server import serve

from counterproof.protocols.audit.events import Event
from counterproof.runtime import crashpoints

FASTEST, SLOWEST = 0.005, 0.08


def named_points() -> list[str]:
    """Every point, those of the kinds of event included."""
    kinds = sorted(each.__dataclass_fields__["kind"].default for each in Event.__args__)
    nth = [f"{name}:{n}" for name in ("mid-journal", "before-head", "before-journal") for n in (2, 3, 7, 12)]
    nth += ["mid-report:2", "mid-report:3"]  # there are four formats
    return [
        *crashpoints.POINTS,
        *nth,
        *(f"{crashpoints.AFTER}{kind}" for kind in kinds),
        "after-agent_finished:2",
        "reply-stored:4",
    ]


def served(folder: Path, fastest: float = FASTEST, slowest: float = SLOWEST) -> tuple[int, int, Path]:
    """Start the model in a process of its own: its id, port and log."""
    reading, writing = os.pipe()
    log = folder / "server.log"
    process = os.fork()
    if process == 0:
        os.close(reading)
        with contextlib.suppress(BaseException):
            serve(log, writing, fastest, slowest)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        return process, int(file.readline()), log


def campaign(folder: Path, mode: str, port: int, log: Path, wanted: argparse.Namespace) -> Counts:
    """Everything that is wanted of one mode."""
    runs = Campaign(folder, mode, wanted.team, port, log, wanted.seed)
    if wanted.points:
        points = named_points() if wanted.points == "all" else wanted.points.split(",")
        missed = [point for point in points if not runs.counts.trouble and not runs.point_run(point)]
        print(f"{mode}: {runs.counts.runs} named points; never reached in this mode: {', '.join(missed) or 'none'}", flush=True)
    share = runs.counts.kills + wanted.kills // len(wanted.modes.split(","))
    while runs.counts.kills < share and not runs.counts.failed():
        runs.random_run()
        if runs.counts.runs % 5 == 0:
            print(f"{mode}: {runs.counts.kills} kills in {runs.counts.runs} runs", file=sys.stderr, flush=True)
    return runs.counts


def table(results: dict[str, Counts]) -> str:
    """The counts as a Markdown table, one column per mode."""
    names = [each.name for each in fields(Counts)[:-1]]
    head = f"| | {' | '.join(results)} |\n|---|{'---:|' * len(results)}\n"
    return head + "\n".join(
        f"| {n.replace('_', ' ')} | {' | '.join(str(getattr(c, n)) for c in results.values())} |" for n in names
    )


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Kill audits and count what was lost.")
    parser.add_argument("--kills", type=int, default=0, help="random kills, over all modes together")
    parser.add_argument("--points", nargs="?", const="all", default="", help="also these named points (all without a list)")
    parser.add_argument("--modes", default="quick,standard,deep")
    parser.add_argument("--team", default="asking", choices=["asking", "models"], help="who is killed: see kill_child.py")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the counts here")
    parser.add_argument("--compare", choices=["dbos"], help="the same kills on a durable engine instead")
    return parser.parse_args()


def compared(kills: int) -> None:
    """The same kills on dbos, in an environment that is thrown away afterwards."""
    with tempfile.TemporaryDirectory(prefix="dbos-") as folder:
        print("installing dbos into a throw-away environment", file=sys.stderr, flush=True)
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "dbos"], check=True, stderr=subprocess.DEVNULL)
        version = subprocess.run([python, "-c", _VERSION], check=True, capture_output=True, text=True).stdout.strip()
        script = Path(__file__).with_name("kill_dbos.py")
        said = subprocess.run([python, script, "--kills", str(kills)], check=True, capture_output=True, text=True).stdout
    results: dict[str, dict[str, int]] = json.loads(said)
    print(f"{datetime.now(UTC):%Y-%m-%d}, dbos {version} on SQLite, {platform.machine()}, {os.cpu_count()} cores")
    print(f"| | {' | '.join(results)} |\n|---|{'---:|' * len(results)}")
    for name in next(iter(results.values())):
        print(f"| {name} | {' | '.join(str(counts[name]) for counts in results.values())} |")


_VERSION = "import importlib.metadata; print(importlib.metadata.version('dbos'))"


def main() -> None:
    wanted = parsed()
    if wanted.compare:
        compared(wanted.kills or 100)
        return
    os.environ["PATH"] = "/usr/bin:/bin"  # no Semgrep: its time would hide the rest
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        process, port, log = served(Path(name))
        try:
            warmed_up(Path(name) / "warm", made_target(Path(name) / "target"), wanted.team, port)
            results = {mode: campaign(Path(name), mode, port, log, wanted) for mode in wanted.modes.split(",")}
        finally:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(table(results))
    for counts in results.values():
        print("\n".join(counts.trouble))
    if wanted.json:
        wanted.json.write_text(json.dumps({mode: asdict(counts) for mode, counts in results.items()}, indent=2))
    sys.exit(1 if any(counts.failed() for counts in results.values()) else 0)


if __name__ == "__main__":
    main()
