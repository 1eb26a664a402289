"""How many real vulnerabilities a first run sees: advisories drawn by a seed, whole repositories, fixed twins beside them.

    python benchmarks/cves.py advisories MIRROR           writes the two lists of advisories from the collection in MIRROR
    python benchmarks/cves.py draw --draw 2 --seed 7      the order in which to fetch
    python benchmarks/cves.py run MIRROR --draw 2 --seed 7 --count 30 --work DIR
    python benchmarks/cves.py peers MIRROR --draw 2 --seed 7 --work DIR --peer bandit --peer semgrep
    python benchmarks/cves.py figure                      the table of all draws so far

An advisory counts when it is of PyPI or npm, from 2023 on, names a kind (CWE) and exactly one commit on GitHub as its fix. From
draw 12 on one counts too that names several commits of one repository, of which the first in the list that touches source is
taken, or pull requests alone, of which the commit that merged the first is taken, or only the repository and the version that is
mended, of which the change since the release before is taken if it touches few files (LOOSER); packages of npm with a number
before 2023 are left out of these.
Numbers of npm before 2023 do not count, whenever they were published. One is taken of each repository. The vulnerable twin is
the parent of the fix. `run` leaves out what is not fetched, fixes that touch no Python, JavaScript or TypeScript outside of
tests, and repositories outside SIZE, and says so in the ledger.

A tool sees an advisory when a finding of a fitting kind (FAMILIES), of any severity, or a step of its flow lies in a function or
on a line that the fix touches. It stays when the same rule still says so of the fixed twin. Whether a hit
names the flaw is then judged by reading (`verdict` in benchmarks/cves/ledger.csv: T or F; for the peers, place by place, in
peers_judged.csv, from draw 11 on). `peers` gives bandit and Semgrep, which read file by file, the touched files only. An advisory
that was drawn is spent, and with it its repository. Nothing of a project's code is kept.
"""

import argparse
import json
import random
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from cves_twins import Touched, lay_out, sides_of, source_files, text_at, touched_by
from detection_peers import peers
from fresh import _lines, _write, append_rows, audit, git_dir, in_git, read_rows  # pyright: ignore[reportPrivateUsage]

HERE = Path(__file__).resolve().parent / "cves"
ADVISORIES, LEDGER = HERE / "advisories.csv", HERE / "ledger.csv"
JUDGED = HERE / "peers_judged.csv"
"""Places that the peers name, judged by the standard of our verdicts; a peer's hit is true if one of its places is."""
LOOSER = HERE / "advisories_looser.csv"
"""Advisories that name several commits of one repository, pull requests or a version. Draws up to 11 know nothing of them."""
COLLECTION = "Tabll/gemnasium-db"
SINCE = "2023"
READ_BEFORE = "0"
"""The draw of repositories that were read while building, before there was a ledger."""
EACH = 3
"""Advisories kept of one repository: some have hundreds."""
SIZE = (100, 150_000)
"""Lines of Python, JavaScript and TypeScript, as they stand."""
FIELDS = ("id", "ecosystem", "repository", "fix", "cwes")
PEERS = ("bandit", "semgrep")
NONE = "none"
"""In the ledger: the peer was run and said nothing that fits."""
LEDGER_FIELDS = ("draw", *FIELDS, "lines", "outcome", "ours", "stays", "bandit", "semgrep", "verdict", "reason")
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
    if options.command == "advisories":
        found = list(_advisories(options.mirror))
        _write(ADVISORIES, FIELDS, sorted(_fewer(row for row in found if re.fullmatch("[0-9a-f]{12}", row[3]))))
        _write(LOOSER, FIELDS, sorted(_fewer(row for row in found if not re.fullmatch("[0-9a-f]{12}", row[3]))))
    elif options.command == "draw":
        for row in order(options.seed, options.draw):
            print(row["repository"], row["id"])
    elif options.command == "run":
        _run(options)
    elif options.command == "peers":
        _peers(options)
    else:
        print(table(read_rows(LEDGER), read_rows(JUDGED)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("advisories").add_argument("mirror", type=Path)
    commands.add_parser("figure")
    for name in ("draw", "run", "peers"):
        command = commands.add_parser(name)
        command.add_argument("--draw", required=True, help="number of the draw")
        command.add_argument("--seed", type=int, required=True)
        if name != "draw":
            command.add_argument("mirror", type=Path)
            command.add_argument("--work", type=Path, required=True)
        if name == "run":
            command.add_argument("--count", type=int, default=30)
            command.add_argument("--shard", default="1/1", help="K/N: every Nth of the order from the Kth on")
            command.add_argument("--mode", default="quick")
            command.add_argument("--keep", action="store_true", help="leave the twins and reports in --work")
        elif name == "peers":
            command.add_argument("--peer", action="append", default=[])
            command.add_argument("--semgrep-rules", type=Path, action="append", default=[])
    return parser.parse_args()


def _advisories(mirror: Path) -> Iterator[tuple[str, ...]]:
    git = git_dir(mirror, COLLECTION)
    pattern = (
        r'^(identifier: |pubdate: |package_slug: |fixed_versions:|- "[0-9][^"/]*"|- "CWE-|- "https://github.com/[^/]+/[^/]+)'
    )
    text = in_git(git, "grep", "-hE", pattern, "HEAD", "--", "npm", "pypi")
    entries = re.split(r"^identifier: ", text, flags=re.MULTILINE)[1:]
    old = {slug[1] for each in entries if (slug := re.search(r'package_slug: "(npm/.*)"', each)) and each[5:9] < SINCE}
    for entry in entries:
        cwes = sorted({int(number) for number in re.findall(r"CWE-(\d+)", entry)} - {937, 1035})
        date = re.search(r'pubdate: "(\d{4})', entry)
        slug = re.search(r'package_slug: "((npm|pypi)/.*)"', entry)
        repository, fix = _fix(entry)
        if fix and cwes and date and date[1] >= SINCE and slug and (len(fix) == 12 or slug[1] not in old):
            yield entry.split('"')[1], slug[2], repository, fix, ";".join(map(str, cwes))


def _fix(entry: str) -> tuple[str, str]:
    """The repository and the commits or pull requests that an advisory names; nothing if there are several repositories."""
    for pattern, mark in ((r"commit/([0-9a-f]{12})[0-9a-f]*", ""), (r"pull/(\d+)", "#")):
        found = list(dict.fromkeys(re.findall(rf'github\.com/([\w.-]+/[\w.-]+)/{pattern}[^"]*"', entry)))
        if found:
            names = {name.lower() for name, _ in found}
            return (found[0][0], ";".join(mark + each for _, each in found)) if len(names) == 1 else ("", "")
    roots = set(re.findall(r'github\.com/(?!advisories/)([\w.-]+/[\w.-]+)(?:/security/advisories/[^"]*)?"', entry))
    version = re.search(r'^fixed_versions:\n- "([\d.]+)"', entry, re.MULTILINE)
    return (roots.pop(), f"@{version[1]}") if len(roots) == 1 and version else ("", "")


def _fewer(rows: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """At most EACH of one repository, by chance; what was published twice counts once."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in sorted(rows):
        found.setdefault(row[2].lower(), {}).setdefault(row[3], row)
    for name, each in sorted(found.items()):
        yield from random.Random(name).sample(list(each.values()), min(EACH, len(each)))


def order(seed: int, draw: str) -> list[dict[str, str]]:
    """One advisory of each repository that no other draw has spent, shuffled; what other draws spend changes no order."""
    known = read_rows(ADVISORIES) + (read_rows(LOOSER) if int(draw.rstrip("b")) >= 12 else [])
    spent = {row["repository"].lower(): row["draw"] for row in read_rows(LEDGER) if row["draw"] != draw}
    rows = [row for row in known if spent.get(row["repository"].lower()) != READ_BEFORE]
    random.Random(seed).shuffle(rows)  # a draw that anyone can repeat
    first = {row["repository"].lower(): row for row in reversed(rows)}
    return [row for name, row in reversed(first.items()) if name not in spent and not _may_be_kept_aside(row)]


def _may_be_kept_aside(row: dict[str, str]) -> bool:
    """Older numbers of npm may belong to a collection of packages that is kept for later."""
    return row["ecosystem"] == "npm" and row["id"].startswith("CVE-") and row["id"].split("-")[1] < SINCE


def _run(options: argparse.Namespace) -> None:
    done = 0
    ledger = {row["id"]: row for row in read_rows(LEDGER) if row["draw"] == options.draw}
    first, every = map(int, options.shard.split("/"))
    for advisory in order(options.seed, options.draw)[first - 1 :: every]:
        if done == options.count:
            break
        if advisory["id"] in ledger:
            done += ledger[advisory["id"]]["outcome"] == "audited"
            continue
        git = git_dir(options.mirror, advisory["repository"])
        if git is None:
            print(f"not fetched: {advisory['repository']}", file=sys.stderr)
            continue
        row = {**advisory, "draw": options.draw, **_examined(options, advisory, git)}
        append_rows(LEDGER, LEDGER_FIELDS, [row])
        print(json.dumps(row), file=sys.stderr, flush=True)
        done += row["outcome"] == "audited"


def _examined(options: argparse.Namespace, advisory: dict[str, str], git: Path) -> dict[str, str]:
    place = options.work / advisory["id"]
    sides = sides_of(git, advisory["fix"])
    if sides is None:
        return {"outcome": "no such commit"}
    files = source_files(git, *sides)
    if not files:
        return {"outcome": "no source touched"}
    for name, commit in zip(("before", "after"), sides, strict=True):
        if not lay_out(git, commit, place / name / "code"):
            return {"outcome": "not whole"}
    lines = _lines(place / "before" / "code")
    if not SIZE[0] <= lines <= SIZE[1]:
        shutil.rmtree(place)
        return {"lines": str(lines), "outcome": "outside the size"}
    touched = [touched_by(git, *sides, files, side) for side in (0, 1)]
    found = _ours(options, place, advisory, touched)
    row = {"lines": str(lines), **(found or {"outcome": "no report"})}
    if not options.keep:
        shutil.rmtree(place)
    return row


def _ours(
    options: argparse.Namespace, place: Path, advisory: dict[str, str], touched: list[dict[str, Touched]]
) -> dict[str, str] | None:
    report = audit(place / "before", options.mode)
    if report is None:
        return None
    hits = [each for each in _alarms(report) if _fits(each, advisory) and _is_at(each, touched[0])]
    row = {"outcome": "audited", "ours": "; ".join(sorted({f"{each.rule} {each.path}:{each.line}" for each in hits}))}
    if hits and (fixed := audit(place / "after", options.mode)):
        rules = {each.rule for each in hits}
        left = [each for each in _alarms(fixed) if each.rule in rules and _fits(each, advisory) and _is_at(each, touched[1])]
        gone = rules - {each.rule for each in left}
        row["stays"] = "" if gone else "; ".join(sorted({f"{each.rule} {each.path}:{each.line}" for each in left}))
    return row


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


def _peers(options: argparse.Namespace) -> None:
    """All touched files of a draw at once: both peers read one file at a time, and take long to start."""
    rows = [row for row in read_rows(LEDGER) if row["draw"] == options.draw and row["outcome"] == "audited"]
    touched = {row["id"]: _laid_out(options, row) for row in rows}
    for peer in peers(options.peer, options.work, options.semgrep_rules):
        out = options.work / "peers" / peer.name.split(",")[0].lower()
        out.mkdir(parents=True, exist_ok=True)
        peer.scan(options.work / "peers" / "code", out)
        alarms = list(_sarif(json.loads((out / "report.sarif").read_text("utf-8"))))
        found: dict[str, dict[str, str]] = {}
        for row in rows:
            own = f"{row['id']}/"
            mine = (each._replace(path=each.path.removeprefix(own)) for each in alarms if each.path.startswith(own))
            hits = (each for each in mine if _fits(each, row) and _is_at(each, touched[row["id"]]))
            found[row["id"]] = {out.name: "; ".join(sorted({f"{each.rule} {each.path}:{each.line}" for each in hits})) or NONE}
        put(LEDGER, options.draw, found)


def put(ledger: Path, draw: str, found: dict[str, dict[str, str]]) -> None:
    """Set these columns, by advisory, in the rows of a draw as the ledger stands now: what was written meanwhile is kept."""
    rows = [row | found.get(row["id"], {}) if row["draw"] == draw else row for row in read_rows(ledger)]
    _write(ledger, LEDGER_FIELDS, [tuple(row[field] for field in LEDGER_FIELDS) for row in rows])


def _laid_out(options: argparse.Namespace, row: dict[str, str]) -> dict[str, Touched]:
    git = git_dir(options.mirror, row["repository"])
    sides = sides_of(git, row["fix"]) if git else None
    if git is None or sides is None:
        sys.exit(f"{row['repository']} was there when it was audited and is not any more")
    touched = touched_by(git, *sides, source_files(git, *sides), 0)
    for path in touched:
        to = options.work / "peers" / "code" / row["id"] / path
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(text_at(git, sides[0], path) or b"")
    return touched


def _sarif(document: Any) -> Iterator[Alarm]:
    for run in document["runs"]:
        kinds = {rule["id"]: _named_cwes(rule) for rule in run["tool"]["driver"].get("rules", ())}
        for result in run.get("results", ()):
            at = result["locations"][0]["physicalLocation"]
            path = unquote(at["artifactLocation"]["uri"]).removeprefix("./")
            cwes = _named_cwes(result.get("properties")) or kinds.get(result["ruleId"], frozenset())
            yield Alarm(result["ruleId"].rpartition(".")[2], cwes, path, at["region"]["startLine"])


def _named_cwes(value: Any) -> frozenset[int]:
    text = json.dumps(value)
    return frozenset(map(int, re.findall(r"(?i)cwe[-_ :/]*0*(\d{1,4})\b", text) + re.findall(r"definitions/(\d+)\.html", text)))


def _fits(alarm: Alarm, advisory: dict[str, str]) -> bool:
    wanted = set(map(int, advisory["cwes"].split(";")))
    return bool(alarm.cwes & wanted) or any(wanted & family and alarm.cwes & family for family in FAMILIES)


def _is_at(alarm: Alarm, touched: dict[str, Touched]) -> bool:
    places = ((alarm.path, alarm.line), *alarm.steps)
    return any(path in touched and touched[path].around(line) for path, line in places)


def table(ledger: list[dict[str, str]], judged: list[dict[str, str]]) -> str:
    """One row per draw. A true hit is one that a reader said names the flaw; hits by kind and place alone are given beside it."""
    rows = [
        "| draw | CVEs | lines | hits by kind and place | true hits | of these stay on the fixed twin | bandit | Semgrep |",
        "|---" * 8 + "|",
    ]
    drawn = {row["draw"] for row in ledger if row["outcome"] == "audited"}
    for draw in sorted(drawn, key=lambda each: (int(each.rstrip("b")), each)):
        mine = [row for row in ledger if row["draw"] == draw and row["outcome"] == "audited"]
        true = [row for row in mine if row["verdict"] == "T"]
        count = [sum(row[name] not in ("", NONE) for row in mine) for name in ("ours", *PEERS)]
        others = [
            f"{number}{_true(judged, draw, name)}" if any(row[name] for row in mine) else "not run"
            for name, number in zip(PEERS, count[1:], strict=True)
        ]
        lines = sum(int(row["lines"]) for row in mine)
        stays = sum(bool(row["stays"]) for row in true)
        rows.append(f"| {draw} | {len(mine)} | {lines:,} | {count[0]} | {len(true)} | {stays} | {others[0]} | {others[1]} |")
    return "\n".join(rows)


def _true(judged: list[dict[str, str]], draw: str, peer: str) -> str:
    """How many advisories of a draw a peer hits truly; nothing if nobody judged its places."""
    places = [row for row in judged if row["draw"] == draw and row["tool"] == peer]
    return f" ({len({row['id'] for row in places if row['verdict'] == 'T'})} true)" if places else ""


if __name__ == "__main__":
    main()
