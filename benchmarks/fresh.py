"""What a first run is worth on code that nobody here has read: ordinary maintained projects, drawn by a seed, judged by reading.

    python benchmarks/fresh.py names MIRROR            adds to benchmarks/fresh/names.csv what the lists fetched into MIRROR name
    python benchmarks/fresh.py names MIRROR --of stores --to FILE   what one source names, for draws with --names FILE
    python benchmarks/fresh.py draw --draw 2 --seed 7  the order in which to fetch, applications and others in turn
    python benchmarks/fresh.py run MIRROR --draw 2 --seed 7 --count 12 --work DIR
    python benchmarks/fresh.py figure                  the table of all draws so far

MIRROR holds git directories as MIRROR/owner+name/repo. `run` takes the drawn projects in order, leaves out what is not fetched,
has not moved since MAINTAINED_SINCE, or is outside SIZE, audits the rest and appends every finding of Medium and above to
benchmarks/fresh/judged.csv with an empty verdict. Whoever judges fills in verdict and reason by reading the code, before anything
is mended: T true at that severity, O true but overrated, D true but dull, F false. A project that was drawn is spent: the
ledger (benchmarks/fresh/ledger.csv) keeps it out of every later draw. Nothing of a project's code is kept.
"""

import argparse
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent / "fresh"
NAMES, LEDGER, JUDGED = HERE / "names.csv", HERE / "ledger.csv", HERE / "judged.csv"
LISTS = (
    ("listed", "vinta/awesome-python", "*.md"),
    ("listed", "sindresorhus/awesome-nodejs", "*.md"),
    ("listed", "mjhea0/awesome-fastapi", "*.md"),
    ("listed", "nestjs/awesome-nestjs", "*.md"),
    ("listed", "wsvincent/awesome-django", "*.md"),
    ("listed", "ml-tooling/best-of-python", "README.md"),
    ("listed", "ml-tooling/best-of-web-python", "README.md"),
    ("listed", "uhub/awesome-python", "*.md"),
    ("listed", "uhub/awesome-javascript", "*.md"),
    ("listed", "sorrycc/awesome-javascript", "*.md"),
    ("listed", "dzharii/awesome-typescript", "*.md"),
    ("listed", "humiaozuzu/awesome-flask", "*.md"),
    ("listed", "mjhea0/awesome-flask", "*.md"),
    ("listed", "chentsulin/awesome-graphql", "*.md"),
    ("listed", "timofurrer/awesome-asyncio", "*.md"),
    ("listed", "agarrharr/awesome-cli-apps", "*.md"),
    ("application", "mahmoud/awesome-python-applications", "*.md"),
    ("server", "punkpeye/awesome-mcp-servers", "README.md"),
    ("application", "RunaCapital/awesome-oss-alternatives", "README.md"),
    ("application", "btw-so/open-source-alternatives", "*.md"),
    ("application", "unicodeveloper/awesome-nextjs", "*.md"),
    ("application", "sindresorhus/awesome-electron", "*.md"),
    ("application", "netbox-community/awesome-netbox", "*.md"),
)
"""Kind, repository, and the files whose links are names."""
STORES = ("runtipi/runtipi-appstore", "getumbrel/umbrel-apps")
"""Shops of applications to run at home: every manifest names its source."""
APPLICATIONS = "awesome-selfhosted/awesome-selfhosted-data"
PLATFORMS = {"Python", "Nodejs", "Django", "Javascript", "Typescript", "Deno"}
MAINTAINED_SINCE = "2025-06-01"
SIZE = (1_000, 120_000)
"""Lines of Python, JavaScript and TypeScript, as they stand."""
SUFFIXES = (".py", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs")
AUDIT_SECONDS = 900
REPORTED = ("critical", "high", "medium")
LEDGER_FIELDS = ("draw", "repository", "commit", "lines", "outcome")
JUDGED_FIELDS = ("draw", "repository", "severity", "rule", "place", "posture", "verdict", "reason")


def main() -> None:
    options = _options()
    if options.command == "names":
        named = {"self-hosted": _self_hosted, "stores": _in_stores, "all": _all_named}[options.of](options.mirror)
        _write(options.to, ("kind", "repository"), sorted(set(named)))
    elif options.command == "draw":
        print("\n".join(order(options.seed, options.draw, options.names, options.most)))
    elif options.command == "run":
        _run(options)
    else:
        print(table(read_rows(LEDGER), read_rows(JUDGED)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    names = commands.add_parser("names")
    names.add_argument("mirror", type=Path)
    names.add_argument("--of", choices=("all", "self-hosted", "stores"), default="all")
    names.add_argument("--to", type=Path, default=NAMES)
    commands.add_parser("figure")
    for name in ("draw", "run"):
        command = commands.add_parser(name)
        command.add_argument("--draw", required=True, help="number of the draw")
        command.add_argument("--seed", type=int, required=True)
        command.add_argument("--names", type=Path, action="append", help="files of names, taken together; names.csv unless given")
        command.add_argument("--most", type=int, default=SIZE[1], help="lines; larger projects are outside the size")
        if name == "run":
            command.add_argument("mirror", type=Path)
            command.add_argument("--count", type=int, default=12)
            command.add_argument("--work", type=Path, required=True)
            command.add_argument("--mode", default="quick")
    return parser.parse_args()


def _all_named(mirror: Path) -> Iterable[tuple[str, str]]:
    """Those that are there, and whatever else the lists name; each under its first kind."""
    kinds = {row["repository"].lower(): (row["kind"], row["repository"]) for row in read_rows(NAMES)}
    for kind, repository in sorted(set(_named(mirror))):
        kinds.setdefault(repository.lower(), (kind, repository))
    return kinds.values()


def _named(mirror: Path) -> Iterable[tuple[str, str]]:
    """Every repository that the lists name."""
    yield from _self_hosted(mirror)
    for kind, name, files in LISTS:
        if git := git_dir(mirror, name):
            text = in_git(git, "grep", "-ohE", r"github\.com/[^ )#]+", "HEAD", "--", files)
            for link in re.findall(r"github\.com/([\w-]+/[\w.-]+)", text):
                yield kind, link.removesuffix(".git").rstrip(".")


def _self_hosted(mirror: Path) -> Iterable[tuple[str, str]]:
    """Applications that people run for themselves, in the languages that the analysts read."""
    git = git_dir(mirror, APPLICATIONS)
    listed = in_git(git, "ls-tree", "-rz", "--name-only", "HEAD", "software/").split("\0") if git else ()
    for path in filter(None, listed):
        text = in_git(git, "show", f"HEAD:{path}")
        repository = re.search(r"^source_code_url: ['\"]?https://github\.com/([\w.-]+/[\w.-]+)", text, re.MULTILINE)
        platforms = set(re.findall(r"^  - ['\"]?(\w+)", text.partition("platforms:")[2].partition("\ntags:")[0], re.MULTILINE))
        if repository and platforms & PLATFORMS and "archived: true" not in text:
            yield "application", repository[1].removesuffix(".git")


def _in_stores(mirror: Path) -> Iterable[tuple[str, str]]:
    """Applications that shops offer, in whatever language; what the list of self-hosted ones names already is left out."""
    listed = {repository.lower() for _, repository in _self_hosted(mirror)}
    for store in STORES:
        text = in_git(git_dir(mirror, store), "grep", "-hE", "source|repo", "HEAD", "--", "*config.json", "*umbrel-app.yml")
        for link in re.findall(r"^\s*\"?(?:source|repo)\"?: *\"?https://github\.com/([\w.-]+/[\w.-]+)", text, re.MULTILINE):
            if (name := link.removesuffix(".git")).lower() not in listed:
                yield "store", name


def order(seed: int, draw: str, names: Iterable[Path] | None = None, most: int = 0) -> list[str]:
    """All names that no earlier draw has spent, shuffled; the kinds in turn. What was only too large is not, up to `most`."""
    earlier = [row for row in read_rows(LEDGER) if row["draw"] != draw]
    spent = {row["repository"].lower() for row in earlier if not _only_too_large(row, most)}
    kinds: dict[str, list[str]] = {}
    for row in (row for path in names or (NAMES,) for row in read_rows(path)):
        kinds.setdefault(row["kind"], []).append(row["repository"])
    chance = random.Random(seed)  # a draw that anyone can repeat, whatever was spent meanwhile
    for listed in kinds.values():
        chance.shuffle(listed)
    turns = zip(*([each for each in listed if each.lower() not in spent] for listed in kinds.values()), strict=False)
    return list(dict.fromkeys(name for turn in turns for name in turn))


def _only_too_large(row: dict[str, str], most: int) -> bool:
    return row["outcome"] == "outside the size" and SIZE[0] <= int(row["lines"]) <= most


def _run(options: argparse.Namespace) -> None:
    done = 0
    ledger = {row["repository"]: row for row in read_rows(LEDGER) if row["draw"] == options.draw}
    for name in order(options.seed, options.draw, options.names, options.most):
        if done == options.count:
            break
        if name in ledger:
            done += ledger[name]["outcome"] == "audited"
            continue
        git = git_dir(options.mirror, name)
        if git is None:
            print(f"not fetched: {name}", file=sys.stderr)
            continue
        row = _examined(options, name, git)
        append_rows(LEDGER, LEDGER_FIELDS, [row])
        done += row["outcome"] == "audited"


def _examined(options: argparse.Namespace, name: str, git: Path) -> dict[str, str]:
    commit, date = in_git(git, "log", "-1", "--format=%H %cs").split()
    row = {"draw": options.draw, "repository": name, "commit": commit[:12], "lines": "", "outcome": "not maintained"}
    if date < MAINTAINED_SINCE:
        return row
    place = options.work / name.replace("/", "+")
    if not export(git, place / "code"):
        return row | {"outcome": "not whole"}
    lines = _lines(place / "code")
    row["lines"] = str(lines)
    if not SIZE[0] <= lines <= options.most:
        return row | {"outcome": "outside the size"}
    report = audit(place, options.mode)
    if report is None:
        return row | {"outcome": "no report"}
    append_rows(JUDGED, JUDGED_FIELDS, [row for row in _grave(options.draw, name, report) if row["severity"] in REPORTED])
    return row | {"outcome": "audited"}


def audit(place: Path, mode: str, out: Path | None = None) -> Any:
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


def _grave(draw: str, name: str, report: Any) -> Iterable[dict[str, str]]:
    """Every finding and every point of posture of Medium and above."""
    for each in report["findings"]:
        finding = each["finding"]
        yield _row(draw, name, each["severity"], finding["rule"], finding["location"], "")
    for each in report.get("posture", ()):
        yield _row(draw, name, each["severity"], each["rule"], each["places"][0], "yes")


def _row(draw: str, name: str, severity: str, rule: str, location: Any, posture: str) -> dict[str, str]:
    place = f"{location['path']}:{location['start']}"
    return {"draw": draw, "repository": name, "severity": severity, "rule": rule, "place": place, "posture": posture}


def table(ledger: list[dict[str, str]], judged: list[dict[str, str]]) -> str:
    """One row per draw. Right: T; with the overrated: T and O. Posture is counted apart."""
    head = "| draw | projects | lines | Critical+High: right, with overrated, of | false Critical | Medium: T, O, D, F "
    rows = [f"{head}| Medium+ per 1,000 lines | posture |", "|---|---|---|---|---|---|---|---|"]
    for draw in sorted({row["draw"] for row in ledger if row["outcome"] == "audited"}, key=int):
        audited = [row for row in ledger if row["draw"] == draw and row["outcome"] == "audited"]
        mine = [row for row in judged if row["draw"] == draw]
        found = [row for row in mine if not row["posture"]]
        lines = sum(int(row["lines"]) for row in audited)
        high = [row["verdict"] for row in found if row["severity"] != "medium"]
        medium = [row["verdict"] for row in found if row["severity"] == "medium"]
        wrong = sum(row["severity"] == "critical" and row["verdict"] == "F" for row in found)
        counts = ", ".join(str(medium.count(letter)) for letter in "TODF")
        rate = len(found) / lines * 1_000 if lines else 0
        right = f"{high.count('T')}, {high.count('T') + high.count('O')}, {len(high)}"
        rows.append(
            f"| {draw} | {len(audited)} | {lines:,} | {right} | {wrong} | {counts} | {rate:.2f} | {len(mine) - len(found)} |"
        )
    return "\n".join(rows)


def _lines(code: Path) -> int:
    files = (each for each in code.rglob("*") if each.suffix in SUFFIXES and each.is_file() and "node_modules" not in each.parts)
    return sum(each.read_bytes().count(b"\n") for each in files)


def export(git: Path, to: Path) -> bool:
    made = subprocess.run(["git", "--git-dir", str(git), "archive", "HEAD"], capture_output=True, check=False)
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
    repo = mirror / repository.replace("/", "+") / "repo"
    if not repo.is_dir():
        return None
    return repo / ".git" if (repo / ".git").is_dir() else repo


def in_git(git: Path | None, *arguments: str) -> str:
    command = ["git", "--git-dir", str(git), *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")


def read_rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write(path: Path, fields: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(fields)
        writer.writerows(rows)


def append_rows(path: Path, fields: tuple[str, ...], rows: Iterable[dict[str, str]]) -> None:
    fresh = not path.is_file()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fields, restval="", lineterminator="\n")
        if fresh:
            writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
