"""What the roles of a review get to see of real pull requests, and what it costs.

    python benchmarks/packs.py MIRRORS [--case COMMIT …]            truth lines in the pack or one call away, with tokens
    python benchmarks/packs.py MIRRORS --served [--case COMMIT …]   whole reviews at the default budget, by scripted specialists

MIRRORS holds bare repositories as `OWNER+NAME/repo`. Truth lines are the places of `review_cases.toml`, set "pull request".

Always: the packs are made by the code that makes them in a run. One call away is a line that a single `read`, `callers` or
`symbols` shows whose argument stands in the pack: a file of which lines are shown, a changed unit, or a name that the change
calls. `--served` speaks to a server on loopback that plays every specialist: it looks things up while it may, files a finding,
and takes positions. The server counts how many tokens of each question are the prefix of an earlier one, which is what a
provider's cache can find again.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from review import Silent
from review_tree import lay_out

from counterproof.agents import roles
from counterproof.agents.context import Room, assembled
from counterproof.agents.context.review import parts_of, room_of, shared_sections, stretched
from counterproof.analysis.facts.named import around, definitions, uses
from counterproof.analysis.facts.syntax_index import index_of
from counterproof.analysis.project import Project
from counterproof.analysis.review.around import changed_units, names_of
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.analysis.source.survey import survey
from counterproof.app import review
from counterproof.knowledge.profiles import load_profile
from counterproof.model.fact import Operation
from counterproof.model.location import Location, at
from counterproof.protocols.review.presets import TERMS, Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home
from counterproof.toolbox.review_bench import ReviewBench
from faults.server import Asked, Brain, FaultServer, threaded
from faults.speech import Call, Says, count

HERE = Path(__file__).parent
SPECIALISTS = 5
CHARACTERS = 3.3
"""Characters of a token, as the usual tokenisers count code and our words about it."""


@dataclass(frozen=True, slots=True)
class Case:
    repository: str
    commit: str
    truth: tuple[Location, ...]


def cases(chosen: list[str]) -> Iterator[Case]:
    for each in tomllib.loads((HERE / "review_cases.toml").read_text())["case"]:
        if each["set"] == "pull request" and (not chosen or any(each["commit"].startswith(one) for one in chosen)):
            places = [place.rpartition(":") for defect in each["defect"] for place in defect["places"]]
            yield Case(each["repository"], each["commit"], tuple(at(path, int(line)) for path, _, line in places))


def measured(tree: Path, case: Case, room: Room) -> dict[str, Any]:
    """Truth lines in the packs of one pull request, and their size."""
    project = Project(tree, survey(tree))
    done = resolve(project, Wanted(diff=f"{case.commit}^..{case.commit}"))
    view = View(project, done.scope, done.before, intent=done.messages)
    bench = ReviewBench(view, load_profile("code"))
    packs = [assembled(shared_sections(bench, part), stretched(room, (part,))) for part in parts_of(bench, room)]
    shown = [each for pack in packs for each in pack.shows]
    inside = [
        place for place in case.truth if any(each.path == place.path and each.first <= place.start <= each.last for each in shown)
    ]
    near = [place for place in case.truth if place not in inside and one_call(bench, place, {each.path for each in shown})]
    changed = sum(end - start + 1 for file in done.scope.files for start, end in file.changed)
    return {
        "commit": case.commit[:10],
        "repository": case.repository,
        "new_lines": changed,
        "questions": len(packs),
        "tokens": [pack.tokens for pack in packs],
        "truth": len(case.truth),
        "in_pack": len(inside),
        "one_call": len(near),
        "left_out": [f"{each.title[:40]}… {each.left_out}" for pack in packs for each in pack.shared if each.left_out],
    }


def one_call(bench: ReviewBench, place: Location, files: set[str]) -> bool:
    """Whether one look shows a line, by an argument that stands in the pack."""
    view, project = bench.view, bench.view.project
    if place.path in files:
        return True
    units = changed_units(view)
    names = frozenset(names_of(units))
    called = {
        name.rpartition(".")[2]
        for unit in units
        for line in range(unit.first, unit.last + 1)
        for operation, name in index_of(project, unit.path).get(line, ())
        if operation is Operation.CALL
    }
    callers = (around(project, path, line) for path, line, _ in uses(project, names))
    defined = (unit for each in definitions(project, called, tuple(view.files)).values() for unit in each)
    return any(unit.path == place.path and unit.holds(place.start) for unit in (*callers, *defined))


class Specialists:
    """Plays every specialist over the wire: looks up changed functions for as long as it is let, files a finding, abstains from
    positions."""

    def __init__(self) -> None:
        self.looks = 0
        self.before: list[str] = []
        self.cached: list[tuple[int, int]] = []

    def __call__(self, asked: Asked) -> Says:
        body = asked.body
        text = json.dumps([body.get("tools"), body["messages"]], ensure_ascii=False)
        shared = max((_common(text, each) for each in self.before), default=0)
        self.before.append(text)
        self.cached.append((count(text[:shared]), count(text)))
        said = self.said(asked)
        read = len(text.replace("\\n", "\n")) + len(json.dumps(body.get("response_format") or ""))
        return replace(said, usage=(int(read / CHARACTERS), int(len(said.text) / CHARACTERS) + 50))

    def said(self, asked: Asked) -> Says:
        """What the specialist answers."""
        body = asked.body
        said = [each for each in body["messages"] if each["role"] != "system"]
        opening = "\n".join(str(each["content"]) for each in said if each["role"] == "user")
        marker = re.findall(r"The marker of this task is (cp-[0-9a-f]+)", opening)[-1]
        named = re.findall(r"You are ([\w-]+), the specialist (\w+).*?Iteration (\d+)", opening, re.DOTALL)[-1]
        task = re.findall(r"Your task: (\w+ \w+)", opening)[-1]
        open_ = bool(body.get("tools")) and body.get("tool_choice") != "none"
        if open_:
            names = re.findall(r"│ [+ ] +\d+ +(?:export )?(?:async )?(?:def|function|const|class) (\w+)", opening) or ["main"]
            self.looks += 1
            name = names[sum(each["role"] == "tool" for each in said) % len(names)]
            return Says("", calls=(Call(f"c{asked.number}", "callers", json.dumps({"name": name})),))
        given: dict[str, Any] = {"marker": marker, "agent_id": named[0], "iteration": int(named[2])}
        if task in ("find problems", "criticise your"):
            given |= {"findings": [_finding(opening, named[1])]}
        return Says(json.dumps({**given, "positions": [], "defences": [], "no_findings": False}))


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _finding(opening: str, code: str) -> dict[str, Any]:
    path = re.findall(r"│ === (\S+)", opening)[0]
    line, quote = next((n, q) for n, q in re.findall(r"│ \+ +(\d+)  (.*)", opening) if len(q.strip()) > 8)
    domain = {"SEC": "injection", "PERF": "io", "QUAL": "naming", "CORR": "logic", "ARCH": "coupling"}[code]
    return {
        "kind": f"trial of {code}", "title": "a finding of the script", "domain": domain, "severity": "low", "confidence": "low",
        "failure": "error",
        "trust": "N/A", "file": path, "start": int(line), "end": int(line), "quote": quote.strip()[:100], "evidence": "x" * 120,
    }  # fmt: skip


def served(tree: Path, case: Case, played: Brain | None = None, brain: Specialists | None = None) -> dict[str, Any]:
    """A whole review at the default budget, by the server's specialists. `played` stands before `brain`, to see what is asked."""
    brain = brain or Specialists()
    profile = team(load_profile("code"), Preset.DEFAULT)
    with threaded(FaultServer(brain=played or brain)) as server:
        agents = f"openai:gpt-5@{server.url}/v1"
        prompts = roles.review_digest()
        change = f"{case.commit}^..{case.commit}"
        request = ReviewRequest(str(tree), profile, diff=change, yes=True, agents=agents, prompts=prompts)
        done = review.start(request, Silent(), Silent(), Home())
    used = sum(each.tokens for each in done.report.spending) if done.report else 0
    cached, asked = (sum(each[number] for each in brain.cached) for number in (0, 1))
    return {
        "commit": case.commit[:10],
        "questions": len(brain.cached),
        "looks": brain.looks,
        "tokens_used": used,
        "budget": request.tokens,
        "exit": int(done.outcome.exit),
        "reasons": [each.text for each in done.outcome.reasons][:4],
        "cached_share": round(cached / max(1, asked), 2),
        "findings_of_models": sum(bool(each.finding.model) for each in done.report.resolved) if done.report else 0,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--case", nargs="*", default=[])
    parser.add_argument("--served", action="store_true")
    parser.add_argument("--trees", type=Path, default=None, help="Keep laid out trees here.")
    parser.add_argument("--near", action="store_true", help="Lay out only the folders of changed files.")
    given = parser.parse_args()
    os.environ.setdefault("OPENAI_API_KEY", "sk-none")
    room = room_of(TERMS[Preset.DEFAULT].tokens, SPECIALISTS)
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(given.case):
            tree = (given.trees or Path(folder)) / case.commit[:10]
            if not tree.exists():
                tree.parent.mkdir(parents=True, exist_ok=True)
                lay_out(given.mirrors / case.repository.replace("/", "+") / "repo", case.commit, tree, given.near)
            told = served(tree, case) if given.served else measured(tree, case, room)
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
