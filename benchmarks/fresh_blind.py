"""Our findings and other tools' in one list without the names of the tools, so that whoever judges does not know whose they are.

    python benchmarks/fresh_blind.py mix --draw 9 --seed 9 --work DIR [--most 40] [--semgrep-rules RULES]…
    python benchmarks/fresh_blind.py open --draw 9 --work DIR

`mix` runs bandit and Semgrep on the projects that `fresh.py run` laid out in DIR, takes at most that many findings of each (of
warning and above, a tool's least level left out) by the seed, and writes DIR/blind.csv: place, CWE and an empty verdict, in
random order. Which tool said what goes to DIR/blind_key.csv, which nobody opens before the verdicts stand. `open` writes our
verdicts into benchmarks/fresh/judged.csv and prints the counts of every tool. Nothing of a project's code is kept.
"""

import argparse
import csv
import json
import random
import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from detection_peers import Peer, peers
from fresh import JUDGED, JUDGED_FIELDS, LEDGER, read_rows

OWN = "counterproof"
BLIND_FIELDS = ("number", "repository", "place", "cwe", "severity", "verdict", "reason")
KEY_FIELDS = ("number", "tool", "rule")
GRAVE = ("warning", "error")
_CWE = re.compile(r"cwe[-_ /:]*0*(\d{1,4})", re.IGNORECASE)

Row = dict[str, str]


def main() -> None:
    options = _options()
    if options.command == "mix":
        _mix(options)
    else:
        _open(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("mix", "open"):
        command = commands.add_parser(name)
        command.add_argument("--draw", required=True)
        command.add_argument("--work", type=Path, required=True)
    mix = commands.choices["mix"]
    mix.add_argument("--seed", type=int, required=True)
    mix.add_argument("--most", type=int, default=40, help="findings of each other tool")
    mix.add_argument(
        "--of", type=int, help="run the other tools on so many of the projects, drawn by the seed; on all unless given"
    )
    mix.add_argument("--peer", action="append", help="bandit, semgrep; both unless given")
    mix.add_argument("--semgrep-rules", type=Path, action="append", default=[])
    return parser.parse_args()


def _mix(options: argparse.Namespace) -> None:
    audited = [row["repository"] for row in read_rows(LEDGER) if row["draw"] == options.draw and row["outcome"] == "audited"]
    chance = random.Random(options.seed)
    audited = chance.sample(audited, options.of) if options.of else audited
    rows = list(_own(options))
    for peer in peers(options.peer or ["bandit", "semgrep"], options.work, options.semgrep_rules):
        found: list[Row] = []
        for repository in audited:
            place = options.work / repository.replace("/", "+")
            out = place / peer.name.split(",")[0].lower()
            out.mkdir(exist_ok=True)
            if not (out / "report.sarif").is_file():
                _scanned(peer, place / "code", out)
            found += _told(peer.name, repository, out / "report.sarif")
        print(f"{peer.name} {peer.version}: {len(found)} findings of warning and above")
        rows += chance.sample(found, min(options.most, len(found)))
    chance.shuffle(rows)
    for number, row in enumerate(rows, 1):
        row["number"] = str(number)
    _write(options.work / "blind.csv", BLIND_FIELDS, rows)
    _write(options.work / "blind_key.csv", KEY_FIELDS, rows)


def _scanned(peer: Peer, code: Path, out: Path) -> None:
    """Runs one tool on one project and says how long it took; what is not done in time has found nothing."""
    began = time.monotonic()
    try:
        peer.scan(code, out)
    except subprocess.TimeoutExpired:
        print(f"{peer.name}: {code.parent.name} not done in time")
    print(f"{peer.name}: {code.parent.name} {time.monotonic() - began:.0f} s", flush=True)


def _own(options: argparse.Namespace) -> Iterable[Row]:
    for row in read_rows(JUDGED):
        if row["draw"] == options.draw and not row["posture"]:
            cwe = _cwe_of(options.work / row["repository"].replace("/", "+"), row)
            yield {**{each: row[each] for each in ("repository", "place", "severity", "rule")}, "tool": OWN, "cwe": cwe}


def _cwe_of(place: Path, row: Row) -> str:
    report = json.loads((place / "out" / "report.json").read_text("utf-8"))
    for each in report["findings"]:
        at = each["finding"]["location"]
        if (each["finding"]["rule"], f"{at['path']}:{at['start']}") == (row["rule"], row["place"]):
            return str(each["finding"]["cwe"])
    return ""


def _told(tool: str, repository: str, report: Path) -> Iterable[Row]:
    if not report.is_file():
        return
    for run in json.loads(report.read_text("utf-8"))["runs"]:
        rules = {each["id"]: each for each in run["tool"]["driver"].get("rules", ())}
        for result in run["results"]:
            rule = rules.get(result["ruleId"], {})
            if _level(result, rule) in GRAVE:
                where = result["locations"][0]["physicalLocation"]
                path = where["artifactLocation"]["uri"].removeprefix("./")
                cwe = _CWE.search(json.dumps([rule.get("properties", {}), result.get("properties", {})]))
                yield {
                    "tool": tool,
                    "repository": repository,
                    "place": f"{path}:{where['region']['startLine']}",
                    "cwe": cwe[1] if cwe else "",
                    "severity": "high" if _level(result, rule) == "error" else "medium",
                    "rule": result["ruleId"],
                }


def _level(result: Any, rule: Any) -> str:
    return result.get("level") or rule.get("defaultConfiguration", {}).get("level", "warning")


def _open(options: argparse.Namespace) -> None:
    key = {row["number"]: row for row in read_rows(options.work / "blind_key.csv")}
    verdicts = [row | key[row["number"]] for row in read_rows(options.work / "blind.csv")]
    own = {(row["repository"], row["rule"], row["place"], row["severity"]): row for row in verdicts if row["tool"] == OWN}
    judged = read_rows(JUDGED)
    for row in judged:
        said = own.get((row["repository"], row["rule"], row["place"], row["severity"]))
        if row["draw"] == options.draw and said and not row["posture"]:
            row["verdict"], row["reason"] = said["verdict"], said["reason"]
    _write(JUDGED, JUDGED_FIELDS, judged)
    for tool in sorted({row["tool"] for row in verdicts}):
        for severity in ("critical", "high", "medium"):
            counts = Counter(row["verdict"] for row in verdicts if (row["tool"], row["severity"]) == (tool, severity))
            if counts:
                print(tool, severity, ", ".join(f"{letter} {counts[letter]}" for letter in "TODF"))


def _write(path: Path, fields: tuple[str, ...], rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fields, restval="", extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
