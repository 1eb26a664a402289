"""How many real vulnerabilities a run names: repositories before and after the fix of an advisory, audited whole.

    python benchmarks/cves.py run MIRROR --work DIR [--unread] [--only CVE-…] [--count 30 --seed 7]
    python benchmarks/cves.py figure                  the table of all draws so far

cases.csv lists advisories of PyPI and npm that name a kind (CWE) and a fix on GitHub: a commit, several commits of which the
first that touches source counts, a pull request (#), or a release (@) that touches few files. `first_run` is the result of the
first run on a case; cases without it were never run (`--unread` takes only these).
MIRROR holds git directories as MIRROR/owner+name/repo.

The parent of the fix is laid out and audited. A hit is a finding of a fitting kind, of any severity, in a function or on a line
that the fix touches, or whose flow passes one. Whether it names the flaw is judged by reading: `run` prints the hits, whether the
same rules still report the fixed version, and the judged result of the first run.
"""

import argparse
import json
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cves_twins import Touched, lay_out, sides_of, source_files, touched_by
from fresh import Row, audit, git_dir, lines_in, read_rows

HERE = Path(__file__).resolve().parent / "cves"
CASES, FIGURES = HERE / "cases.csv", HERE / "figures.csv"
SIZE = (100, 150_000)
"""Lines of Python, JavaScript and TypeScript."""
FAMILIES = tuple(
    frozenset(map(int, each.split()))
    for each in (
        "77 78 88 74 20", "94 95 96 98 1336 74 470 913 917 20", "89 564 943 74 20", "90 74", "91 643 74",
        "79 80 83 84 87 116 74 20 1021", "22 23 24 25 26 29 35 36 73 20 200 552 610 668", "22 59 61 73 367", "601 20",
        "918 441 20 610", "502 20 94 913", "611 776 827 400", "327 328 916 759 760 326 330 338 329 1240",
        "113 93 644 74 20 436 444", "434 20", "798 259 321 1188 522 312", "352 346", "346 942 1385 352 923 940",
        "1333 400 407 730 185 770 20", "400 409 770 789 405 674 1050", "1321 915 913 20",
        "284 285 287 306 425 639 668 732 862 863 200 1188 288 290 269", "287 294 345 347 290 295 352 303 285 863", "307 770 799",
        "200 201 203 204 208 209 215 532 497 385", "384 613 614 1004 1275", "295 297 345 319", "116 117 93 532",
        "640 330 331 338 340", "377 378 379 59 276 732", "426 427 829 494 506", "306 1327 668 862",
    )
)  # fmt: skip
"""Kinds that fit one another. What is too general to say a kind (20, 74, 200) fits each that it may mean; a reader judges every
hit."""


class Alarm(NamedTuple):
    rule: str
    cwes: frozenset[int]
    path: str
    line: int
    steps: tuple[tuple[str, int], ...] = ()


def main() -> None:
    options = _options()
    if options.command == "figure":
        print(table(read_rows(FIGURES)))
        return
    known = hits = 0
    for case in _chosen(options):
        git = git_dir(options.mirror, case["repository"])
        told = _examined(options, case, git) if git else "not fetched"
        known += told.startswith(("hit", "none"))
        hits += told.startswith("hit")
        print(f"{case['id']} {case['repository']}: {told} (first run: {case['first_run'] or 'this one'})", flush=True)
    print(f"{hits} hits by kind and place in {known} cases")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("figure")
    run = commands.add_parser("run")
    run.add_argument("mirror", type=Path)
    run.add_argument("--work", type=Path, required=True)
    run.add_argument("--only", action="append", default=[], help="these advisories")
    run.add_argument("--unread", action="store_true", help="only cases that were never run")
    run.add_argument("--count", type=int, help="so many of them, by the seed")
    run.add_argument("--seed", type=int, default=1)
    run.add_argument("--mode", default="quick")
    run.add_argument("--keep", action="store_true", help="leave the twins and reports in --work")
    return parser.parse_args()


def _chosen(options: argparse.Namespace) -> list[Row]:
    rows = [row for row in read_rows(CASES) if not options.only or row["id"] in options.only]
    rows = [row for row in rows if not (options.unread and row["first_run"])]
    random.Random(options.seed).shuffle(rows)
    return rows[: options.count]


def _examined(options: argparse.Namespace, case: Row, git: Path) -> str:
    place = options.work / case["id"]
    sides = sides_of(git, case["fix"])
    if sides is None:
        return "no such commit"
    files = source_files(git, *sides)
    if not files:
        return "no source touched"
    for name, commit in zip(("before", "after"), sides, strict=True):
        if not lay_out(git, commit, place / name / "code"):
            return "not whole"
    if not SIZE[0] <= lines_in(place / "before" / "code") <= SIZE[1]:
        told = "outside the size"
    else:
        told = _audited(options, place, case, [touched_by(git, *sides, files, side) for side in (0, 1)])
    if not options.keep:
        shutil.rmtree(place)
    return told


def _audited(options: argparse.Namespace, place: Path, case: Row, touched: list[dict[str, Touched]]) -> str:
    report = audit(place / "before", options.mode)
    if report is None:
        return "no report"
    hits = [each for each in _alarms(report) if _fits(each, case) and _is_at(each, touched[0])]
    if not hits:
        return "none"
    rules = {each.rule for each in hits}
    fixed = audit(place / "after", options.mode)
    left = {each.rule for each in _alarms(fixed) if _fits(each, case) and _is_at(each, touched[1])} if fixed else set[str]()
    places = "; ".join(sorted({f"{each.rule} {each.path}:{each.line}" for each in hits}))
    return f"hit {places}{', stays' if rules <= left else ''}"


def _alarms(report: Any) -> Iterator[Alarm]:
    for each in report["findings"]:
        finding = each["finding"]
        at = finding["location"]
        steps = tuple(
            (step["location"]["path"], step["location"]["start"]) for step in (finding.get("flow") or {}).get("steps", ())
        )
        yield Alarm(finding["rule"], _cwes(finding.get("cwe")), at["path"], at["start"], steps)
    for each in report.get("posture", ()):
        for at in each["places"]:
            yield Alarm(each["rule"], _cwes(each.get("cwe")), at["path"], at["start"])


def _cwes(value: Any) -> frozenset[int]:
    return frozenset(map(int, re.findall(r"\d+", json.dumps(value))))


def _fits(alarm: Alarm, case: Row) -> bool:
    wanted = set(map(int, case["cwes"].split(";")))
    return bool(alarm.cwes & wanted) or any(wanted & family and alarm.cwes & family for family in FAMILIES)


def _is_at(alarm: Alarm, touched: dict[str, Touched]) -> bool:
    places = ((alarm.path, alarm.line), *alarm.steps)
    return any(path in touched and touched[path].around(line) for path, line in places)


def table(figures: list[Row]) -> str:
    """One row per draw and one of sums. A named CVE is a hit that a reader said names the flaw."""
    rows = [
        "| draw | commit | CVEs | lines | hits by kind and place | named | of these stay on the fixed version |",
        "|---" * 7 + "|",
    ]
    fields = ("cves", "lines", "hits", "named", "stays")
    for row in figures:
        rows.append(f"| {row['draw']} | {row['commit']} | {' | '.join(f'{int(row[each]):,}' for each in fields)} |")
    sums = (sum(int(row[each]) for row in figures) for each in fields)
    return "\n".join([*rows, f"| all | | {' | '.join(f'{each:,}' for each in sums)} |"])


if __name__ == "__main__":
    main()
