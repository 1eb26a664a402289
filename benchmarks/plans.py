"""How well plan verification finds flaws, and how quiet it is on clean plans.

    python benchmarks/plans.py REPOSITORY [REPOSITORY …] [--commits 7] [--flaws 6] [--seed 7] [--words first] [--agents TEAM]

Each argument is a git directory. Plans come from `plan_flaws`; each is verified end to end, unasked. A flaw counts as found only
when a challenge above MINOR stands that names the planted thing and a line of the plan where it stands, and, where the embedded
agents wrote it, is of a kind that fits the class. A clean plan has a false alarm when anything above MINOR stands. With
`--agents` a team of models is scored by the same rule, without the kind.
"""

import argparse
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import plan_flaws
import plan_sources
from plan_wordings import SETS

from counterproof.analysis.plans.doubts import Kind, read_claim
from counterproof.app import plan_team, verify
from counterproof.cli.console import SilentObserver
from counterproof.model.plan.challenge import Challenge
from counterproof.model.plan.report import PlanReport
from counterproof.protocols.plan.request import PlanTerms, VerifyRequest
from counterproof.runtime.home import Home

KINDS: dict[str, tuple[Kind, ...]] = {
    "missing file": (Kind.FILE,),
    "missing file, nothing near": (Kind.FILE,),
    "missing name": (Kind.SYMBOL,),
    "missing test": (Kind.COMMAND, Kind.FILE, Kind.TEST),
    "missing package": (Kind.DEPENDENCY,),
    "missing table": (Kind.TABLE,),
    "missing route": (Kind.ENDPOINT,),
    "missing option": (Kind.OPTION,),
    "wrong order": (Kind.ORDER,),
    "wrong call": (Kind.CALL,),
    "stale version": (Kind.VERSION,),
    "removed, still called": (Kind.REMOVAL,),
    "renamed, still called": (Kind.RENAME,),
    "new required parameter": (Kind.SIGNATURE,),
    "removed module, still used": (Kind.REMOVAL,),
    "false claim: no callers": (Kind.UNUSED,),
    "false claim: module unused": (Kind.UNUSED,),
    "false claim: validated": (Kind.PROPERTY,),
    "false claim: covered by tests": (Kind.PROPERTY,),
    "false claim: compatible": (Kind.COMPATIBLE,),
    "tests do not reach the change": (Kind.UNTOUCHED,),
    "missing rollback": (Kind.ROLLBACK,),
    "silent on failure": (Kind.FAILURE,),
    "contradicts a document": (Kind.DECISION,),
    "contradicts history": (Kind.DECISION,),
}


class Unasked:
    """Nobody answers."""

    def answers(self, iteration: int, questions: object) -> tuple[()]:
        return ()


@dataclass
class Tally:
    """Counts so far."""

    found: dict[str, list[int]] = field(default_factory=dict)
    styles: dict[str, list[int]] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    right: int = 0
    beside: int = 0
    tokens: int = 0


def verified(plan: plan_flaws.Plan, tree: Path, home: Home, terms: PlanTerms | None) -> tuple[verify.Verified, float]:
    for name, text in plan.extra:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    if plan.subjects:
        _history(tree, plan.subjects)
    path = home.root / "PLAN.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(plan.text)
    began = time.perf_counter()
    done = verify.start(VerifyRequest(str(path), str(tree), terms=terms), Unasked(), SilentObserver(), home)
    seconds = time.perf_counter() - began
    for name, _ in plan.extra:
        (tree / name).unlink()
    shutil.rmtree(tree / ".git", ignore_errors=True)
    return done, seconds


def _tokens(done: verify.Verified) -> int:
    receipt = json.loads((done.run.path / "receipt.json").read_text())
    return int(receipt.get("models", {}).get("tokens", 0))


def _history(tree: Path, subjects: tuple[str, ...]) -> None:
    """A history of empty commits with these subjects; everything is tracked."""
    git = ["git", "-C", str(tree), "-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A", "-f"], check=True)
    for subject in subjects:
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", subject], check=True)


def standing(report: PlanReport) -> list[Challenge]:
    return [each for each in report.challenges if each.counts and each.severity != "MINOR"]


def named(plan: plan_flaws.Plan, report: PlanReport, each: Challenge) -> bool:
    """Whether a challenge is about the planted thing: named, at a line where it stands, and of a fitting kind."""
    needles = plan.needle.split("|")
    if not any(needle in f"{each.claim} {each.concern}" for needle in needles):
        return False
    lines = plan.text.split("\n")
    grounds = next((ground for ground in report.grounds if ground.challenge_id == each.id), None)
    at = grounds.plan_lines if grounds else ()
    if not any(needle in lines[number - 1] for number in at if 0 < number <= len(lines) for needle in needles):
        return False
    read = read_claim(each.claim)
    return read is None or read.kind in KINDS[plan.label]


def score(plan: plan_flaws.Plan, report: PlanReport, tally: Tally) -> bool:
    """Whether the outcome is as it should be."""
    stands = standing(report)
    hits = [each for each in stands if not plan.clean and named(plan, report, each)]
    hit = bool(stands) if plan.clean else bool(hits)
    for counts in (tally.found.setdefault(plan.label, [0, 0]), tally.styles.setdefault(_column(plan), [0, 0])):
        counts[0] += hit
        counts[1] += 1
    tally.right += str(report.verdict).startswith("PROCEED") == plan.clean
    tally.beside += 0 if plan.clean else len(stands) - len(hits)
    return hit != plan.clean


def _column(plan: plan_flaws.Plan) -> str:
    return f"{plan.style}, {'clean' if plan.clean else 'flawed'}"


def measured(repository: Path, options: argparse.Namespace, scratch: Path, tally: Tally) -> None:
    home = Home()
    terms = plan_team.terms_of(options.agents, options.budget_tokens, "")
    chance = random.Random(options.seed)
    for variant, commit in enumerate(plan_sources.commits(repository, options.commits, options.seed)):
        folder = scratch / "tree"
        plan_sources.checkout(repository, commit, folder)
        change = plan_sources.read_change(repository, commit)
        assert change is not None
        scene = plan_flaws.Scene(change, plan_sources.Tree(folder), variant, chance, SETS[options.words])
        for plan in plan_flaws.plans(scene, commit[:10], 0 if options.clean else options.flaws):
            done, seconds = verified(plan, folder, home, terms)
            report = done.report
            assert report is not None, done.outcome
            tally.times.append(seconds)
            tally.tokens += _tokens(done)
            if not score(plan, report, tally) and options.show:
                print(f"{repository.parent.name} {plan.name} {plan.label} ({plan.style}): {report.verdict}", flush=True)
                for each in standing(report):
                    print(f"    {each.id} {each.severity}: {each.claim} | {each.concern}", flush=True)
                if options.show == "text":
                    print(plan.text)
        shutil.rmtree(folder)


def printed(tally: Tally) -> None:
    count = len(tally.times)
    print(f"{'class':<32}{'found':>8}{'plans':>8}")
    for label in [*plan_flaws.FLAWS, *plan_flaws.CLEAN]:
        if label in tally.found:
            print(f"{label:<32}{tally.found[label][0]:>8}{tally.found[label][1]:>8}")
    flawed = [counts for label, counts in tally.found.items() if label not in plan_flaws.CLEAN]
    print(f"{'all flaws':<32}{sum(hit for hit, _ in flawed):>8}{sum(total for _, total in flawed):>8}")
    print(f"\n{'style':<32}{'found':>8}{'plans':>8}")
    for style in sorted(tally.styles):
        print(f"{style:<32}{tally.styles[style][0]:>8}{tally.styles[style][1]:>8}")
    print(f"\nverdict right: {tally.right} of {count}; challenges on flawed plans that name something else: {tally.beside}")
    times = sorted(tally.times)
    print(f"seconds: median {times[count // 2]:.2f}, most {times[-1]:.2f}; tokens: {tally.tokens}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=7, help="commits of each repository; each style is used in turn")
    parser.add_argument("--flaws", type=int, default=6, help="flawed plans for each commit")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--words", choices=tuple(SETS), default="first", help="in which words the plans are written")
    parser.add_argument("--agents", default="", help="a team of models, as `counterproof verify --agents` takes it")
    parser.add_argument("--budget-tokens", type=int, default=0, help="the most tokens for one plan")
    parser.add_argument("--clean", action="store_true", help="clean plans only, to count false alarms over many commits")
    parser.add_argument(
        "--show", choices=("", "short", "text"), default="", help="print what was missed and what was a false alarm"
    )
    parser.add_argument("--save", type=Path, help="keep the figures in this file, for plan_tables.py")
    options = parser.parse_args()
    tally = Tally()
    scratch = Path(tempfile.mkdtemp(prefix="plans-"))
    os.environ["COUNTERPROOF_HOME"] = str(scratch / "home")
    try:
        for repository in options.repositories:
            measured(repository, options, scratch, tally)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    printed(tally)
    if options.save:
        names = ", ".join(path.parent.name.replace("+", "/") for path in options.repositories)
        options.save.write_text(json.dumps(kept(tally, f"{names}; {options.words} words. {circumstances()}"), indent=1))


def kept(tally: Tally, circumstances: str) -> dict[str, object]:
    """What `plan_tables` makes tables of."""
    times = sorted(tally.times)
    figures = {"plans": len(times), "median": times[len(times) // 2], "most": times[-1], "circumstances": circumstances}
    counts = {"found": tally.found, "styles": tally.styles, "right": tally.right, "beside": tally.beside}
    return {**figures, **counts, "tokens": tally.tokens}


def circumstances() -> str:
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"Measured on {date.today():%d %B %Y}, commit {commit}, Python {platform.python_version()}, {machine}."


if __name__ == "__main__":
    main()
