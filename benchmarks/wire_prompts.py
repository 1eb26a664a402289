"""Prints the prompts of real reviews and of a real plan verification as they go over the wire.

    python benchmarks/wire_prompts.py MIRRORS [TREES]     writes docs/explanation/prompts-on-the-wire.md

MIRRORS holds bare repositories as `OWNER+NAME/repo`; trees of the reviewed commits are kept in TREES, if given.

Always: requests are those that the program sent to a server on loopback, in whole runs at the default budget. Text of a target
belongs to its authors and stands under their licence, so each block of it is replaced by a line that says how much it was;
everything else is printed as it was sent. A text that was printed before is named and not printed again.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))  # first: this folder has a `faults` of its own

import packs
import plan_openings
import plans
from review_tree import lay_out

from counterproof.app import plan_team, verify
from counterproof.cli.console import SilentObserver
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.runtime.home import Home
from faults.caching import PrefixCache
from faults.server import Asked, FaultServer, threaded
from faults.speech import count

PAGE = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "prompts-on-the-wire.md"
REVIEWS = ("e07a3dbfff", "2ebfcf448c", "baa9045af7")
PLAN = ("AcrossWorksAPI/open-relay", "docs/superpowers/plans/2026-06-26-direct-markdown-generation.md")
_AGENT = re.compile(r"You are ([\w-]+),")


@dataclass(frozen=True, slots=True)
class Sent:
    """One request: who asked, its tokens, those that were the beginning of an earlier one, and the request itself."""

    agent: str
    tokens: int
    cached: int
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Run:
    """A whole run: `title` is its heading, `target` whose text is left out, `shown` the agents whose prompts are printed."""

    title: str
    target: str
    about: str
    sent: tuple[Sent, ...]
    shown: tuple[str, ...]


def recorded(log: list[Asked], shares: list[tuple[int, int]]) -> tuple[Sent, ...]:
    """The requests of a server's log, with (tokens, cached) of each."""
    return tuple(
        Sent(_AGENT.findall(json.dumps(asked.body, ensure_ascii=False))[-1], *share, asked.body)
        for asked, share in zip(log, shares, strict=True)
    )


def reviewed(tree: Path, case: packs.Case) -> Run:
    """A pull request, reviewed by five specialists that the server plays."""
    log: list[Asked] = []
    brain = packs.Specialists()

    def keeping(asked: Asked) -> Any:
        log.append(asked)
        return brain(asked)

    told = packs.served(tree, case, keeping, brain)
    about = (
        f"{told['questions']} questions, {told['looks']} of them answered with a look at the code; {told['tokens_used']:,} of"
        f" {told['budget']:,} tokens used; {'; '.join(told['reasons']) or 'nothing was left out'}."
    )
    sent = recorded(log, [(total, cached) for cached, total in brain.cached])
    agents = tuple(f"{code}-refine-1" for code in ("CORR", "SEC", "PERF", "QUAL", "ARCH"))
    return Run(
        f"{case.repository} {case.commit[:10]}", case.repository, about, sent, (*agents, "CORR-refine-2", "CORR-challenge-1")
    )


def verified(repository: Path, name: str, path: str, folder: Path) -> Run:
    """A plan, verified against the tree before it came, with models in every role."""
    command = ["git", "--git-dir", str(repository), "log", "--diff-filter=A", "--format=%H", "--", path]
    commit = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()[-1]
    tree, home = folder / "tree", folder / "home"
    tree.mkdir()
    text = plans.tree_of(plans.Drawn(str(repository), commit, path), tree)
    home.mkdir()
    (home / "PLAN.md").write_text(text)
    cache = PrefixCache()
    brain = plan_openings.Scripted(next(n for n, line in enumerate(text.split("\n"), 1) if line.strip()))
    with threaded(FaultServer(brain=brain, cache=cache)) as server:
        os.environ["OPENAI_COMPATIBLE_API_KEY"] = "k" * 20
        terms = plan_team.terms_of(f"openai-compatible:scripted@{server.url}/v1", plan_openings.BUDGET, "")
        request = VerifyRequest(str(home / "PLAN.md"), str(tree), terms=terms)
        verify.start(request, plans.Unasked(), SilentObserver(), Home(home / "runs"))
    sent = recorded(server.log, [(total, read) for total, read, _ in cache.shares])
    about = f"`{path}` ({text.count(chr(10))} lines), against the tree before it came: {len(sent)} questions."
    return Run(f"The plan of {name}", name, about, sent, tuple(dict.fromkeys(each.agent for each in sent)))


def elided(text: str, target: str) -> Iterator[str]:
    """A message, each block of the target's text as one line that says how much it was."""
    block: list[str] = []
    for line in (*text.split("\n"), ""):
        if line.startswith("│"):
            block.append(line[2:])
            continue
        if block:
            yield f"│ ‹text of {target}: {len(block)} lines, {count(chr(10).join(block)):,} tokens›"
            block = []
        yield line


class Printer:
    """Prints prompts; what a page has shown already is named and left out."""

    def __init__(self) -> None:
        self._printed: dict[str, str] = {}

    def prompt(self, each: Sent, target: str) -> Iterator[str]:
        yield from (f"### {each.agent}", "", "```text")
        system = [message for message in each.body["messages"] if message["role"] == "system"]
        for message in system:
            yield "--- system"
            yield from self._paragraphs(str(message["content"]), each.agent)
        yield "--- tools"
        yield from self._paragraphs(
            "\n\n".join(json.dumps(tool["function"]) for tool in each.body.get("tools") or ()), each.agent
        )
        for message in each.body["messages"]:
            if message["role"] != "system":
                yield f"--- {message['role']}"
                yield from self._paragraphs("\n".join(elided(str(message["content"]), target)).rstrip(), each.agent)
        yield from ("```", "")

    def _paragraphs(self, text: str, agent: str) -> Iterator[str]:
        for part in text.split("\n\n"):
            before = self._printed.get(part)
            if before and len(part) > 60 and not any(line.startswith("│") for line in part.split("\n")):
                yield f"… ({count(part):,} tokens as for {before} above)\n"
            else:
                self._printed[part] = agent
                yield f"{part}\n"


def table(run: Run) -> Iterator[str]:
    """Tokens and the cached share of every question, in the order of the wire, an agent a row."""
    yield from ("| agent | tokens of its questions | of these from the cache |", "|---|---|---|")
    for agent in dict.fromkeys(each.agent for each in run.sent):
        mine = [each for each in run.sent if each.agent == agent]
        totals = ", ".join(f"{each.tokens:,}" for each in mine)
        yield f"| {agent} | {totals} | {', '.join(f'{100 * each.cached // max(1, each.tokens)} %' for each in mine)} |"
    total, cached = sum(each.tokens for each in run.sent), sum(each.cached for each in run.sent)
    yield f"| all | {total:,} | {100 * cached // max(1, total)} % |"


def page(runs: tuple[Run, ...]) -> str:
    """The whole page."""
    printer = Printer()
    lines = [HEAD]
    for run in runs:
        lines += [f"## {run.title}", "", run.about, "", *table(run), ""]
        for agent in run.shown:
            first = next((each for each in run.sent if each.agent == agent), None)
            if first is not None:
                lines += printer.prompt(first, run.target)
    return "\n".join(lines).rstrip() + "\n"


HEAD = """# Prompts on the wire

Written by `benchmarks/wire_prompts.py`: the requests that went to a server on loopback while three real pull requests were
reviewed at the default budget and one real plan was verified. The server plays every model. It looks things up while it may,
files a finding and takes positions; what it says is worthless, what it is asked is the program's own.

Text of a target belongs to its authors: each block of it is replaced by a line with its size. Findings and file names stand in
such blocks too. Everything else is printed as it was sent; a paragraph that was printed before is named instead. Tokens are
counted by the server (up to six letters, a sign, or a run of blanks each); "from the cache" is what an earlier request of the
run began with, as OpenAI's cache finds it.
"""


def main() -> None:
    mirrors = Path(sys.argv[1])
    os.environ.setdefault("OPENAI_API_KEY", "sk-none")
    with tempfile.TemporaryDirectory() as place:
        trees = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(place)
        runs: list[Run] = []
        for case in packs.cases(list(REVIEWS)):
            tree = trees / case.commit[:10]
            if not tree.exists():
                lay_out(mirrors / case.repository.replace("/", "+") / "repo", case.commit, tree, near=True)
            runs.append(reviewed(tree, case))
        name, path = PLAN
        runs.append(verified(mirrors / name.replace("/", "+") / "repo", name, path, Path(place)))
    PAGE.write_text(page(tuple(runs)), encoding="utf-8")


if __name__ == "__main__":
    main()
