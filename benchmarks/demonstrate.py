"""How many known flaws of npm packages `counterproof demonstrate` shows, how many proved findings of vulnerable applications, and
how many of ordinary packages it shows falsely.

    python benchmarks/demonstrate.py known TRUTH TREES --draw 40 --seed 20261119 [--without NAME,…]
    python benchmarks/vulnerable.py take MIRROR --seed 20261119 --work WORK --count 10 --python
    python benchmarks/demonstrate.py apps WORK/*/code [--out FILE]
    python benchmarks/demonstrate.py ordinary NAMES --draw 30 --seed 20261119 [--out FILE]

Needs: Linux with user namespaces, `node` and `npm` on PATH, the package indexes of pip and npm (only to fetch; what is run has no
network), 2 GB of memory and at most 90 seconds for each finding. demonstrate.csv has the first runs as they fell, and the same
sets again after changes.

TRUTH is a CSV with `file`, `start_line` and `id`; TREES holds the files. Each drawn package is copied, what its manifest needs is
installed without scripts, the copy is audited, and the findings within `NEAR` lines of the known one are demonstrated. NAMES has
packages as `pypi:NAME` or `npm:NAME`, drawn until as many have unproved findings whose effect can be looked for, and all
of these are demonstrated. Prints a row for each finding or package and the sums.
"""

import argparse
import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from counterproof.demonstration.templates import templates_for

NEAR = 10
MOST_LINES = 10_000
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


def audited(place: Path, home: Path) -> list[dict[str, Any]]:
    run("audit", str(place), "--mode", "quick", "--yes", "-q", cwd=place, home=home)
    return json.loads(run("show", "latest", "--format", "json", cwd=place, home=home) or '{"findings": []}')["findings"]


def said_of(place: Path, home: Path, numbers: list[str]) -> dict[str, str]:
    """What `demonstrate` says of each finding."""
    lines = run("demonstrate", *numbers, "--install", cwd=place, home=home).splitlines()
    said = {number: text.strip() for number, _, text in (line.partition("  ") for line in lines) if number in numbers}
    for line in lines:
        others, _, first = line.partition(": the same as ")
        said |= {each: said[first] for each in others.split(", ") if first in said}
    return said


FIELDS = ("set", "project", "finding", "severity", "confidence", "counts", "result")
_QUOTED = re.compile(r"\(its last answer: (?!status)[^)]*\)?.*", re.S)


def record(out: Path | None, project: str, row: dict[str, Any], counts: bool, said: str) -> None:
    """Print one finding's result, and add it to the ledger, without text of the target."""
    where = row["finding"]["location"]
    finding = f"{row['finding']['rule']} {where['path']}:{where['start']}"
    print(f"{project:40} {'*' if counts else ' '} {row['severity']} {row['confidence']} {finding} {said[:200]}", flush=True)
    if out is not None:
        kind = "apps" if "+" in project else "ordinary"
        fields = (
            kind,
            project,
            finding,
            row["severity"],
            row["confidence"],
            "yes" if counts else "",
            _QUOTED.sub("", said)[:120],
        )
        new = not out.exists()
        with out.open("a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([FIELDS, fields] if new else [fields])


def apps(folders: list[Path], out: Path | None) -> None:
    """Every proved finding at Critical and High whose effect can be looked for; the sums count these."""
    tried = shown = 0
    for folder in folders:
        with tempfile.TemporaryDirectory() as above:
            project = folder.parent.name if folder.name == "code" else folder.name
            place, home = Path(above) / "target", Path(above) / "home"
            shutil.copytree(folder, place, symlinks=True)
            rows = [row for row in audited(place, home) if templates_for(row["finding"]["rule"], _language(row))]
            said = said_of(place, home, [row["number"] for row in rows])
            for row in rows:
                counts = row["confidence"] == "proved" and row["severity"] in ("critical", "high")
                is_shown = said.get(row["number"], "").startswith("demonstrated")
                tried += counts
                shown += counts and is_shown
                record(out, project, row, counts, said.get(row["number"], ""))
    print(f"{len(folders)} applications, {tried} proved Critical and High with an oracle (*), {shown} demonstrated")


def _language(row: dict[str, Any]) -> str:
    return "python" if row["finding"]["location"]["path"].endswith((".py", ".html", ".jinja", ".j2")) else "javascript"


def unpacked(name: str, place: Path) -> bool:
    """A package's own files, as its index has them. Nothing of it is run."""
    kind, _, name = name.partition(":")
    download = place.parent / "download"
    download.mkdir()
    if kind == "npm":
        subprocess.run(("npm", "pack", name, "--ignore-scripts"), cwd=download, capture_output=True, timeout=120, check=False)
    else:
        command = (sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "-d", str(download), name)
        subprocess.run(command, capture_output=True, timeout=120, check=False)
    for archive in download.iterdir():
        shutil.unpack_archive(archive, place, "gztar" if kind == "npm" else "zip")
    return place.is_dir()


def lines_in(place: Path) -> int:
    files = [each for each in place.rglob("*") if each.suffix in (".py", ".js", ".mjs", ".ts") and each.is_file()]
    return sum(each.read_bytes().count(b"\n") for each in files)


def ordinary(names: list[str], wanted: int, seed: int, out: Path | None) -> None:
    """Packages with findings that are not proved: each one that is demonstrated is for a reader to judge."""
    random.Random(seed).shuffle(names)
    packages = tried = shown = 0
    for name in names:
        if packages >= wanted:
            break
        with tempfile.TemporaryDirectory() as above:
            place, home = Path(above) / "package", Path(above) / "home"
            if not unpacked(name, place) or not 0 < lines_in(place) <= MOST_LINES:
                continue
            rows = [row for row in audited(place, home) if row["confidence"] in ("suspected", "claimed")]
            rows = [row for row in rows if templates_for(row["finding"]["rule"], _language(row))]
            if not rows:
                continue
            packages += 1
            said = said_of(place, home, [row["number"] for row in rows])
            for row in rows:
                tried += 1
                shown += said.get(row["number"], "").startswith("demonstrated")
                record(out, name, row, True, said.get(row["number"], ""))
    print(f"{packages} packages, {tried} suspected findings with an oracle, {shown} demonstrated")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    flaws, applications, packages = (commands.add_parser(each) for each in ("known", "apps", "ordinary"))
    flaws.add_argument("truth", type=Path)
    flaws.add_argument("trees", type=Path)
    flaws.add_argument("--without", default="", help="packages that the harness was written against")
    flaws.add_argument("--no-install", action="store_true")
    applications.add_argument("folders", type=Path, nargs="+")
    packages.add_argument("names", type=Path)
    for each in (applications, packages):
        each.add_argument("--out", type=Path, help="add a row for each finding to this CSV")
    for each, number in ((flaws, 40), (packages, 30)):
        each.add_argument("--draw", type=int, default=number)
        each.add_argument("--seed", type=int, default=20261119)
    asked = parser.parse_args()
    if asked.command == "apps":
        apps(asked.folders, asked.out)
    elif asked.command == "ordinary":
        ordinary(asked.names.read_text().split(), asked.draw, asked.seed, asked.out)
    else:
        known(asked)


def known(asked: argparse.Namespace) -> None:
    """Known flaws of npm packages."""
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
