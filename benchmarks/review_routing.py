"""What routing spares against showing every finding to everybody, measured with scripted models through whole reviews.

    python benchmarks/review_routing.py

Five scripted specialists each file one finding for each of their own domains, verify them, and take positions on what they are
shown. The texts are as long as those of the embedded checks, or as long as the fields allow. Nothing is sent anywhere.
"""

import json
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from review import Silent

from counterproof.agents.models.agent import ModelAgent
from counterproof.agents.models.channel import Answer, Question
from counterproof.agents.models.scripted import ScriptedChannel, says
from counterproof.agents.specialists.model.specialist import ReviewDialogue
from counterproof.app import review as reviews
from counterproof.app.workbench.review import with_advocate
from counterproof.knowledge.profiles import load_profile
from counterproof.protocols.review.presets import Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home

SENTENCE = "The value that comes in at the top of this function is used further down without a look at what it may hold. "
SIZES = {"as the embedded checks write": (330, 60, 90), "as long as the fields allow": (1_350, 480, 950)}


def main() -> None:
    for name, sizes in SIZES.items():
        print(json.dumps({"texts": name, **measured(sizes)}))


def measured(sizes: tuple[int, int, int]) -> dict[str, Any]:
    profile = team(load_profile("code"), Preset.DEFAULT)
    channels = {each.code: ScriptedChannel(lambda question: answered(question, sizes)) for each in profile.specialists}
    played = with_advocate({code: ModelAgent(each, ReviewDialogue(each.model)) for code, each in channels.items()})
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        tree.mkdir()
        (tree / "shop.py").write_text("".join(f"def part_{number}(value):\n    return value\n\n\n" for number in range(40)))
        subprocess.run(["git", "init", "-q", str(tree)], check=True)
        request = ReviewRequest(str(tree), profile, paths=("shop.py",), yes=True)
        done = reviews.start(request, Silent(), Silent(), Home(Path(folder) / "home"), played)
    assert done.report is not None
    report = done.report
    saved = report.broadcast_tokens - report.routed_tokens
    asked = sum(len(question.text()) // 4 for channel in channels.values() for question in channel.asked)
    return {
        "findings": len(report.resolved),
        "routed_tokens": report.routed_tokens,
        "broadcast_tokens": report.broadcast_tokens,
        "spared_percent": round(100 - 100 * report.routed_tokens / report.broadcast_tokens, 1),
        "tokens_of_all_questions": asked,
        "spared_percent_of_all_questions": round(100 * saved / (asked + saved), 1),
    }


def answered(question: Question, sizes: tuple[int, int, int]) -> Answer:
    """What a diligent specialist would hand in, by the kind of its task."""
    opening = question.opening
    named = re.search(r"You are ([\w-]+), the specialist (\w+) .*?Iteration (\d+).*?Your domains: ([^;]+);", opening, re.DOTALL)
    assert named
    marker = re.findall(r"The marker of this task is (cp-[0-9a-f]+)", opening)[-1]
    result: dict[str, Any] = {"marker": marker, "agent_id": named[1], "iteration": int(named[3])}
    if "find problems" in opening:
        domains = named[4].split(", ")
        start = 4 * sorted(["ARCH", "CORR", "PERF", "QUAL", "SEC"]).index(named[2])
        result["findings"] = [_finding(domain, 4 * (start + number) + 2, sizes) for number, domain in enumerate(domains)]
    elif "take positions" in opening:
        whole = opening.partition("Findings that you may see whole")[2]
        ids = dict.fromkeys(re.findall(r"│ ([A-Z]+-\d{3}) \[", whole))
        result["positions"] = [
            {"finding": each, "stance": "agree", "severity": "medium", "file": "shop.py", "line": 2} for each in ids
        ]
        result |= {"findings": [], "open": []}
    return says(json.dumps(result))


def _finding(domain: str, line: int, sizes: tuple[int, int, int]) -> dict[str, Any]:
    evidence, chain, fix = ((SENTENCE * 20)[:size] for size in sizes)
    words = {
        "kind": f"{domain} problem",
        "title": f"something about {domain}",
        "evidence": evidence,
        "impact_chain": chain,
        "fix": fix,
    }
    place = {"file": "shop.py", "start": line, "end": line, "quote": "return value"}
    return {**words, **place, "domain": domain, "severity": "medium", "confidence": "medium", "failure": "error", "trust": "N/A"}


if __name__ == "__main__":
    main()
