"""How much is found, and how much of it is noise: Counterproof and its peers on the same code, scored by the same script.

    python benchmarks/detection.py --bench BENCH --code CODE [--modes quick,standard] [--peers bandit,semgrep]
                                   [--sets apps,cases,cves,clean,npm] [--semgrep-rules DIR] [--work DIR [--go-on]] [--write]

BENCH holds `score.py` and `truth/<set>.csv`; CODE holds `<set>/code/…` as the benchmark lays its targets out. Applications and
clean projects are audited one by one, the other sets as one tree. bandit goes into a throw-away environment with pip; Semgrep
is the one that `counterproof setup` installed, or the one that COUNTERPROOF_SEMGREP names, with our own rule pack or with
the security rules that lie in the folders given by `--semgrep-rules`. Every run is bounded in time, nothing of the targets is
kept, and `--write` puts the dated tables into benchmarks/results/detection.md.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from detection_peers import Peer, peers
from detection_tables import page, written

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "benchmarks" / "results" / "detection.md"
SETS = ("apps", "cases", "cves", "clean", "npm")
ONE_BY_ONE = ("apps", "clean")
SCORING = {"apps": ("--folder-prefix", "--by", "dim"), "cases": (), "cves": ("--open-world",), "npm": ("--open-world",)}
AUDIT_SECONDS = 3_600
TEST_FOLDERS = {"tests", "test", "testing"}


@dataclass
class Measured:
    """One tool on one set. `scores` is what the benchmark's script wrote; alarms and lines serve the set without a truth."""

    scores: dict[str, Any] = field(default_factory=dict[str, Any])
    alarms: int = 0
    lines: int = 0
    kept: int = 0
    failed: list[str] = field(default_factory=list[str])


def main() -> None:
    options = _options()
    chosen = [each for each in options.sets.split(",") if (options.code / each / "code").is_dir()]
    missing = [each for each in options.sets.split(",") if each not in chosen]
    with tempfile.TemporaryDirectory() as place:
        work = options.work or Path(place)
        tools = [_ourselves(mode, work) for mode in options.modes.split(",") if mode]
        tools += peers([each for each in options.peers.split(",") if each], work, options.semgrep_rules)
        results = {tool.name: {which: measure(tool, which, options, work) for which in chosen} for tool in tools}
    text = page(results, tools, missing)
    print(text)
    if options.write:
        PAGE.write_text(written(PAGE.read_text("utf-8"), text), "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", type=Path, required=True, help="the folder with score.py and truth/")
    parser.add_argument("--code", type=Path, required=True, help="the folder with <set>/code/")
    parser.add_argument("--modes", default="quick,standard", help="modes of Counterproof to measure")
    parser.add_argument("--peers", default="bandit,semgrep")
    parser.add_argument(
        "--semgrep-rules", type=Path, action="append", default=[], metavar="DIR", help="rules instead of our own pack; repeatable"
    )
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--work", type=Path, help="keep results here instead of in a folder that is removed")
    parser.add_argument("--go-on", action="store_true", help="scan only what has no result in --work yet")
    parser.add_argument("--write", action="store_true", help=f"write the tables into {PAGE.relative_to(ROOT)}")
    return parser.parse_args()


def _ourselves(mode: str, work: Path) -> Peer:
    from counterproof import __version__

    def scan(target: Path, out: Path) -> None:
        command = [sys.executable, "-m", "counterproof", "audit", str(target), "--mode", mode, "--yes", "--quiet"]
        environment = {**os.environ, "COUNTERPROOF_HOME": str(work / "home")}
        subprocess.run([*command, "--out", str(out)], env=environment, capture_output=True, timeout=AUDIT_SECONDS, check=False)

    return Peer(f"Counterproof {mode}", __version__, scan)


def measure(tool: Peer, which: str, options: argparse.Namespace, work: Path) -> Measured:
    """Scan a set's targets, then score what came out."""
    found = Measured()
    base = work / tool.name.replace(" ", "-").replace("/", "-") / which
    sarifs: list[Path] = []
    for target in _targets(which, options.code / which / "code"):
        out = base / target.name
        out.mkdir(parents=True, exist_ok=True)
        print(f"{tool.name}: {which} {target.name}", file=sys.stderr, flush=True)
        if options.go_on and (out / "report.sarif").is_file():
            found.kept += 1
        else:
            _scanned(tool.scan, target, out)
        if (out / "report.sarif").is_file():
            sarifs.append(out / "report.sarif")
        else:
            found.failed.append(target.name)
        found.lines += _lines(out)
    found.alarms = sum(_results(sarif) for sarif in sarifs)
    if which in SCORING and sarifs:
        found.scores = _score(which, [place_by_place(each) for each in sarifs], options.bench, base / "score.json")
    return found


def _targets(which: str, code: Path) -> list[Path]:
    return sorted(each for each in code.iterdir() if each.is_dir()) if which in ONE_BY_ONE else [code]


def _scanned(scan: Callable[[Path, Path], None], target: Path, out: Path) -> None:
    try:
        scan(target, out)
    except (subprocess.TimeoutExpired, OSError) as error:
        print(f"  {error}", file=sys.stderr)


def _lines(out: Path) -> int:
    """Lines of code as Counterproof counts them; peers do not tell."""
    report = out / "report.json"
    return int(json.loads(report.read_text("utf-8"))["scale"]["loc"]) if report.is_file() else 0


def _results(sarif: Path) -> int:
    """Alarms outside of tests: some tools look there by default, others do not."""
    log: Any = json.loads(sarif.read_text("utf-8"))
    shown: list[Any] = [each for run in log.get("runs", []) for each in run.get("results", []) if not each.get("suppressions")]
    return sum(not TEST_FOLDERS & set(_path(each).split("/")) for each in shown)


def place_by_place(sarif: Path) -> Path:
    """A copy in which every place of a point of posture is a result of its own, because the truth counts places."""
    log: Any = json.loads(sarif.read_text("utf-8"))
    for run in log.get("runs", []):
        run["results"] = [
            {**each, "locations": [place]} for each in run.get("results", []) for place in each.get("locations") or [{}]
        ]
    copy = sarif.with_name("places.sarif")
    copy.write_text(json.dumps(log), "utf-8")
    return copy


def _path(result: Any) -> str:
    places: Any = result.get("locations") or [{}]
    return str(places[0].get("physicalLocation", {}).get("artifactLocation", {}).get("uri", ""))


def _score(which: str, sarifs: list[Path], bench: Path, out: Path) -> dict[str, Any]:
    """The benchmark's own script scores; nothing of it is repeated here."""
    truth = bench / "truth" / f"{which}.csv"
    command = [sys.executable, str(bench / "score.py"), str(truth), *map(str, sarifs), *SCORING[which], "--json", str(out)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if ended.returncode:
        sys.exit(f"score.py failed on {which}: {ended.stderr.strip()[-500:]}")
    return json.loads(out.read_text("utf-8"))


if __name__ == "__main__":
    main()
