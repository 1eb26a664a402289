"""How long a quick audit of drawn projects takes beside other tools and beside another checkout of this code, as processor time.

    python benchmarks/fresh_speed.py --work DIR --of 3 --seed 10 --draw 10 [--other SRC] [--peer semgrep [--semgrep-rules RULES]…]

DIR is what `fresh.py run` worked in. Of the projects of that draw so many are taken by the seed. Every program runs on each of
them in turn, cold, with its processes' own processor time measured, which other work on the machine disturbs less than the time
on the wall. SRC is the `src` folder of another checkout, such as the commit before a change.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from detection_peers import peers
from fresh import LEDGER, read_rows

SRC = Path(__file__).resolve().parent.parent / "src"


def main() -> None:
    options = _options()
    audited = [row for row in read_rows(LEDGER) if row["draw"] == options.draw and row["outcome"] == "audited"]
    chosen = random.Random(options.seed).sample(audited, options.of)
    programs: dict[str, Callable[[Path, Path], None]] = {"this": partial(_audit, SRC)}
    if options.other:
        programs["other"] = partial(_audit, options.other)
    for peer in peers(options.peer, options.work, options.semgrep_rules):
        programs[f"{peer.name} {peer.version}"] = peer.scan
    print("| project | lines | " + " | ".join(programs) + " |")
    print("|---|---|" + "---|" * len(programs))
    for row in chosen:
        code = options.work / row["repository"].replace("/", "+") / "code"
        times = [_spent(run, code) for run in programs.values()]
        first = times[0]
        shown = [f"{first:.1f} s", *(f"{each:.1f} s ({each / first:.2f})" for each in times[1:])]
        print(f"| {row['repository']} | {row['lines']} | " + " | ".join(shown) + " |", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--draw", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--of", type=int, default=3)
    parser.add_argument("--other", type=Path)
    parser.add_argument("--peer", action="append", default=[], help="semgrep, bandit")
    parser.add_argument("--semgrep-rules", type=Path, action="append", default=[])
    return parser.parse_args()


def _spent(run: Callable[[Path, Path], None], code: Path) -> float:
    """Processor seconds of a run and of all that it starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as out:
        run(code, Path(out))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _audit(src: Path, code: Path, out: Path) -> None:
    """Without Semgrep, which a quick audit would run too where COUNTERPROOF_SEMGREP names one."""
    command = [sys.executable, "-m", "counterproof", "audit", str(code), "--mode", "quick", "--yes", "--quiet"]
    own = {"PYTHONPATH": str(src), "COUNTERPROOF_HOME": str(out / "home"), "XDG_CACHE_HOME": str(out / "cache")}
    given = {name: value for name, value in os.environ.items() if name != "COUNTERPROOF_SEMGREP"} | own
    subprocess.run([*command, "--out", str(out / "out")], env=given, capture_output=True, timeout=900, check=False)


if __name__ == "__main__":
    main()
