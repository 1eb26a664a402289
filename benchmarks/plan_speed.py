"""How long one verification takes on a large repository, cold and then with what the first run kept.

    python benchmarks/plan_speed.py FOLDER [--runs 3]

A plan of eight steps is made from the folder's own files and names. Each run is a process of its own. Printed:
lines of Python, seconds by the clock and of processor time, cold and then warm.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def plan_for(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*.py") if "test" not in path.name and path.stat().st_size < 100_000)
    steps: list[str] = []
    for path in files[:: max(1, len(files) // 40)]:
        names = re.findall(r"(?m)^def (\w{6,40})", path.read_text(encoding="utf-8", errors="replace"))
        if names and len(steps) < 8:
            steps.append(f"{len(steps) + 1}. Change `{names[0]}()` in `{path.relative_to(folder).as_posix()}`.")
    return "# Plan\n\n## Goal\n\nTime it.\n\n## Steps\n\n" + "\n".join(steps) + "\n\n## Verification\n\nRun the whole suite.\n"


def timed(plan: Path, folder: Path, home: Path) -> tuple[float, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    command = [sys.executable, "-m", "counterproof", "verify", str(plan), "--repo", str(folder), "--yes", "--quiet"]
    subprocess.run(command, env={**os.environ, "COUNTERPROOF_HOME": str(home)}, check=False, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, used


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    lines = sum(path.read_bytes().count(b"\n") for path in options.folder.rglob("*.py"))
    print(f"{lines:,} lines of Python")
    with tempfile.TemporaryDirectory() as scratch:
        plan = Path(scratch) / "PLAN.md"
        plan.write_text(plan_for(options.folder))
        for number in range(options.runs + 1):
            clock, processor = timed(plan, options.folder, Path(scratch) / "home")
            print(f"{'warm' if number else 'cold'}: {clock:.2f} s by the clock, {processor:.2f} s of processor time", flush=True)


if __name__ == "__main__":
    main()
