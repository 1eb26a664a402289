"""Reviews real commits and counts what a reader would have to read: findings for each 100 changed lines.

    python benchmarks/review.py GIT_DIRECTORY [--commits N | --commit HASH] [--only CODES]

Always: a commit is checked out into a temporary folder and reviewed against its parent by the command's own code. Whether a
finding is right is for people to say; this prints each with its place, so that they can.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from counterproof.app import review as reviews
from counterproof.knowledge.profiles import load_profile
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import Scope
from counterproof.protocols.review.presets import Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home


class Silent:
    """Nobody watches, and nobody has to be asked."""

    def narrate(self, text: str) -> None: ...

    def progress(self, who: str, text: str) -> None: ...

    def confirms(self, scope: Scope, warnings: tuple[str, ...]) -> bool | None:
        return True


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        _git(Path(folder), "clone", "-q", "--no-checkout", "--local", str(Path(options.repository).resolve()), str(tree))
        commits = [options.commit] if options.commit else _commits(tree, options.commits)
        totals = [_reviewed(tree, Path(folder) / "home", commit, options.only) for commit in commits]
    lines = sum(changed for changed, _ in totals)
    findings = sum(count for _, count in totals)
    rate = 100 * findings / lines if lines else 0.0
    print(json.dumps({"commits": len(totals), "changed_lines": lines, "findings": findings, "per_100_lines": round(rate, 2)}))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository")
    parser.add_argument("--commits", type=int, default=20)
    parser.add_argument("--commit", default="")
    parser.add_argument("--only", default="")
    return parser.parse_args()


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True, timeout=300)
    return done.stdout


def _commits(tree: Path, most: int) -> list[str]:
    """The newest commits with one parent that touch code."""
    return _git(tree, "log", "--no-merges", f"--max-count={most}", "--format=%H", "--", "*.py", "*.ts", "*.js").split()


def _reviewed(tree: Path, home: Path, commit: str, only: str) -> tuple[int, int]:
    _git(tree, "checkout", "-q", "--force", "--detach", commit)
    codes = tuple(each for each in only.split(",") if each)
    profile = team(load_profile("code"), Preset.DEFAULT, codes)
    request = ReviewRequest(str(tree), profile, diff=f"{commit}~1..{commit}", yes=True, forced=True)
    silent = Silent()
    done = reviews.start(request, silent, silent, Home(home))
    if done.report is None:
        print(f"{commit[:10]}  {done.outcome.reasons[0].text}", file=sys.stderr)
        return 0, 0
    return _told(commit, done.report)


def _told(commit: str, report: ReviewReport) -> tuple[int, int]:
    changed = sum(end - start + 1 for file in report.scope.files for start, end in file.changed)
    kept = [each for each in report.resolved if each.kept]
    for each in kept:
        print(f"{commit[:10]}  {each.finding.kind}  {each.finding.location}  {each.finding.title}  [{each.label}]")
    return changed, len(kept)


if __name__ == "__main__":
    main()
