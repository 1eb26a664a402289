"""How well plan verification finds flaws, and how quiet it is on clean plans.

    python benchmarks/plans.py REPOSITORY [REPOSITORY …] [--commits 3] [--seed 7]

Each argument is a git directory. Plans come from `plan_flaws`; each is verified end to end by the embedded agents, unasked.
Printed: detection for each class of flaw, false alarms on clean plans, accuracy of the verdict (PROCEED or not), seconds.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import plan_flaws

from counterproof.app import verify
from counterproof.cli.console import SilentObserver
from counterproof.model.plan.report import PlanReport
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.runtime.home import Home


class Unasked:
    """Nobody answers."""

    def answers(self, iteration: int, questions: object) -> tuple[()]:
        return ()


def verified(plan: plan_flaws.Plan, tree: Path, home: Home) -> tuple[PlanReport, float]:
    for name, text in plan.extra:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    path = home.root / "PLAN.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(plan.text)
    began = time.perf_counter()
    done = verify.start(VerifyRequest(str(path), str(tree)), Unasked(), SilentObserver(), home)
    seconds = time.perf_counter() - began
    for name, _ in plan.extra:
        (tree / name).unlink()
    assert done.report is not None, done.outcome
    return done.report, seconds


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--clean", action="store_true", help="clean plans only, to count false alarms over many commits")
    parser.add_argument("--show", action="store_true", help="print what was missed and what was a false alarm")
    options = parser.parse_args()
    totals: dict[str, list[int]] = {}
    times: list[float] = []
    right = count = 0
    scratch = Path(tempfile.mkdtemp(prefix="plans-"))
    os.environ["COUNTERPROOF_HOME"] = str(scratch / "home")
    home = Home()
    try:
        for repository in options.repositories:
            chance = random.Random(options.seed)
            for variant, commit in enumerate(plan_flaws.commits(repository, options.commits, options.seed)):
                tree = scratch / "tree"
                plan_flaws.checkout(repository, commit, tree)
                change = plan_flaws.read_change(repository, commit)
                assert change is not None
                made = plan_flaws.plans(change, tree, commit[:10], variant, chance)
                for plan in made[:1] if options.clean else made:
                    report, seconds = verified(plan, tree, home)
                    standing = [each for each in report.challenges if each.counts and each.severity != "MINOR"]
                    hit = bool(standing)
                    total = totals.setdefault(plan.label, [0, 0])
                    total[0] += hit
                    total[1] += 1
                    count += 1
                    right += (str(report.verdict).startswith("PROCEED")) == (plan.label == "clean")
                    times.append(seconds)
                    if options.show and hit == (plan.label == "clean"):
                        print(f"{repository.parent.name} {plan.name} {plan.label}: {report.verdict}", flush=True)
                        for each in report.challenges:
                            print(f"    {each.id} {each.severity} {each.status}: {each.claim} | {each.concern}", flush=True)
                shutil.rmtree(tree)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{'class':<30}{'found':>8}{'plans':>8}")
    for label in sorted(totals, key=lambda each: (each == "clean", each)):
        found, plans = totals[label]
        print(f"{'clean (false alarms)' if label == 'clean' else label:<30}{found:>8}{plans:>8}")
    print(f"verdict right: {right} of {count}; seconds: median {sorted(times)[len(times) // 2]:.2f}, most {max(times):.2f}")


if __name__ == "__main__":
    main()
