"""Measures what a review of one change costs in a large tree, beside what others need for the same change in the same minutes.

    python benchmarks/review_speed.py MIRRORS OWNER/NAME COMMIT… [--against SRC] [--semgrep PROGRAM --rules FOLDER]

Prints processor seconds of each, and how often the review's time goes into the time that it takes to compile every Python file of
the tree: a figure that a busy machine stretches as it stretches the review. `--against` is the `src` folder of another checkout,
reviewed in turn with this one; its findings have to be the same.

Always: every run is a process of its own with an empty home, so nothing is found from an earlier one; processor time is that of
the process and of those that it started.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from review_tree import lay_out

REVIEW = """
import sys
from pathlib import Path
from review import Silent
from counterproof.app import review as reviews
from counterproof.knowledge.profiles import load_profile
from counterproof.protocols.review.presets import Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home
tree, old, new, home = sys.argv[1:]
profile = team(load_profile("code"), Preset.DEFAULT, ())
request = ReviewRequest(tree, profile, diff=f"{old}..{new}", yes=True, forced=True)
done = reviews.start(request, Silent(), Silent(), Home(Path(home)))
for each in done.report.resolved if done.report else ():
    print(each.kept, each.finding.kind, each.finding.location)
"""


def main() -> None:
    options = _options()
    mirror = Path(options.mirrors) / options.repository.replace("/", "+") / "repo"
    mirror = mirror / ".git" if (mirror / ".git").is_dir() else mirror
    for commit in options.commits:
        with tempfile.TemporaryDirectory() as folder:
            _measured(options, mirror, commit, Path(folder))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors")
    parser.add_argument("repository")
    parser.add_argument("commits", nargs="+")
    parser.add_argument("--against", default="")
    parser.add_argument("--semgrep", default="")
    parser.add_argument("--rules", default="")
    return parser.parse_args()


def _measured(options: argparse.Namespace, mirror: Path, commit: str, folder: Path) -> None:
    new, old = (_git(mirror, "rev-parse", each).strip() for each in (commit, f"{commit}~1"))
    tree = folder / "tree"
    lay_out(mirror, new, tree)
    rows = [line.split("\t") for line in _git(mirror, "diff", "--numstat", "--no-renames", old, new).splitlines()]
    lines = sum(int(add) + int(gone) for add, gone, _ in rows if add.isdigit() and gone.isdigit())
    changed = [path for _, _, path in rows if path.endswith((".py", ".ts", ".tsx", ".js")) and (tree / path).is_file()]
    own = str(Path(__file__).parents[1] / "src")
    found: dict[str, str] = {}
    print(f"{options.repository} {new[:10]}: {lines} changed lines, {len(changed)} source files")
    whole, _ = _spent([sys.executable, "-X", f"pycache_prefix={folder / 'compiled'}", "-m", "compileall", "-qf", "."], tree)
    _row("compile every Python file of the tree", whole, whole)
    for name, source in (("review", own), *((("review, other checkout", options.against),) if options.against else ())):
        home = folder / name.replace(" ", "-")
        spent, found[name] = _spent([sys.executable, "-c", REVIEW, str(tree), old, new, str(home)], tree, source)
        _row(name, spent, whole)
    if options.against:
        print(f"  findings are {'the same' if len(set(found.values())) == 1 else f'not the same: {found}'}")
    _row("git diff", _spent(["git", "diff", old, new], tree)[0], whole)
    if options.semgrep:
        scan = [options.semgrep, "scan", "--config", options.rules, "--metrics=off", "--quiet", "--jobs=1", *changed]
        _row("Semgrep on the changed files", _spent(scan, tree)[0], whole)


def _row(name: str, spent: float, whole: float) -> None:
    print(f"  {name:40} {spent:6.1f} s  {spent / whole:5.2f}", flush=True)


def _spent(command: list[str], folder: Path, source: str = "") -> tuple[float, str]:
    """Processor seconds of a process, and what it printed."""
    environment = {**os.environ, "PYTHONPATH": f"{source}:{Path(__file__).parent}"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, timeout=3_600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode and REVIEW in command:
        raise SystemExit(done.stderr.decode("utf-8", "replace"))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout.decode("utf-8", "replace")


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=True, timeout=600)
    return done.stdout.decode("utf-8", "replace")


if __name__ == "__main__":
    main()
