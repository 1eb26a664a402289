"""How long a quick audit takes, beside bandit and Semgrep on the same tree in the same run.

    python benchmarks/speed.py [--lines 150000] [--peers bandit,semgrep] [--semgrep-rules DIR] [--limit 1800]
    python benchmarks/speed.py --scale 10000,150000,1000000

The tree is made of the standard library and the packages installed beside it, in a fixed order, up to the number of lines;
where they do not suffice, they are repeated under another folder. Counterproof runs three times: on a tree that it never saw
(`cold`), on the same tree again (`again`), and after one line was added to one file (`one file changed`). Bandit is installed
into a throw-away environment; Semgrep is the one of COUNTERPROOF_SEMGREP or of PATH, with the rules that Counterproof ships, or
with those of `--semgrep-rules`, a file or folder on this machine. A peer that cannot be had is left out, and said so.

The time depends on how many rules there are, so each row says how many of them run on Python: ours by what the rules say,
bandit's by the list in its help, Semgrep's by its own record of a run on one small file.

All programs run as installed ones do, with their bytecode compiled: pip does that for the peers, a first run for Counterproof.

Wall time is what a user waits; processor time is less disturbed by other work on the machine, so both are shown. `--scale` runs
only Counterproof, cold, at several sizes and shows the time per thousand lines.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

PACK = Path(__file__).resolve().parent.parent / "src" / "counterproof" / "analysis" / "semgrep" / "pack"
LEFT_OUT = frozenset({"test", "tests", "__pycache__", "idlelib", "lib2to3", "site-packages", "dist-packages"})
MAX_FILE = 400_000


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: seconds by the wall and of all processors, the largest process in MB, and whether it wrote no report.

    `rules` is how many rules ran on Python; 0 if that is not known.
    """

    name: str
    wall: float
    processor: float
    memory: int
    failed: bool
    rules: int = 0


def sources() -> Iterator[tuple[str, Path]]:
    """Python files of this installation as (path in the tree, file), in a fixed order."""
    for name, place in (("library", sysconfig.get_paths()["stdlib"]), ("packages", sysconfig.get_paths()["purelib"])):
        root = Path(place)
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root).parts
            if LEFT_OUT.isdisjoint(parts) and path.stat().st_size <= MAX_FILE:
                yield "/".join((name, *parts)), path


def plant(tree: Path, lines: int) -> int:
    """Copy files until the tree has that many lines; returns how many it has."""
    found = list(sources())
    total = 0
    for copy in range(1, 101):
        for name, path in found:
            data = path.read_bytes()
            count = data.count(b"\n")
            if total + count <= lines:
                target = tree / (f"copy{copy}" if copy > 1 else "") / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
                total += count
            if total >= lines - 50:
                return total
    return total


def measured(name: str, command: list[str], limit: float, report: Path) -> Measured:
    """Run a command to its end or to the limit. Exit codes tell findings, so the report that it writes shows that it worked."""
    report.unlink(missing_ok=True)
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while True:
        done, status, usage = os.wait4(process.pid, os.WNOHANG)
        if done:
            break
        if time.perf_counter() - started > limit:
            os.killpg(process.pid, 9)
            _, status, usage = os.wait4(process.pid, 0)
            break
        time.sleep(0.02)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    failed = not report.is_file() or not report.stat().st_size
    return Measured(name, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024, failed)


def bandit(place: Path) -> list[str] | None:
    """Bandit from a new environment; None where it cannot be installed."""
    venv.create(place, with_pip=True)
    made = subprocess.run([place / "bin" / "pip", "install", "-q", "bandit"], check=False, capture_output=True)
    return [str(place / "bin" / "bandit"), "-q", "-r", "-f", "json", "-o"] if made.returncode == 0 else None


def bandit_rules(command: list[str]) -> int:
    """The tests that bandit lists in its help."""
    shown = subprocess.run([command[0], "--help"], check=False, capture_output=True, text=True).stdout
    return len(set(re.findall(r"\bB[0-9]{3}\b", shown.partition("tests were discovered")[2])))


def semgrep_rules(command: list[str], place: Path) -> int:
    """The rules that Semgrep ran on one file of Python."""
    place.mkdir()
    (place / "nothing.py").write_text("def nothing():\n    return None\n")
    report = place / "report.json"
    subprocess.run([*command, str(report), "--time", str(place / "nothing.py")], check=False, capture_output=True)
    return len(json.loads(report.read_text("utf-8"))["time"]["rules"]) if report.is_file() else 0


def our_rules() -> int:
    """Our rules that look at Python: data flow, checks of a file, control of endpoints, secrets."""
    from counterproof.analysis.ruleset import CheckRule, ControlRule, FlowRule, SecretRule, load_rules
    from counterproof.model.survey import Language

    rules = [each.rule for each in load_rules()]
    flows = [each for each in rules if isinstance(each, FlowRule) and Language.PYTHON in each.languages]
    checks = [each for each in rules if isinstance(each, CheckRule) and each.applies("code.py")]
    return len(flows) + len(checks) + sum(isinstance(each, (ControlRule, SecretRule)) for each in rules)


def semgrep(rules: Path) -> list[str] | None:
    """Semgrep with local rules, and nothing from the network; None where there is none."""
    program = os.environ.get("COUNTERPROOF_SEMGREP") or shutil.which("semgrep")
    if not program:
        return None
    return [
        program,
        "scan",
        "--metrics=off",
        "--disable-version-check",
        "--no-git-ignore",
        "-q",
        "--config",
        str(rules),
        "--json",
        "-o",
    ]


def audit(name: str, tree: Path, home: Path, limit: float) -> Measured:
    out = home / "out"
    command = [
        sys.executable,
        "-P",
        "-m",
        "counterproof",
        "audit",
        str(tree),
        "--mode",
        "quick",
        "--yes",
        "-q",
        "--out",
        str(out),
    ]
    os.environ["COUNTERPROOF_HOME"] = str(home)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    return measured(name, command, limit, home / "out" / "report.json")


def ours(tree: Path, home: Path, limit: float) -> list[Measured]:
    runs = [replace(audit("counterproof, cold", tree, home, limit), rules=our_rules())]
    runs.append(audit("counterproof, again", tree, home, limit))
    changed = sorted(tree.rglob("*.py"))[len(list(tree.rglob("*.py"))) // 2]
    changed.write_text(changed.read_text("utf-8", "replace") + "\n\ndef added(value):\n    return value\n")
    return [*runs, audit("counterproof, one file changed", tree, home, limit)]


def compile_ours(place: Path, limit: float) -> None:
    """One audit of next to nothing, after which the bytecode is there."""
    place.mkdir()
    (place / "nothing.py").write_text("def nothing():\n    return None\n")
    audit("first", place, place.with_name("first"), limit)


def peers(names: set[str], tree: Path, place: Path, limit: float, rules: Path) -> Iterator[Measured]:
    commands = {"bandit": lambda: bandit(place / "bandit"), "semgrep": lambda: semgrep(rules)}
    for name in sorted(names & commands.keys()):
        command = commands[name]()
        if command is None:
            print(f"{name} could not be had; left out")
        else:
            count = bandit_rules(command) if name == "bandit" else semgrep_rules(command, place / "one")
            report = place / f"{name}.json"
            label = name if name == "bandit" else f"semgrep, with {'our' if rules == PACK else 'the given'} rules"
            yield replace(measured(label, [*command, str(report), str(tree)], limit, report), rules=count)


def table(runs: list[Measured], lines: int) -> None:
    first = runs[0]
    heads = ("run", "rules for Python", "wall s", "ratio to cold", "processor s", "lines per processor s", "largest process MB")
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for each in runs:
        failed = " (wrote no report)" if each.failed else ""
        ratio, speed = each.wall / first.wall, lines / max(each.processor, 0.001)
        row = f"{each.wall:.1f} | {ratio:.2f} | {each.processor:.1f} | {speed:,.0f} | {each.memory}"
        print(f"| {each.name}{failed} | {each.rules or ''} | {row} |")


def scale(sizes: list[int], limit: float) -> None:
    print("| lines | wall s | processor s | processor ms per 1,000 lines | largest process MB |\n|---|---|---|---|---|")
    for size in sizes:
        with tempfile.TemporaryDirectory() as place:
            compile_ours(Path(place) / "small", limit)
            lines = plant(Path(place) / "tree", size)
            run = audit("cold", Path(place) / "tree", Path(place) / "home", limit)
        per_line = 1_000_000 * run.processor / lines
        shown = f"{lines:,}{' (wrote no report)' if run.failed else ''}"
        print(f"| {shown} | {run.wall:.1f} | {run.processor:.1f} | {per_line:.0f} | {run.memory} |", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lines", type=int, default=150_000)
    options.add_argument("--peers", default="bandit,semgrep")
    options.add_argument("--semgrep-rules", type=Path, default=PACK, help="a file or folder of Semgrep rules; ours without it")
    options.add_argument("--limit", type=float, default=1_800.0, help="seconds that one run may take")
    options.add_argument("--scale", default="", help="sizes to compare, such as 10000,150000,1000000")
    given = options.parse_args()
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.system()} {platform.machine()}, {os.cpu_count()} processors, {load}, ", end=""
    )
    print(f"Python {platform.python_version()}\n")
    if given.scale:
        scale([int(size) for size in given.scale.split(",")], given.limit)
        return
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place) / "tree"
        lines = plant(tree, given.lines)
        print(f"{lines:,} lines of Python in {len(list(tree.rglob('*.py'))):,} files\n", flush=True)
        compile_ours(Path(place) / "small", given.limit)
        beside = list(peers(set(given.peers.split(",")), tree, Path(place), given.limit, given.semgrep_rules.resolve()))
        table([*ours(tree, Path(place) / "home", given.limit), *beside], lines)


if __name__ == "__main__":
    main()
