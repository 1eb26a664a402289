"""What the modes of an audit take on the same trees: processor time, and the findings on the first page and to check.

    python benchmarks/modes.py TREE...

Processor time counts every thread and child process, so other work on the machine disturbs it little. The figures that a plan
shows beforehand (`counterproof.protocols.audit.mode_words`) are from here.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

MODES = ("quick", "standard", "deep")


def main() -> None:
    for tree in map(Path, sys.argv[1:]):
        for mode in MODES:
            seconds, report = measured(tree, mode)
            first = len(report["first_page"])
            lines = report["scale"]["loc"]
            print(f"{tree.name:20} {lines:>8,} lines  {mode:9} {seconds:7.1f} s  {first:3} + {len(report['findings']) - first}")


def measured(tree: Path, mode: str) -> tuple[float, dict[str, list[object] | dict[str, int]]]:
    with tempfile.TemporaryDirectory() as home:
        words = ("audit", str(tree), "--mode", mode, "--yes", "--quiet", "--no-cache", "--format", "json")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, "COUNTERPROOF_HOME": home}
        done = subprocess.run([sys.executable, "-m", "counterproof", *words], env=environment, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return spent, json.loads(done.stdout)


if __name__ == "__main__":
    main()
