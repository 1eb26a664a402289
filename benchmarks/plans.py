"""How well plan verification reads real plans: what it challenges, and which planted errors it finds.

    python benchmarks/plans.py find GITDIR [GITDIR …] --seed 7 [--each 3] [--detailed]   plans drawn by a seed, as lines of JSON
    python benchmarks/plans.py run PLANS.jsonl [--out CSV]                          verdicts and standing challenges, one row each
    python benchmarks/plans.py plant PLANS.jsonl --seed 7 [--out CSV]               errors of each kind planted in each plan

A plan is held against the tree of the commit that brought it, which brought documents alone: the state from which it was carried
out. `plan_finding` says which plans are left out. `run` leaves a column for the judgement of a reader, of what stands and of what
is asked. A planted error counts as found when a challenge names it that the same plan without the error does not have:
`stands` if it stops the plan, `asked` if it is among the few questions that a reader is shown and names what is there instead.
"""

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from io import BytesIO
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import plan_mutations
import plan_mutations_code
import plan_mutations_order
from plan_finding import Drawn, git, is_detailed, is_done, plans_in

from counterproof.analysis.cache import Store
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.examination import examine
from counterproof.analysis.plans.understanding import understand
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.app import verify
from counterproof.cli.console import SilentObserver
from counterproof.model.errors import CounterproofError
from counterproof.model.plan.challenge import Challenge, Standing
from counterproof.model.plan.report import PlanReport
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.runtime.home import Home
from counterproof.toolbox.plan_tools import PlanBench


class Unasked:
    """Nobody answers."""

    def answers(self, iteration: int, questions: object) -> tuple[()]:
        return ()


def tree_of(drawn: Drawn, folder: Path) -> str:
    """Unpack the tree with the plan and the documents that came with it, and return the plan's text. A snapshot may lack its
    largest files; they are left out."""
    entries = [line.split("\t", 1) for line in git(drawn.repository, "ls-tree", "-r", drawn.commit).splitlines()]
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
    _give_history(drawn, folder)
    return git(drawn.repository, "show", f"{drawn.commit}:{drawn.path}")


def _give_history(drawn: Drawn, folder: Path) -> None:
    """Make the folder a repository in which the plan's commit is checked out."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        subprocess.run(["git", "clone", "-q", "--local", "--no-checkout", drawn.repository, f"{place}/clone"], check=True)
        Path(place, "clone", ".git").rename(folder / ".git")
    for command in (("update-ref", "--no-deref", "HEAD", drawn.commit), ("reset", "-q")):
        subprocess.run(["git", "-C", str(folder), *command], check=True, capture_output=True)


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


def shown(report: PlanReport | str) -> list[tuple[str, Challenge]]:
    """What stands, then what is asked."""
    challenges = report.challenges if isinstance(report, PlanReport) else ()
    stands = [("stands", each) for each in challenges if each.counts and each.severity != "MINOR"]
    settled = (Standing.RESOLVED, Standing.WITHDRAWN)
    return stands + [("asked", each) for each in challenges if each.severity == "MINOR" and each.status not in settled]


def _loaded(path: str) -> list[Drawn]:
    return [Drawn(**json.loads(line)) for line in Path(path).read_text().splitlines() if line.strip()]


def find(options: argparse.Namespace) -> None:
    for repository in options.repositories:
        listed = plans_in(repository)
        random.Random(f"{options.seed} {Path(repository).parent.name}").shuffle(listed)
        chosen = (each for each in listed if not is_done(each) and (is_detailed(each) or not options.detailed))
        for each in islice(chosen, options.each):
            print(json.dumps(asdict(each)))


def run(options: argparse.Namespace) -> Iterator[dict[str, str]]:
    for drawn in _loaded(options.plans):
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder) / "tree"
            tree.mkdir()
            text = tree_of(drawn, tree)
            report = verified(text, Path(drawn.path).name, tree, Home(Path(folder) / "home"))
            evidence = _evidence(text, tree) if shown(report) else {}
        row = {"repository": Path(drawn.repository).parent.name, "commit": drawn.commit[:10], "plan": drawn.path}
        row["verdict"] = str(report.verdict) if isinstance(report, PlanReport) else report
        for grade, each in shown(report) or [("", None)]:
            told = f"{each.claim} | {each.concern}" if each else ""
            yield {
                **row,
                "challenge": told,
                "judgement": "",
                "grade": grade,
                "evidence": evidence.get(each.claim, "") if each else "",
            }


def _evidence(text: str, tree: Path) -> dict[str, str]:
    """What each claim rests on."""
    project = Project(tree, survey(tree, SurveyOptions(documents=True)))
    with tempfile.TemporaryDirectory() as words:
        bench = PlanBench(understand("PLAN.md", text), text, project, Store(Path(words)))
        return {each.claim: each.evidence.name for each in examine(bench.case)}


def plant(options: argparse.Namespace) -> Iterator[dict[str, str]]:
    """Errors planted in each plan. The challenger alone is asked: what it raises is what is shown."""
    for drawn in _loaded(options.plans):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as words:
            text = tree_of(drawn, Path(folder))
            project = Project(Path(folder), survey(Path(folder), SurveyOptions(documents=True)))
            tree = plan_mutations.Tree(Path(folder))
            store = Store(Path(words))
            before = {each.claim for each in _doubts(text, project, store)}
            dice = random.Random(f"{options.seed} {drawn.commit} {drawn.path}")
            for planted in plan_mutations.mutations(text, tree, dice, _MAKERS, options.plants):
                found = [each for each in _doubts(planted.text, project, store) if _is_it(each, planted, before)]
                row = {"repository": Path(drawn.repository).parent.name, "commit": drawn.commit[:10], "plan": drawn.path}
                row |= {
                    "kind": planted.kind,
                    "planted": planted.told,
                    "found": ("asked" if found[0].is_question else "stands") if found else "",
                }
                yield {**row, "by": found[0].claim if found else "", "evidence": found[0].evidence.name if found else ""}


_MAKERS = (
    plan_mutations.file,
    plan_mutations.function,
    plan_mutations_code.parameter,
    plan_mutations_order.order,
    plan_mutations.other_file,
    plan_mutations.other_function,
)


def _doubts(text: str, project: Project, store: Store) -> list[Doubt]:
    return list(examine(PlanBench(understand("PLAN.md", text), text, project, store).case))


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
    finding.add_argument("--detailed", action="store_true", help="only plans with numbered tasks and code for them")
    for name in ("run", "plant"):
        command = commands.add_parser(name)
        command.add_argument("plans")
        command.add_argument("--out", default="")
        command.add_argument("--seed", default="7")
        command.add_argument("--plants", type=int, default=1, help="errors of each kind that is rare, in each plan")
    options = parser.parse_args()
    if options.command == "find":
        find(options)
    else:
        _written({"run": run, "plant": plant}[options.command](options), options.out)


if __name__ == "__main__":
    main()
