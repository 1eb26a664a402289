"""What an agent gets to see, measured: tokens by section, the share that a cache finds again, truth that stands in the opening.

    python benchmarks/openings.py                      write benchmarks/results/openings.md from examples/shop
    python benchmarks/openings.py truth CODE TRUTH     for applications under CODE, with TRUTH as CSV (file, start_line, end_line,
                                                       vulnerable): the share of true lines in a hunter's opening, and in files
                                                       that it names

The questions are the program's own, asked over HTTP of a scripted server that counts prefixes by each provider's rules.
"""

import asyncio
import csv
import json
import os
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from counterproof.agents.context import Pack, assembled, tokens
from counterproof.agents.context.audit import room_of, sections_of
from counterproof.agents.models.agent import ModelAgent
from counterproof.agents.models.audit import AuditDialogue, opened_talk
from counterproof.agents.models.channel import Question
from counterproof.agents.models.live import Terms
from counterproof.agents.models.opening import open_channel
from counterproof.agents.models.providers import parse_model
from counterproof.agents.models.purse import Purse
from counterproof.agents.models.replies import MemoryReplies
from counterproof.analysis.source.survey import SurveyOptions
from counterproof.knowledge import modules
from counterproof.model.baseline import Hit
from counterproof.model.budget import Limit
from counterproof.model.contract import AgentTask, Limits, Role
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Severity
from counterproof.protocols.guard import budget as rules
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.witnessed import WitnessedTools
from counterproof.toolbox.workspace import Workspace

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from faults.caching import PrefixCache  # noqa: E402
from faults.server import Asked, FaultServer, threaded  # noqa: E402
from faults.speech import Call, Says  # noqa: E402

PAGE = ROOT / "benchmarks" / "results" / "openings.md"
SHOWN = 3
"""Lines of each data block that the page prints."""
TRACKS = ((Dimension.D1, Dimension.D4, Dimension.D5, Dimension.D6), (Dimension.D2, Dimension.D3, Dimension.D9))
MODELS = {
    "OpenAI, chat completions": ("openai-compatible:scripted@{url}/v1", {}),
    "OpenAI, responses": ("openai-responses:gpt-5", {"OPENAI_API_KEY": "k" * 20, "OPENAI_BASE_URL": "{url}/v1"}),
    "Anthropic": ("anthropic:claude-sonnet-4-5", {"ANTHROPIC_API_KEY": "k" * 20, "ANTHROPIC_BASE_URL": "{url}"}),
}


@dataclass
class Target:
    """A project with what recon knows of it."""

    root: Path

    def __post_init__(self) -> None:
        self.workspace = Workspace(self.root, SurveyOptions())
        self.recon = self.workspace.take_recon(1)
        self.workspace.entry_points, self.workspace.recon = self.recon.entry_points, self.recon
        self.bench = Bench(self.workspace.project, self.recon.entry_points)
        self.languages = tuple(dict.fromkeys(f.language for f in self.workspace.project.survey.files if f.language))

    def task(self, role: Role, dimensions: tuple[Dimension, ...], number: int = 1) -> AgentTask:
        name = f"model-{'r1' if role is Role.HUNTER else role.value.replace(' ', '-')}-{number:02}"
        found = tuple(each for each in self.bench.examination().findings if each.severity.rank >= Severity.HIGH.rank)[:3]
        found = tuple(replace(each, id=f"F{number:03}") for number, each in enumerate(found, 1))
        first = found[0].location
        hit = Hit("S001", "pattern", first.path, first.start, first.end, "a pattern", found[0].cwe, Severity.HIGH, Dimension.D1)
        return AgentTask(
            id=f"{name}/attempt-1", agent_id=name, role=role, round=1, attempt=1, dimensions=dimensions, languages=self.languages,
            limits=Limits(25, 60), model="model", findings=found if role not in (Role.HUNTER, Role.HIT_VERIFIER) else (),
            hits=(hit,) if role is Role.HIT_VERIFIER else (), files=self.recon.p0_files[:5] if role is Role.DEEP_DIVER else (),
        )  # fmt: skip

    def tools(self, task: AgentTask) -> WitnessedTools:
        return WitnessedTools(self.workspace, self.bench, task, self.recon, modules.shipped())

    def pack(self, task: AgentTask) -> Pack:
        tools = self.tools(task)
        return assembled(sections_of(task, tools), room_of(task, tools))

    def question(self, task: AgentTask) -> Question:
        return opened_talk(task, self.tools(task)).question(with_tools=True)


def brain(asked: Asked) -> Says:
    """Two turns of tools, then nothing found."""
    text = json.dumps(asked.body, ensure_ascii=False)
    if len(set(re.findall(r"call-\d+", text))) < 2:
        return Says("", (Call(f"call-{asked.number}", "glob", '{"pattern":"*"}'),), "tool_calls")
    marker = "cp-" + text.rpartition("The marker of this task is cp-")[2][:32]
    agent = text.rpartition("You are model-")[2].partition(",")[0]
    fields = {"marker": marker, "agent_id": f"model-{agent}", "round": 1, "dimensions": [], "nothing_found": True, "findings": []}
    return Says(json.dumps(fields))


def cached(target: Target, name: str) -> list[tuple[str, int, int]]:
    """Two hunters, one after the other: whose turn, its tokens of input, those from the cache."""
    cache = PrefixCache()
    rows: list[str] = []
    with threaded(FaultServer(brain=brain, cache=cache)) as server:
        model, variables = MODELS[name]
        environment = {key: value.format(url=server.url) for key, value in variables.items()}
        terms = Terms(MemoryReplies(), Purse(rules.opened(Limit(tokens=10_000_000), 1)))

        async def ask() -> None:
            channel = open_channel(parse_model(model.format(url=server.url)), environment, terms)
            for number, dimensions in enumerate(TRACKS, 1):
                task = target.task(Role.HUNTER, dimensions, number)
                before = len(cache.shares)
                await ModelAgent(channel, AuditDialogue()).run(task, target.tools(task))
                rows.extend(f"hunter {number}, turn {turn}" for turn in range(1, len(cache.shares) - before + 1))
            await channel.close()

        asyncio.run(ask())
    return [(who, share[0], share[1]) for who, share in zip(rows, cache.shares, strict=True)]


def printed(question: Question) -> Iterator[str]:
    """The opening as it is sent, long data blocks cut."""
    for message in question.messages:
        yield f"--- {message.role}"
        block: list[str] = []
        for line in message.text.split("\n"):
            if line.startswith("│"):
                block.append(line)
                continue
            yield from (each[:120] for each in block[:SHOWN])
            if len(block) > SHOWN:
                yield f"│ … ({len(block) - SHOWN} more lines on the wire)"
            block = []
            yield line


def page(target: Target) -> str:
    """What each role is sent, in tokens, and a hunter's opening with its long blocks cut."""
    tasks = {role: target.task(role, TRACKS[0]) for role in Role}
    lines = [HEAD]
    lines += ["| role | instructions and contract | tools | shared by its tasks | its own | all |", "|---|---|---|---|---|---|"]
    for role, task in tasks.items():
        question = target.question(task)
        parts = [
            tokens(question.system),
            sum(tokens(f"{each.name} {each.description} {each.schema}") for each in question.tools),
            sum(tokens(each.text) for each in question.messages[: question.stable]),
            sum(tokens(each.text) for each in question.messages[question.stable :]),
        ]
        lines.append(f"| {role.value} | {' | '.join(f'{each:,}' for each in (*parts, sum(parts)))} |")
    lines += ["", AROUND_CACHE, "", "| wire | " + " | ".join(who for who, _, _ in cached(target, next(iter(MODELS)))) + " |"]
    lines.append("|---|" + "---|" * (lines[-1].count("|") - 2))
    for name in MODELS:
        shares = " | ".join(f"{100 * read // total} % of {total:,}" for _, total, read in cached(target, name))
        lines.append(f"| {name} | {shares} |")
    lines += ["", OPENING, "", "```text", *printed(target.question(tasks[Role.HUNTER])), "```"]
    return "\n".join(lines) + "\n"


HEAD = """# What an agent gets to see

Written by `benchmarks/openings.py` from `examples/shop`, with the program's own questions. Tokens are the program's estimate,
which is above what providers count.

An agent that a model drives starts with the instructions of its role and the contract of its result
(`src/counterproof/agents/roles`), its tools, and an opening. `src/counterproof/agents/context` assembles the opening from what
reconnaissance and the analysers know, the most valuable first, until the room is used. What is left out is counted, and the agent
can ask for it. The part that all tasks of a role share comes first and has the same bytes, so that providers find it in their
caches; the task comes last. Text of the project is between marks, redacted, with hidden characters shown. Hunters in a first pass
see no comments of the authors; validators see a place and a kind before they see the claim.

A result that would be rejected (a quote that is not in its lines, a file that was never shown, a step of a flow that the source
does not support) is returned once with the reason and the lines as they are. An answer that was cut off for length is asked for
again with more room.

`python benchmarks/openings.py truth CODE TRUTH` counts how many known weaknesses an opening shows: of 196 in nine applications
that were at hand, 168 were in a hunter's opening and 195 in files that it names.

## Tokens and caches
"""
AROUND_CACHE = """Two hunters with different dimensions, asked one after the other of a server that counts prefixes as each
provider does: the share of the input that came from the cache, turn by turn."""
OPENING = "## A hunter's opening"


def truth(code: Path, table: Path) -> None:
    """The share of true lines in a hunter's opening, application by application."""
    lines: defaultdict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for row in csv.DictReader(table.open(encoding="utf-8")):
        if row["vulnerable"] == "true":
            name, _, path = row["file"].partition("/")
            lines[name].append((path, int(row["start_line"]), int(row["end_line"])))
    total = [0, 0, 0]
    for name, wanted in sorted(lines.items()):
        if not (code / name).is_dir():
            continue
        target = Target(code / name)
        task = AgentTask(
            f"{name}/1", "model-r1-01", Role.HUNTER, 1, 1, tuple(Dimension), target.languages, Limits(25, 60), model="m"
        )
        pack = target.pack(task)
        opening = "\n".join(body for each in (*pack.shared, *pack.task) for body in each.bodies)
        shown = sum(
            any(s.path == path and s.first <= last and first <= s.last for s in pack.shows) for path, first, last in wanted
        )
        named = sum(
            re.search(rf"(?<![\w.]){re.escape(path.rpartition('/')[2])}(?!\w)", opening) is not None for path, _, _ in wanted
        )
        total = [total[0] + len(wanted), total[1] + shown, total[2] + named]
        print(f"{name}: {shown} of {len(wanted)} lines in the opening, {named} in files that it names, {pack.tokens:,} tokens")
    print(f"all: {total[1]} of {total[0]} in the opening, {total[2]} in files that it names")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        os.environ["COUNTERPROOF_HOME"] = place
        if sys.argv[1:2] == ["truth"]:
            truth(Path(sys.argv[2]), Path(sys.argv[3]))
        else:
            PAGE.write_text(page(Target(ROOT / "examples" / "shop")), encoding="utf-8")
