"""Counts the text of whole reviews by purpose, played by a script: no model is needed.

    python benchmarks/review_text.py MIRRORS OWNER/NAME COMMIT [--team full]

The script plays every seat alike: in its first conversation about a part of the change it asks three times for callers, then
files three findings (two Important, one Minor), stands by them in the critique, and agrees with every finding that it is shown.
The measure beside it is the text of a reader alone: the unified diff, the same looks, the same findings.

Always: a text counts once for each conversation in which it is shown; what a cache would spare is not taken off.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from review import Silent
from review_tree import lay_out

from app.review.seats import seated
from counterproof.agents.models.channel import Answer, Question, ToolCall
from counterproof.agents.models.scripted import ScriptedChannel, calls, says
from counterproof.app import review
from counterproof.knowledge.profiles import load_profile
from counterproof.model.fact import Operation
from counterproof.protocols.review.presets import Preset, compact
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home

LOOKS = 3
WORDS = (
    "The value that comes in here is used below without the check that the removed line made, so a caller that passes none fails."
)
EACH = (("medium", "error"), ("high", "wrong behaviour"), ("low", "maintainability"))


class Seats:
    """Every seat of a team. `text` are characters by purpose and kind; `conversations` are counted by purpose."""

    def __init__(self) -> None:
        self.text: dict[str, Counter[str]] = defaultdict(Counter)
        self.conversations: Counter[str] = Counter()
        self._seen: Counter[tuple[str, int]] = Counter()

    def __call__(self, question: Question) -> Answer:
        _, work, iteration, _ = question.task.rsplit("-", 3)
        purpose, key = f"{work} {iteration}", (question.task, question.step // 1_000)
        before = self._seen[key]
        row = self.text[purpose]
        if not before:
            self.conversations[purpose] += 1
            row["system and tools"] += len(question.system) + sum(
                len(f"{each.description}{each.schema}") for each in question.tools
            )
            shared = sum(len(each.text) for each in question.messages[: question.stable])
            row["change and context"] += shared
            row["task"] += sum(len(each.text) for each in question.messages[question.stable :])
        else:
            row["looks"] += sum(len(each.text) for each in question.messages[before:] if each.role != "assistant")
        self._seen[key] = len(question.messages) + 1
        answer = self._answer(question, work, int(iteration))
        row["handed in"] += len(answer.text) + sum(len(each.arguments) for each in answer.calls)
        return answer

    def _answer(self, question: Question, work: str, iteration: int) -> Answer:
        opening = question.opening
        looked = sum(each.role == "tool" for each in question.messages)
        if work == "refine" and iteration == 1 and looked < LOOKS and not question.hand_in:
            names = re.findall(r"│ [+ ] +\d+ +(?:export )?(?:async )?(?:def|function|const|class) (\w+)", opening) or ["main"]
            return calls(ToolCall(f"c{question.step}", "callers", json.dumps({"name": names[looked % len(names)]})))
        marker = re.findall(r"The marker of this task is (cp-[0-9a-f]+)", opening)[-1]
        named = re.findall(r"You are ([\w-]+), the specialist (\w+)", opening)[-1]
        given: dict[str, Any] = {"marker": marker, "agent_id": named[0], "iteration": iteration, "no_findings": False}
        if work == "refine":
            given["findings"] = _found(opening, named[1])
        elif work in ("challenge", "advocate"):
            given["positions"] = list(_agreeing(opening))
        else:
            given["defences"] = []
        return says(json.dumps(given))


def _found(opening: str, code: str) -> list[dict[str, Any]]:
    """Three findings on `+` lines of the part, each chair on lines of its own."""
    domain = {"SEC": "injection", "PERF": "io", "QUAL": "naming", "CORR": "logic", "ARCH": "coupling"}.get(code, "logic")
    path = ""
    lines: list[tuple[str, str, str]] = []
    for line in opening.split("\n"):
        if head := re.match(r"│ === (\S+)", line):
            path = head[1]
        elif (row := re.match(r"│ \+ +(\d+)  (.*)", line)) and path and len(row[2].strip()) > 12:
            lines.append((path, row[1], row[2].strip()))
    own = re.findall(r"│ [A-Z]+-\d+ \[\w+\] \S+ (\S+?):(\d+): ", opening)
    if own:
        lines = [each for each in lines if (each[0], each[1]) in own]
    start = sum(map(ord, code)) % max(1, len(lines) - len(EACH))
    return [
        {"kind": f"CWE-{700 + n} trial", "title": "a finding of the script", "domain": domain, "severity": severity,
         "confidence": "high", "trust": "N/A", "file": file, "start": int(number), "end": int(number), "failure": failure,
         "quote": quote[:100], "evidence": WORDS, "fix": "Check it before it is used, as the removed line did."}
        for n, ((file, number, quote), (severity, failure)) in enumerate(zip(lines[start : start + 3], EACH, strict=False))
    ]  # fmt: skip


def _agreeing(opening: str) -> Any:
    for name in dict.fromkeys(re.findall(r"│ ([A-Z]+-\d+) \[", opening)):
        yield {"finding": name, "stance": "agree", "severity": "medium", "evidence": WORDS, "file": "x", "line": 1,
               "quote": "x", "operation": Operation.CALL.value, "symbol": "x"}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("repository")
    parser.add_argument("commit")
    parser.add_argument("--team", default="compact", choices=("compact", "full"))
    given = parser.parse_args()
    mirror = given.mirrors / given.repository.replace("/", "+") / "repo"
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        lay_out(mirror, given.commit, tree)
        profile = load_profile("code")
        profile = compact(profile) if given.team == "compact" else profile
        seats = Seats()
        channels = {each.code: ScriptedChannel(seats, "one:scripted") for each in profile.specialists}
        request = ReviewRequest(
            str(tree), profile, Preset.DEFAULT, diff=f"{given.commit}~1..{given.commit}", yes=True, forced=True
        )
        review.start(request, Silent(), Silent(), Home(Path(folder) / "home"), seated(channels))
        diff = subprocess.run(
            ["git", "-C", str(tree), "diff", "--no-color", f"{given.commit}~1", given.commit], capture_output=True, check=True
        )
    print_table(seats, len(diff.stdout.decode("utf-8", "replace")), given.team == "compact")


def print_table(seats: Seats, diff: int, small: bool) -> None:
    kinds = ("system and tools", "change and context", "task", "looks", "handed in")
    print(f"{'purpose':14}{'talks':>6}{''.join(f'{kind:>20}' for kind in kinds)}{'all':>12}")
    for purpose, row in seats.text.items():
        print(f"{purpose:14}{seats.conversations[purpose]:6}{''.join(f'{row[kind]:20,}' for kind in kinds)}{row.total():12,}")
    total = sum(row.total() for row in seats.text.values())
    first = seats.text["refine 1"]
    talks = seats.conversations["refine 1"]
    alone = diff + (first["looks"] + first["handed in"]) // (1 if small else talks)
    print(f"all {total:,}; alone {alone:,} (diff {diff:,}); times {total / alone:.2f}")


if __name__ == "__main__":
    main()
