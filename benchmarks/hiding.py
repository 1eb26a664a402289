"""Hides a flaw in every way the hostile tests know and counts what comes of it (X21).

    python benchmarks/hiding.py            every tree
    python benchmarks/hiding.py --every 7  each seventh
    python benchmarks/hiding.py --reached  only code that anything but an import statement reaches

A row for each way to hide: trees, flaw found, listed as unread with exit code 3, missed. A miss ends with exit code 1.
"""

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from hostile.hidden_code import Hidden, cases
from hostile.quick_audit import audited, plant
from hostile.reached_code import reached

COMMAND_INJECTION = 78


def outcome(hidden: Hidden) -> str:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = str(Path(folder) / "data")
        seen = audited(plant(Path(folder) / "code", hidden.files))
    if (hidden.flaw, COMMAND_INJECTION) in seen.flaws:
        return "found"
    told = seen.code == 3 and any(hidden.flaw in banner for banner in seen.report["banners"])
    return "unread" if told else "missed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--reached", action="store_true")
    options = parser.parse_args()
    chosen = list(reached() if options.reached else cases())[:: options.every]
    total: Counter[str] = Counter()
    for hidden in chosen:
        came = outcome(hidden)
        total[came] += 1
        if came == "missed":
            print(f"missed: {hidden.name}")
    came = f"{total['found']} found, {total['unread']} unread with exit code 3, {total['missed']} missed"
    print(f"| X21 | {len(chosen)} trees, each with one hidden flaw | {came} |")
    raise SystemExit(1 if total["missed"] else 0)


if __name__ == "__main__":
    main()
