"""Puts values that readers choke on into every place the hostile tests know, and counts what comes of it (X16).

    python benchmarks/odd_values.py

A tree holds when every flaw in it was found, no agent failed and nothing was raised. The others are printed: exit code 1.
"""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from hostile.odd_values import Odd, cases
from hostile.quick_audit import audited, plant


def problem(odd: Odd) -> str:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = str(Path(folder) / "data")
        try:
            seen = audited(plant(Path(folder) / "code", odd.files))
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    missed = sorted(odd.flaws - {path for path, cwe in seen.flaws if cwe == 78})
    failed = [each for each in seen.report["banners"] if "Agent" in each]
    return "; ".join([*failed, *(f"missed in {path}" for path in missed)])


def main() -> None:
    problems = {odd.name[:80]: problem(odd) for odd in cases()}
    bad = {name: what for name, what in problems.items() if what}
    for name, what in bad.items():
        print(f"{name}: {what}")
    print(
        f"| X16 | {len(problems)} trees with values that readers choke on | {len(problems) - len(bad)} held, {len(bad)} did not |"
    )
    raise SystemExit(1 if bad else 0)


if __name__ == "__main__":
    main()
