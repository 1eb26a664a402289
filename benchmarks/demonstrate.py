"""How many known flaws of npm packages `counterproof demonstrate` shows, and how many of ordinary packages it shows falsely.

    python benchmarks/demonstrate.py TRUTH TREES --draw 40 --seed 20261119 [--without NAME,…]

TRUTH is a CSV with `file`, `start_line` and `id`; TREES holds the files. Each drawn package is copied, what its manifest needs is
installed without scripts, the copy is audited, and the findings within `NEAR` lines of the known one are demonstrated. Prints a
row for each and the sums: known, found by the audit, demonstrated.
"""

import argparse
import csv
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NEAR = 10
PROGRAM = (sys.executable, "-m", "counterproof")


def drawn(rows: list[dict[str, str]], number: int, seed: int, without: set[str]) -> list[dict[str, str]]:
    known = sorted(
        {row["id"]: row for row in rows if row["id"].rpartition("/")[2] not in without}.values(), key=lambda row: row["id"]
    )
    return sorted(random.Random(seed).sample(known, min(number, len(known))), key=lambda row: row["id"])


def run(*arguments: str, cwd: Path, home: Path) -> str:
    environment = {**os.environ, "COUNTERPROOF_HOME": str(home)}
    return subprocess.run((*PROGRAM, *arguments), cwd=cwd, env=environment, capture_output=True, text=True, check=False).stdout


def installed(place: Path) -> None:
    """What the package's own manifest asks for; nothing of it is run."""
    for manifest in place.rglob("package.json"):
        if "node_modules" not in manifest.parts and (manifest.parent == place or manifest.parent.parent == place):
            command = ("npm", "install", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error")
            subprocess.run(command, cwd=manifest.parent, capture_output=True, timeout=300, check=False)


def tried(row: dict[str, str], trees: Path, install: bool) -> tuple[str, str]:
    """(whether the audit found it, what came of it)"""
    top = "/".join(row["file"].split("/")[:3])
    path = row["file"].removeprefix(f"{top}/")
    with tempfile.TemporaryDirectory() as folder:
        place, home = Path(folder) / "target", Path(folder) / "home"
        shutil.copytree(trees / top, place, symlinks=True)
        if install:
            installed(place)
        run("audit", str(place), "--mode", "quick", "--yes", "-q", cwd=place, home=home)
        report = json.loads(run("show", "latest", "--format", "json", cwd=place, home=home) or '{"findings": []}')
        near = [each for each in report["findings"] if _is_near(each, path, int(row["start_line"]))]
        if not near:
            return "missed", ""
        said = run("demonstrate", *(each["number"] for each in near), cwd=place, home=home).splitlines()
        shown = [line for line in said if "  demonstrated: " in line]
        return "found", (shown or said or ["nothing was said"])[0][:160]


def _is_near(row: dict[str, dict[str, dict[str, int]]], path: str, line: int) -> bool:
    places = [row["finding"]["location"], *row["finding"]["also"]]
    return any(each["path"] == path and abs(each["start"] - line) <= NEAR for each in places)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=Path)
    parser.add_argument("trees", type=Path)
    parser.add_argument("--draw", type=int, default=40)
    parser.add_argument("--seed", type=int, default=20261119)
    parser.add_argument("--without", default="", help="packages that the harness was written against")
    parser.add_argument("--no-install", action="store_true")
    asked = parser.parse_args()
    with asked.truth.open(newline="") as file:
        rows = drawn(list(csv.DictReader(file)), asked.draw, asked.seed, set(asked.without.split(",")))
    found = shown = 0
    for row in rows:
        audit, said = tried(row, asked.trees, not asked.no_install)
        found += audit == "found"
        shown += "  demonstrated: " in said
        print(f"{row['id']:60} {audit:7} {said}", flush=True)
    print(f"{len(rows)} known flaws, {found} found by the audit, {shown} demonstrated")


if __name__ == "__main__":
    main()
