"""Reviews undone fixes and ordinary commits of repositories that nobody chose by hand.

    python benchmarks/review_fixes.py draw MIRRORS --language python --seed 2611 --kind fix OWNER/NAME…   prints cases
    python benchmarks/review_fixes.py run MIRRORS CASES.jsonl [--out RESULTS.jsonl] [--without-history]   reviews them

A drawn fix, or fix of a weakness (`--kind security`), is undone: the reviewed change leads from the fix back to its parent, so
every line that the fix touched is where a defect comes back. A drawn ordinary commit is reviewed as it was made; what is said
about it is read by people.

Always: cases are drawn by the seed alone, from commits of one parent that touch one to three source files and change code,
not only comments, documentation or types. A hit is a finding at
most three lines from what the fix touched; whether it says what is wrong is judged by a reader and kept beside the result.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from review import Silent
from review_tree import lay_out

from counterproof.analysis.review.edits.alignment import file_edit
from counterproof.analysis.review.line_diff import changed_lines
from counterproof.app import review as reviews
from counterproof.knowledge.profiles import load_profile
from counterproof.model.review.report import ReviewReport
from counterproof.protocols.review.presets import Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home

NEAR = 3
MAX_FILES, MAX_LINES = 3, 60
"""What a small fix is: source files, and changed lines in them."""
MAX_ORDINARY = 600
"""Changed source lines of an ordinary commit."""
MAX_COMMITS = 4_000

ENDINGS = {"python": (".py",), "typescript": (".ts", ".tsx", ".js", ".jsx", ".mjs")}
_FIX = re.compile(r"\b(?:bug ?)?fix(?:e[sd]|ing)?\b", re.IGNORECASE)
_NO_FIX = re.compile(
    r"typo|\bdocs?\b|lint|\btests?\b|\bci\b|mypy|flake|style|changelog|typing|type hint|\btypes\b|build|release|merge|readme"
    r"|spelling|wording|deprecat|warning|comment|format|example|revert|translation|css|icon",
    re.IGNORECASE,
)
_SECURITY = re.compile(
    r"\bsecurity (?:fix|issue|hole|bug|patch|vuln|risk)|vulnerab|\bcve-|\bghsa-|\bxss\b|\bcsrf\b|\bssrf\b|\bidor\b"
    r"|(?:sql|command|code|html) injection|(?:path|directory) traversal|open redirect|privilege escalation"
    r"|(?:permission|auth\w*|access|ownership) checks?\b|unauthori[sz]ed|require (?:login|auth\w*|permission)|login required"
    r"|\bsanitis|\bsanitiz|\bescape\b",
    re.IGNORECASE,
)
"""What the subject of a security fix speaks of."""
_DULL = re.compile(
    r"^(?:merge|bump|release|version|revert|update dependenc|chore\(deps|\[?automated|prepare)|changelog|translation",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|__tests__|testing|docs?|examples?|vendor|patched|e2e|benchmarks?|stories|locales?)/|(?:^|/)(?:test_|conftest)"
    r"|[._-](?:test|spec|stories)\.|\.d\.ts$|(?:^|/)(?:setup|release|version|__about__)\.py$|\.min\.js$",
)


def main() -> None:
    options = _options()
    if options.job == "draw":
        for repository in options.repositories:
            for case in drawn(Path(options.mirrors), repository, options):
                print(json.dumps(case))
        return
    with Path(options.out).open("a", encoding="utf-8") as out:
        for line in Path(options.cases).read_text(encoding="utf-8").splitlines():
            result = _run(Path(options.mirrors), json.loads(line), options)
            out.write(json.dumps(result) + "\n")
            out.flush()
            print(f"{result['repository']} {result['commit'][:10]} {'HIT ' if result.get('near') else ''}", file=sys.stderr)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(dest="job", required=True)
    draw = jobs.add_parser("draw")
    draw.add_argument("mirrors")
    draw.add_argument("repositories", nargs="+")
    draw.add_argument("--language", choices=sorted(ENDINGS), required=True)
    draw.add_argument("--seed", type=int, required=True)
    draw.add_argument("--kind", choices=("fix", "security", "ordinary"), default="fix")
    draw.add_argument("--without", default="", help="a file of cases that are not drawn again")
    draw.add_argument("--each", type=int, default=2)
    run = jobs.add_parser("run")
    run.add_argument("mirrors")
    run.add_argument("cases")
    run.add_argument("--out", default="results.jsonl")
    run.add_argument("--only", default="")
    run.add_argument("--without-history", action="store_true", help="the two commits alone, without a word about why")
    return parser.parse_args()


def drawn(mirrors: Path, repository: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """So many cases of one repository, in the seed's order."""
    mirror = _mirror(mirrors, repository)
    rows = _log(mirror)
    random.Random(f"{options.seed} {repository} {options.kind}").shuffle(rows)
    spent = Path(options.without).read_text(encoding="utf-8") if options.without else ""
    found: list[dict[str, Any]] = []
    for commit, subject in rows:
        if len(found) == options.each:
            break
        if _is_of(options.kind, subject) and commit not in spent:
            lines = _source_lines(mirror, commit, ENDINGS[options.language], options.kind)
            if lines and _changes_code(mirror, commit, ENDINGS[options.language]):
                found.append(
                    {"repository": repository, "commit": commit, "kind": options.kind, "language": options.language,
                     "lines": lines, "seed": options.seed}
                )  # fmt: skip
    return found


def _is_of(kind: str, subject: str) -> bool:
    """Whether a commit is of a kind, by its subject."""
    if kind == "ordinary":
        return not (_DULL.search(subject) or _FIX.search(subject))
    return bool((_SECURITY if kind == "security" else _FIX).search(subject)) and not _NO_FIX.search(subject)


def _mirror(mirrors: Path, repository: str) -> Path:
    folder = mirrors / repository.replace("/", "+") / "repo"
    return folder / ".git" if (folder / ".git").is_dir() else folder


def _log(mirror: Path) -> list[tuple[str, str]]:
    listed = _git(mirror, "log", "HEAD", "--no-merges", f"--max-count={MAX_COMMITS}", "--format=%H%x09%P%x09%s")
    rows = [line.split("\t", 2) for line in listed.splitlines() if line.count("\t") >= 2]
    return [(commit, subject) for commit, parents, subject in rows if len(parents.split()) == 1]


def _source_lines(mirror: Path, commit: str, endings: tuple[str, ...], kind: str) -> int:
    """Changed lines of source; 0 where the commit is not one of its kind."""
    try:
        listed = _git(mirror, "show", "--numstat", "--format=", "--no-renames", commit)
    except subprocess.CalledProcessError:
        return 0
    rows = [line.split("\t") for line in listed.splitlines() if line.count("\t") == 2]
    counted = [(int(add) + int(gone), path) for add, gone, path in rows if add.isdigit() and gone.isdigit()]
    source = [(lines, path) for lines, path in counted if path.endswith(endings) and not _ASIDE.search(path)]
    total = sum(lines for lines, _ in source)
    most_files, most = (30, MAX_ORDINARY) if kind == "ordinary" else (MAX_FILES, MAX_LINES)
    return total if 1 <= len(source) <= most_files and 1 <= total <= most else 0


def _changes_code(mirror: Path, commit: str, endings: tuple[str, ...]) -> bool:
    """Whether more than comments, documentation and types is changed: else there is nothing to see when it is undone."""
    listed = _git(mirror, "show", "--name-only", "--format=", "--no-renames", "--diff-filter=M", commit)
    for path in listed.splitlines():
        if path.endswith(endings) and not _ASIDE.search(path):
            made = file_edit(path, *(_git(mirror, "show", f"{each}:{path}") for each in (f"{commit}~1", commit)))
            if made is not None and (made.edits or made.added or made.removed):
                return True
    return False


def _run(mirrors: Path, case: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    commit, mirror = case["commit"], _mirror(mirrors, case["repository"])
    undone = case["kind"] != "ordinary"
    parent = _git(mirror, "rev-parse", f"{commit}~1").strip()
    old, new = (commit, parent) if undone else (parent, commit)
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        lay_out(mirror, new, tree)
        ends = _alone(tree, old, new) if options.without_history else (old, new)
        profile = team(load_profile("code"), Preset.DEFAULT, tuple(each for each in options.only.split(",") if each))
        request = ReviewRequest(str(tree), profile, diff="..".join(ends), yes=True, forced=True)
        wall, processor = time.monotonic(), time.process_time()
        done = reviews.start(request, Silent(), Silent(), Home(Path(folder) / "home"))
        report = done.report  # read before the folder of the run is gone
    result = {**case, "wall": round(time.monotonic() - wall, 1), "processor": round(time.process_time() - processor, 1)}
    if report is None:
        return {**result, "failed": " ".join(each.text for each in done.outcome.reasons)}
    return {**result, "findings": _findings(report), "near": _near(mirror, old, new, report)}


def _alone(tree: Path, old: str, new: str) -> tuple[str, str]:
    """The files of both commits as a history of two: nothing says where they come from."""
    author = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost")
    first = _git(tree, *author, "commit-tree", f"{old}^{{tree}}", "-m", "first").strip()
    second = _git(tree, *author, "commit-tree", f"{new}^{{tree}}", "-p", first, "-m", "second").strip()
    _git(tree, "update-ref", "--no-deref", "HEAD", second)
    return first, second


def _findings(report: ReviewReport) -> list[dict[str, str]]:
    return [
        {"kind": each.finding.kind, "severity": each.finding.shown.value, "at": str(each.finding.location),
         "title": each.finding.title, "evidence": each.finding.evidence[:500]}
        for each in report.resolved if each.kept
    ]  # fmt: skip


def _near(mirror: Path, old: str, new: str, report: ReviewReport) -> list[str]:
    """Findings at most so many lines from a line of the change."""
    found: list[str] = []
    for each in report.resolved:
        place = each.finding.location
        if _ASIDE.search(place.path):
            continue
        try:
            before, after = (_git(mirror, "show", f"{commit}:{place.path}") for commit in (old, new))
        except subprocess.CalledProcessError:
            continue
        ranges = changed_lines(before, after)
        if each.kept and any(low - NEAR <= place.end and place.start <= high + NEAR for low, high in ranges):
            found.append(f"{place} {each.finding.kind}")
    return found


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=True, timeout=600)
    return done.stdout.decode("utf-8", "replace")


if __name__ == "__main__":
    main()
