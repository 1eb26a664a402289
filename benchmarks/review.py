"""Reviews real commits: which known defects are found, and what else a reader has to read for each 100 changed lines.

    python benchmarks/review.py MIRRORS [--set NAME | --case COMMIT]          commits whose defects are known
    python benchmarks/review.py MIRRORS --recent OWNER/NAME [--commits N] [--only CODES]   the newest commits of one repository

MIRRORS holds bare repositories as `OWNER+NAME/repo`. The known defects stand in `review_cases.toml`.

Always: a commit is laid out in a temporary folder and reviewed against its parent by the command's own code. A defect counts as
found when a finding of a kind that speaks of it stands at most five lines from it; every other finding is printed with its
place, so that people can say whether it is right.
"""

import argparse
import json
import sys
import tempfile
import time
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from review_tree import commits, lay_out

from counterproof.app import review as reviews
from counterproof.knowledge.profiles import load_profile
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import Scope
from counterproof.protocols.review.presets import Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home

NEAR = 5


class Silent:
    """Nobody watches, and nobody has to be asked."""

    def narrate(self, text: str) -> None: ...

    def progress(self, who: str, text: str) -> None: ...

    def confirms(self, scope: Scope, warnings: tuple[str, ...]) -> bool | None:
        return True


@dataclass
class Score:
    """What a set of commits came to."""

    commits: int = 0
    lines: int = 0
    defects: int = 0
    found: int = 0
    others: int = 0
    seconds: float = 0.0
    processor: float = 0.0
    kinds: Counter[str] = field(default_factory=Counter[str])

    def told(self) -> dict[str, Any]:
        rate = 100 * self.others / self.lines if self.lines else 0.0
        return {
            "commits": self.commits,
            "changed_lines": self.lines,
            "defects": self.defects,
            "found": self.found,
            "other_findings": self.others,
            "others_per_100_lines": round(rate, 2),
            "seconds": round(self.seconds),
            "processor_seconds": round(self.processor, 1),
            "kinds": dict(sorted(self.kinds.items())),
        }


def main() -> None:
    options = _options()
    scores: dict[str, Score] = {}
    for case in _cases(options):
        before = time.process_time()
        report, seconds = _reviewed(Path(options.mirrors), case, tuple(each for each in options.only.split(",") if each))
        if report is not None:
            score = scores.setdefault(case.get("set", "recent"), Score())
            _count(score, case, report, seconds)
            score.processor += time.process_time() - before
    print(json.dumps({name: score.told() for name, score in scores.items()}, indent=1))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors")
    parser.add_argument("--set", default="")
    parser.add_argument("--case", default="")
    parser.add_argument("--recent", default="")
    parser.add_argument("--commits", type=int, default=20)
    parser.add_argument("--only", default="")
    return parser.parse_args()


def _cases(options: argparse.Namespace) -> list[dict[str, Any]]:
    if options.recent:
        found = commits(_mirror(Path(options.mirrors), options.recent), options.commits)
        return [{"repository": options.recent, "commit": each} for each in found]
    every = tomllib.loads((Path(__file__).parent / "review_cases.toml").read_text(encoding="utf-8"))["case"]
    chosen = [each for each in every if options.set in ("", each["set"])]
    return [each for each in chosen if each["commit"].startswith(options.case)]


def _mirror(mirrors: Path, repository: str) -> Path:
    return mirrors / repository.replace("/", "+") / "repo"


def _reviewed(mirrors: Path, case: dict[str, Any], only: tuple[str, ...]) -> tuple[ReviewReport | None, float]:
    commit = case["commit"]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        lay_out(_mirror(mirrors, case["repository"]), commit, tree)
        profile = team(load_profile("code"), Preset.DEFAULT, only)
        request = ReviewRequest(str(tree), profile, diff=f"{commit}~1..{commit}", yes=True, forced=True)
        started = time.monotonic()
        done = reviews.start(request, Silent(), Silent(), Home(Path(folder) / "home"))
        report = done.report  # read before the folder of the run is gone
    if report is None:
        print(f"{commit[:10]}  {' '.join(each.text for each in done.outcome.reasons)}", file=sys.stderr)
    return report, time.monotonic() - started


def _count(score: Score, case: dict[str, Any], report: ReviewReport, seconds: float) -> None:
    kept = [each for each in report.resolved if each.kept]
    defects = case.get("defect", [])
    met: set[str] = set()
    print(f"{case['repository']} {case['commit'][:10]}: {len(defects)} known defects, {len(kept)} findings, {seconds:.0f} s")
    for each in kept:
        hits = [defect["words"] for defect in defects if _speaks_of(each.finding, defect)]
        met |= set(hits)
        score.others += not hits
        score.kinds[each.finding.kind] += 1
        sign = "+" if hits else "?"
        print(f"  {sign} {each.finding.kind}  {each.finding.location}  {each.finding.title}  [{each.label}]")
    for defect in defects:
        if defect["words"] not in met:
            print(f"  - not found: {defect['words']}")
    score.commits += 1
    score.lines += sum(end - start + 1 for file in report.scope.files for start, end in file.changed)
    score.defects += len(defects)
    score.found += len(met)
    score.seconds += seconds


def _speaks_of(finding: ReviewFinding, defect: dict[str, Any]) -> bool:
    """The right kind at one of the defect's places."""
    if not {finding.kind, "*"} & set(defect.get("kinds", ())):
        return False
    for place in defect.get("places", ()):
        path, _, line = place.rpartition(":")
        if finding.location.path == path and finding.location.start - NEAR <= int(line) <= finding.location.end + NEAR:
            return True
    return False


if __name__ == "__main__":
    main()
