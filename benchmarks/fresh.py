"""What a first run is worth on code that nobody here has read: ordinary maintained projects, drawn by a seed, judged by reading.

    python benchmarks/fresh.py draw --seed 7                            the order in which to fetch, the kinds in turn
    python benchmarks/fresh.py run MIRROR --seed 7 --count 12 --work DIR
    python benchmarks/fresh.py figure --work DIR                        the counts of that draw
    python benchmarks/fresh.py keep --work DIR --draw 26                adds them to figures.csv and the names to spent.txt
    python benchmarks/fresh.py figure                                   the table of all draws so far

MIRROR holds git directories as MIRROR/owner+name/repo. `run` takes the drawn projects in order, leaves out those that are not
fetched, have not moved since MAINTAINED_SINCE, or are outside SIZE, audits the rest, and writes every finding of Medium and
above to DIR/judged.csv with an empty verdict. A reader fills in verdict and reason by reading the code, before anything is
changed: T true at that severity, O true but overrated, D true but without consequence, F false. A project that was drawn is
spent: `keep` lists it in benchmarks/spent.txt, which keeps it out of every later draw. Nothing of a project's code is kept.
"""

import argparse
import csv
import io
import json
import os
import random
import subprocess
import sys
import tarfile
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
NAMES, SPENT, FIGURES = HERE / "names.txt", HERE / "spent.txt", HERE / "fresh" / "figures.csv"
KINDS = ("application", "listed", "server", "store", "served")
MAINTAINED_SINCE = "2025-06-01"
SIZE = (1_000, 40_000)
"""Lines of Python, JavaScript and TypeScript, as they stand."""
SUFFIXES = (".py", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs")
AUDIT_SECONDS = 900
REPORTED = ("critical", "high", "medium")
LEDGER_FIELDS = ("repository", "commit", "lines", "outcome")
JUDGED_FIELDS = ("repository", "severity", "rule", "place", "posture", "verdict", "reason")
VERDICTS = {"right": "T", "overrated": "O", "dull": "D", "false": "F"}
FIGURE_FIELDS = (
    "draw", "commit", "projects", "lines", *(f"high_{each}" for each in VERDICTS), "false_critical",
    *(f"medium_{each}" for each in VERDICTS), "posture",
)  # fmt: skip

Row = dict[str, str]


def main() -> None:
    options = _options()
    if options.command == "draw":
        print("\n".join(order(options.seed)))
    elif options.command == "run":
        _run(options)
    elif options.command == "keep":
        append_rows(FIGURES, FIGURE_FIELDS, [figure(options.work, options.draw)])
        spend(row["repository"] for row in read_rows(options.work / "ledger.csv"))
    else:
        print(table([figure(options.work, "this")] if options.work else read_rows(FIGURES)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("figure").add_argument("--work", type=Path)
    keep = commands.add_parser("keep")
    keep.add_argument("--work", type=Path, required=True)
    keep.add_argument("--draw", required=True, help="number of the draw")
    for name in ("draw", "run"):
        command = commands.add_parser(name)
        command.add_argument("--seed", type=int, required=True)
        if name == "run":
            command.add_argument("mirror", type=Path)
            command.add_argument("--count", type=int, default=12)
            command.add_argument("--most", type=int, default=SIZE[1], help="lines; larger projects are outside the size")
            command.add_argument("--work", type=Path, required=True)
            command.add_argument("--mode", default="quick")
    return parser.parse_args()


def order(seed: int, kinds: Iterable[str] = KINDS) -> list[str]:
    """All names of these kinds that no earlier draw has spent, shuffled; the kinds in turn."""
    gone = {name.lower() for name in _words(SPENT)}
    names: dict[str, list[str]] = {}
    kind = ""
    for word in _words(NAMES):
        if word.endswith(":"):
            kind = word.removesuffix(":")
        else:
            names.setdefault(kind, []).append(word)
    chance = random.Random(seed)  # a draw that anyone can repeat
    for listed in names.values():
        chance.shuffle(listed)
    turns = zip(*([each for each in names[kind] if each.lower() not in gone] for kind in kinds), strict=False)
    return list(dict.fromkeys(name for turn in turns for name in turn))


def spend(names: Iterable[str]) -> None:
    """List repositories that were read."""
    head = SPENT.read_text("utf-8").split("\n", 1)[0]
    spent = sorted({*_words(SPENT), *names}, key=str.lower)
    lines = textwrap.wrap(" ".join(spent), width=128, break_long_words=False, break_on_hyphens=False)
    SPENT.write_text("\n".join([head, *lines]) + "\n", "utf-8")


def _words(path: Path) -> list[str]:
    lines = path.read_text("utf-8").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]


def _run(options: argparse.Namespace) -> None:
    ledger = {row["repository"]: row for row in read_rows(options.work / "ledger.csv")}
    done = 0
    for name in order(options.seed):
        if done == options.count:
            break
        if name not in ledger:
            git = git_dir(options.mirror, name)
            if git is None:
                print(f"not fetched: {name}", file=sys.stderr)
                continue
            ledger[name] = _examined(options, name, git)
            append_rows(options.work / "ledger.csv", LEDGER_FIELDS, [ledger[name]])
        done += ledger[name]["outcome"] == "audited"


def _examined(options: argparse.Namespace, name: str, git: Path) -> Row:
    commit, date = in_git(git, "log", "-1", "--format=%H %cs").split()
    row = {"repository": name, "commit": commit[:12], "lines": "", "outcome": "not maintained"}
    if date < MAINTAINED_SINCE:
        return row
    place = options.work / name.replace("/", "+")
    if not export(git, place / "code"):
        return row | {"outcome": "not whole"}
    row["lines"] = str(lines := lines_in(place / "code"))
    if not SIZE[0] <= lines <= options.most:
        return row | {"outcome": "outside the size"}
    report = audit(place, options.mode)
    if report is None:
        return row | {"outcome": "no report"}
    found = [each for each in _reported(name, report) if each["severity"] in REPORTED]
    append_rows(options.work / "judged.csv", JUDGED_FIELDS, found)
    return row | {"outcome": "audited"}


def audit(place: Path, mode: str, out: Path | None = None) -> Any:
    """The report of an audit of `place`/code; nothing if it did not end in time."""
    out = out or place / "out"
    command = [sys.executable, "-m", "counterproof", "audit", str(place / "code"), "--mode", mode, "--yes", "--quiet"]
    report = out / "report.json"
    if report.is_file():  # of a run that was broken off
        return json.loads(report.read_text("utf-8"))
    environment = {**os.environ, "COUNTERPROOF_HOME": str(place / "home")}
    print(f"auditing {place.name}", file=sys.stderr, flush=True)
    try:
        subprocess.run([*command, "--out", str(out)], env=environment, capture_output=True, timeout=AUDIT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(report.read_text("utf-8")) if report.is_file() else None


def _reported(name: str, report: Any) -> Iterable[Row]:
    """Every finding and every point of posture."""
    for each in report["findings"]:
        finding = each["finding"]
        yield _row(name, each["severity"], finding["rule"], finding["location"], "")
    for each in report.get("posture", ()):
        yield _row(name, each["severity"], each["rule"], each["places"][0], "yes")


def _row(name: str, severity: str, rule: str, location: Any, posture: str) -> Row:
    place = f"{location['path']}:{location['start']}"
    return {"repository": name, "severity": severity, "rule": rule, "place": place, "posture": posture}


def figure(work: Path, draw: str) -> Row:
    """The counts of one draw; refused while a verdict is missing."""
    audited = [row for row in read_rows(work / "ledger.csv") if row["outcome"] == "audited"]
    rows = read_rows(work / "judged.csv")
    if unread := [row for row in rows if row["verdict"] not in VERDICTS.values()]:
        sys.exit(f"{len(unread)} findings without a verdict, the first at {unread[0]['repository']} {unread[0]['place']}")
    found = [row for row in rows if not row["posture"]]
    high = [row["verdict"] for row in found if row["severity"] != "medium"]
    medium = [row["verdict"] for row in found if row["severity"] == "medium"]
    counts: dict[str, object] = {
        "draw": draw,
        "commit": in_git(HERE.parent / ".git", "rev-parse", "--short", "HEAD").strip(),
        "projects": len(audited),
        "lines": sum(int(row["lines"]) for row in audited),
        **{f"high_{name}": high.count(letter) for name, letter in VERDICTS.items()},
        "false_critical": sum(row["severity"] == "critical" and row["verdict"] == "F" for row in found),
        **{f"medium_{name}": medium.count(letter) for name, letter in VERDICTS.items()},
        "posture": len(rows) - len(found),
    }
    return {name: str(value) for name, value in counts.items()}


def table(figures: list[Row]) -> str:
    """One row per draw, posture apart, and a row of sums."""
    sums = {each: str(sum(int(row[each]) for row in figures)) for each in FIGURE_FIELDS[2:]}
    rows = [
        "| draw | commit | projects | lines | High+: right, overrated, dull, false | Medium: the same | per 1,000 lines |",
        "|---" * 7 + "|",
    ]
    for row in (*figures, {"draw": "all", "commit": "", **sums}):
        high, medium = ([int(row[f"{level}_{name}"]) for name in VERDICTS] for level in ("high", "medium"))
        rate = 1_000 * (sum(high) + sum(medium)) / (int(row["lines"]) or 1)
        cells = (", ".join(map(str, counts)) for counts in (high, medium))
        head = " | ".join((row["draw"], row["commit"], row["projects"], f"{int(row['lines']):,}"))
        rows.append(f"| {head} | {' | '.join(cells)} | {rate:.2f} |")
    return "\n".join(rows)


def lines_in(code: Path) -> int:
    """Lines of the languages that the analysts read."""
    files = (each for each in code.rglob("*") if each.suffix in SUFFIXES and each.is_file() and "node_modules" not in each.parts)
    return sum(each.read_bytes().count(b"\n") for each in files)


def export(git: Path, to: Path, commit: str = "HEAD") -> bool:
    """Lay a commit out; whether it is whole."""
    made = subprocess.run(["git", "--git-dir", str(git), "archive", commit], capture_output=True, check=False)
    if made.returncode:
        return False
    to.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
        try:
            archive.extractall(to, filter="data")
        except tarfile.FilterError:  # a link out of the tree
            return False
    return True


def git_dir(mirror: Path, repository: str) -> Path | None:
    """The git directory of a fetched repository."""
    repo = mirror / repository.replace("/", "+") / "repo"
    if not repo.is_dir():
        return None
    return repo / ".git" if (repo / ".git").is_dir() else repo


def in_git(git: Path | None, *arguments: str) -> str:
    command = ["git", "--git-dir", str(git), *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")


def read_rows(path: Path) -> list[Row]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def append_rows(path: Path, fields: tuple[str, ...], rows: Iterable[Row]) -> None:
    fresh = not path.is_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fields, restval="", lineterminator="\n")
        if fresh:
            writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
