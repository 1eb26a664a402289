"""What plan agents get over the wire for one real plan: tokens by role, and the share that a provider finds in its cache.

    python benchmarks/plan_openings.py PLANS.jsonl [NUMBER]

The plan is verified against the tree before it came, with models in every role, over HTTP, by a scripted server that counts
prefixes by each provider's rules. Its model lists files once where it has tools, raises one challenge and has no other opinion.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import plans

from counterproof.app import verify
from counterproof.app.team import PLAN_SEATS, terms_of
from counterproof.cli.console import SilentObserver
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.runtime.home import Home

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))  # before this folder, which has `faults` of its own

from faults.caching import PrefixCache
from faults.server import Asked, FaultServer, threaded
from faults.speech import Call, Says

WIRES = {
    "OpenAI, chat completions": ("openai-compatible:scripted@{url}/v1", {"OPENAI_COMPATIBLE_API_KEY": "k" * 20}),
    "Anthropic": ("anthropic:claude-sonnet-4-5", {"ANTHROPIC_API_KEY": "k" * 20, "ANTHROPIC_BASE_URL": "{url}"}),
}
BUDGET = 50_000_000
_EMPTY = {"resolve": "unknowns", "surface": "contexts", "probe": "risks", "synthesizer": "proposals"}
_ASPECTS = ("approach", "risk", "assumptions", "integration", "unknowns", "constraints")


class Scripted:
    """Answers by the role that a question names, and remembers who asked."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.agents: list[str] = []

    def __call__(self, asked: Asked) -> Says:
        text = json.dumps(asked.body, ensure_ascii=False)
        agent = re.findall(r"You are ([\w-]+),", text)[-1]
        marker = re.findall(r"The marker of this task is ([\w-]+):", text)[-1]
        self.agents.append(agent)
        if asked.body.get("tools") and f"call-{agent}" not in text:
            return Says("", (Call(f"call-{agent}", "glob", '{"pattern":"*"}'),), "tool_calls")
        return Says(json.dumps({"marker": marker, "agent_id": agent, "iteration": 1, **self._said(agent)}))

    def _said(self, agent: str) -> dict[str, Any]:
        if agent.endswith(("-score", "-score-audit")):
            return {"marks": [{"aspect": name, "points": 7, "evidence": "as the plan says"} for name in _ASPECTS]}
        name = agent.rpartition("-")[2]
        if name in _EMPTY:
            return {_EMPTY[name]: []}
        raised = {"claim": "One step is enough", "concern": "The plan says nothing of going back", "failure_scenario": "It fails"}
        rest = {"alternative": "Say it", "severity": "SIGNIFICANT", "confidence": "MED", "plan_lines": [self.line], "places": []}
        return {"challenges": [{**raised, **rest}]}


def measured(text: str, tree: Path, home: Path, wire: str) -> list[tuple[str, int, int]]:
    """(agent, tokens of its question, those from the cache), in the order of the wire."""
    model, variables = WIRES[wire]
    plan = home / "PLAN.md"
    plan.parent.mkdir(parents=True, exist_ok=True)
    plan.write_text(text)
    cache, brain = PrefixCache(), Scripted(next(n for n, line in enumerate(text.split("\n"), 1) if line.strip()))
    with threaded(FaultServer(brain=brain, cache=cache)) as server:
        os.environ.update({key: value.format(url=server.url) for key, value in variables.items()})
        terms = terms_of(PLAN_SEATS, model.format(url=server.url), BUDGET, "", Home().root)
        request = VerifyRequest(str(plan), str(tree), terms=terms)
        verify.start(request, plans.Unasked(), SilentObserver(), Home(home / "runs"))
    return [(who, share[0], share[1]) for who, share in zip(brain.agents, cache.shares, strict=True)]


def main() -> None:
    drawn = [plans.Drawn(**json.loads(line)) for line in Path(sys.argv[1]).read_text().splitlines()]
    each = drawn[int(sys.argv[2]) if len(sys.argv) > 2 else 0]
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place) / "tree"
        tree.mkdir()
        text = plans.tree_of(each, tree)
        print(f"{each.repository} {each.commit[:10]} {each.path}: {text.count(chr(10))} lines")
        for wire in WIRES:
            print(f"\n{wire}\n\n| agent | tokens | of these from the cache |\n|---|---|---|")
            for who, total, read in measured(text, tree, Path(place) / re.sub(r"\W", "", wire), wire):
                print(f"| {who} | {total:,} | {100 * read // max(total, 1)} % |")


if __name__ == "__main__":
    main()
