"""How well plan verification reads real plans: what it challenges, and which planted errors it finds.

    python benchmarks/plans.py find GITDIR [GITDIR …] --seed 7 [--each 3]          plans drawn by a seed, as lines of JSON
    python benchmarks/plans.py run PLANS.jsonl [--out CSV]                          verdicts and standing challenges, one row each
    python benchmarks/plans.py plant PLANS.jsonl --seed 7 [--out CSV]               errors of each kind planted in each plan

A plan is held against the tree just before the commit that brought it: the state from which it was carried out. `run` leaves a
column for the judgement of a reader; `benchmarks/data/plans_judged.csv` keeps every list that was judged, by draw, and says which
repositories are spent. A planted error counts as found when the challenges above MINOR hold one that the same plan without the
error does not have, and that stands at a line which the planting changed or names what was planted.
"""

import argparse
import csv
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import plan_mutations
import plan_mutations_code

from counterproof.analysis.cache import Store
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.examination import examine
from counterproof.analysis.plans.understanding import understand
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.app import verify
from counterproof.cli.console import SilentObserver
from counterproof.model.errors import CounterproofError
from counterproof.model.plan.challenge import Challenge, Weight
from counterproof.model.plan.report import PlanReport
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.runtime.home import Home
from counterproof.toolbox.plan_tools import PlanBench

_PLAN = re.compile(
    r"(?:^|/)(?:plans?|superpowers/plans|implementation[-_]plans?|rfcs?|proposals|exec-plans|\.plans)/[^/]{1,150}\.md\Z"
    r"|(?:^|/)specs/[^/]{1,100}/(?:plan|tasks)\.md\Z|(?:^|/)[\w.-]{0,80}(?:implementation[-_]?plan|[-_]plan|PLAN)\.md\Z",
)
_NO_PLAN = re.compile(r"(?:^|/)(?:README|INDEX|TEMPLATE|_template|template)[^/]*\Z|node_modules|/templates?/", re.IGNORECASE)
MIN_LINES = 25


@dataclass(frozen=True)
class Drawn:
    """One plan: the git directory, the commit that brought it, its path."""

    repository: str
    commit: str
    path: str


class Unasked:
    """Nobody answers."""

    def answers(self, iteration: int, questions: object) -> tuple[()]:
        return ()


def git(repository: str, *arguments: str) -> str:
    command = ["git", "--git-dir", repository, *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout


def plans_in(repository: str) -> list[Drawn]:
    """Plans that came alone and found code to work on."""
    found: list[Drawn] = []
    log = git(
        repository, "log", "--no-merges", "--diff-filter=A", "--name-only", "--format=%x00%H", "--max-count=4000", "--", "*.md"
    )
    for part in log.split("\0")[1:]:
        commit, *paths = [line for line in part.split("\n") if line]
        named = [path for path in paths if _PLAN.search(path) and not _NO_PLAN.search(path)]
        if named and _is_alone(repository, commit) and _has_code(repository, f"{commit}^"):
            found += [Drawn(repository, commit, path) for path in named if _is_long_enough(repository, commit, path)]
    return list({each.path: each for each in found}.values())


def _is_alone(repository: str, commit: str) -> bool:
    """Whether a commit brought documents only: a plan that came with its own implementation tells nothing of the tree before."""
    changed = git(repository, "show", "--name-only", "--format=", "--no-renames", commit).splitlines()
    return all(path.endswith((".md", ".txt", ".png", ".svg", ".gitkeep")) or path.startswith("docs/") for path in changed if path)


def _has_code(repository: str, commit: str) -> bool:
    try:
        listed = git(repository, "ls-tree", "-r", "--name-only", commit).split("\n")
    except subprocess.CalledProcessError:
        return False  # the first commit has none before it
    return (
        sum(path.endswith((".py", ".ts", ".tsx", ".js", ".jsx", ".go", ".rs", ".java", ".rb", ".php", ".cs")) for path in listed)
        >= 8
    )


def _is_long_enough(repository: str, commit: str, path: str) -> bool:
    return git(repository, "show", f"{commit}:{path}").count("\n") >= MIN_LINES


def tree_of(drawn: Drawn, folder: Path) -> str:
    """Unpack the tree before the plan, and return the plan's text. A snapshot may lack its largest files; they are left out."""
    entries = [line.split("\t", 1) for line in git(drawn.repository, "ls-tree", "-r", f"{drawn.commit}^").splitlines()]
    blobs = [(head.split()[2], path) for head, path in entries if head.startswith("100") and '"' not in path]
    asked = "\n".join(blob for blob, _ in blobs).encode() + b"\n"
    command = ["git", "--git-dir", drawn.repository, "cat-file", "--batch"]
    answer = BytesIO(subprocess.run(command, input=asked, capture_output=True, check=False).stdout)
    for _, path in blobs:
        head = answer.readline().split()
        if len(head) != 3:
            continue
        data = answer.read(int(head[2]) + 1)[:-1]
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return git(drawn.repository, "show", f"{drawn.commit}:{drawn.path}")


def verified(text: str, name: str, tree: Path, home: Home) -> PlanReport | str:
    """The report, or why there is none."""
    path = home.root / "plans" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    request = VerifyRequest(str(path), str(tree))
    try:
        done = verify.start(request, Unasked(), SilentObserver(), home)
    except CounterproofError as error:
        return f"refused: {error}"
    return done.report or "; ".join(reason.text for reason in done.outcome.reasons)


def standing(report: PlanReport | str) -> list[Challenge]:
    challenges = report.challenges if isinstance(report, PlanReport) else ()
    return [each for each in challenges if each.counts and each.severity != "MINOR"]


def _loaded(path: str) -> list[Drawn]:
    return [Drawn(**json.loads(line)) for line in Path(path).read_text().splitlines() if line.strip()]


def find(options: argparse.Namespace) -> None:
    for repository in options.repositories:
        listed = plans_in(repository)
        random.Random(f"{options.seed} {Path(repository).parent.name}").shuffle(listed)
        for each in listed[: options.each]:
            print(json.dumps(asdict(each)))


def run(options: argparse.Namespace) -> Iterator[dict[str, str]]:
    for drawn in _loaded(options.plans):
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder) / "tree"
            tree.mkdir()
            text = tree_of(drawn, tree)
            report = verified(text, Path(drawn.path).name, tree, Home(Path(folder) / "home"))
        row = {"repository": Path(drawn.repository).parent.name, "commit": drawn.commit[:10], "plan": drawn.path}
        row["verdict"] = str(report.verdict) if isinstance(report, PlanReport) else report
        for each in standing(report) or [None]:
            yield {**row, "challenge": f"{each.claim} | {each.concern}" if each else "", "judgement": ""}


def plant(options: argparse.Namespace) -> Iterator[dict[str, str]]:
    """Errors planted in each plan. The challenger alone is asked: what it raises above MINOR is what stands unanswered."""
    for drawn in _loaded(options.plans):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as words:
            text = tree_of(drawn, Path(folder))
            project = Project(Path(folder), survey(Path(folder), SurveyOptions(documents=True)))
            tree = plan_mutations.Tree(Path(folder))
            store = Store(Path(words))
            before = {each.claim for each in _doubts(text, project, store)}
            dice = random.Random(f"{options.seed} {drawn.commit} {drawn.path}")
            for planted in plan_mutations.mutations(text, tree, dice, _MAKERS, options.plants):
                found = [each.claim for each in _doubts(planted.text, project, store) if _is_it(each, planted, before)]
                row = {"repository": Path(drawn.repository).parent.name, "commit": drawn.commit[:10], "plan": drawn.path}
                row |= {"kind": planted.kind, "planted": planted.told, "found": str(int(bool(found)))}
                yield {**row, "by": found[0] if found else ""}


_MAKERS = (
    plan_mutations.file,
    plan_mutations.function,
    plan_mutations_code.parameter,
    plan_mutations_code.order,
    plan_mutations_code.dependency,
    plan_mutations.statement,
    plan_mutations.command,
)


def _doubts(text: str, project: Project, store: Store) -> list[Doubt]:
    bench = PlanBench(understand("PLAN.md", text), text, project, store)
    return [each for each in examine(bench.case) if each.weight is not Weight.MINOR]


def _is_it(challenge: Doubt, planted: plan_mutations.Planted, before: set[str]) -> bool:
    return challenge.claim not in before and any(word in f"{challenge.claim} {challenge.concern}" for word in planted.words)


def _written(rows: Iterator[dict[str, str]], out: str) -> None:
    writer: csv.DictWriter[str] | None = None
    with open(out or "/dev/stdout", "w", newline="") as file:
        for row in rows:
            if writer is None:
                writer = csv.DictWriter(file, list(row))
                writer.writeheader()
            writer.writerow(row)
            file.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    finding = commands.add_parser("find")
    finding.add_argument("repositories", nargs="+")
    finding.add_argument("--seed", default="7")
    finding.add_argument("--each", type=int, default=3)
    for name in ("run", "plant"):
        command = commands.add_parser(name)
        command.add_argument("plans")
        command.add_argument("--out", default="")
        command.add_argument("--seed", default="7")
        command.add_argument("--plants", type=int, default=1, help="errors of each kind in each plan")
    options = parser.parse_args()
    if options.command == "find":
        find(options)
    else:
        _written({"run": run, "plant": plant}[options.command](options), options.out)


if __name__ == "__main__":
    main()
