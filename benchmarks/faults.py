"""Figures for the faults of models' providers, per row and never pooled: `python benchmarks/faults.py [--seed N]`.

Everything runs against the fault server on loopback, in a loop whose clock jumps, so an hour of waiting takes no time.
"""

import argparse
import asyncio
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from counterproof.agents.models.faults import BudgetExhausted, WireFault
from counterproof.agents.models.purse import Purse
from counterproof.agents.models.wire import Family, judge
from counterproof.model.budget import Limit
from counterproof.model.errors import CounterproofError
from counterproof.protocols.guard.budget import opened
from faults.limiting import Limiter
from faults.rig import WIRES, question, terms, with_channel
from faults.server import Asked, FaultServer, Move, refusal
from faults.speech import Call, Says, anthropic_body, openai_body, responses_body
from faults.test_crowds import crowd

FAULTS = {
    "F1 429 with Retry-After": refusal(429, "rate_limit_error", retry_after="9"),
    "F1 429 without": refusal(429, "rate_limit_error"),
    "F3 503": refusal(503),
    "F3 529": refusal(529),
    "F3 error inside a 200": Move(body=b'{"error":{"type":"overloaded_error","message":"Overloaded"}}'),
    "F5 reset": Move(reset=True),
    "F5 headers cut": Move(cut_headers=True),
    "F6 stall": Move(stall=20),
    "F7 body cut": Move(cut=50, framing="close"),
    "F8 not JSON": Move(body=b"<html>"),
}


def chaos(seed: int, share: int) -> dict[str, str]:
    """32 agents, 5 questions each; `share` percent of first tries go wrong. Every answer must be the right one."""
    names = list(FAULTS)

    def fault(asked: Asked) -> Move | None:
        chance = Random(f"{seed}/{asked.agent}/{asked.body['messages'][-1]['content']}/{asked.attempt}")
        return FAULTS[chance.choice(names)] if asked.attempt < 3 and chance.randrange(100) < share else None

    server = FaultServer(brain=lambda asked: Says(f"answer for {asked.agent}"), fault=fault, think=1)
    given = terms(seed=seed)
    wrong = failed = right = 0

    async def work(channel) -> None:
        async def agent(name: str) -> None:
            nonlocal wrong, failed, right
            for step in range(5):
                try:
                    answer = await channel.ask(question(name, step + 1, f"Question {step}."))
                except CounterproofError:
                    failed += 1
                    continue
                right += answer.text == f"answer for {name}"
                wrong += answer.text != f"answer for {name}"

        await asyncio.gather(*(agent(f"a{n}") for n in range(32)))

    with_channel(server, work, given=given)
    return {
        "faults": str(len(server.faults)),
        "right answers": f"{right} of 160",
        "wrong answers": str(wrong),
        "failed and said so": str(failed),
        "tokens charged / true": f"{given.purse.budget.used.tokens} / {server.spent}",
    }


def cuts() -> dict[str, str]:
    says = Says("All of this — every byte — matters.", (Call("c1", "read", '{"path": "a.py"}'),))
    bodies = {Family.OPENAI: openai_body, Family.ANTHROPIC: anthropic_body, Family.RESPONSES: responses_body}
    rows: dict[str, str] = {}
    for family, made in bodies.items():
        body = made(says, 9, "r", "m")
        taken = 0
        for place in range(len(body)):
            try:
                judge(family, body[:place])
                taken += 1
            except WireFault:
                pass
        rows[f"{family}: cut at each of {len(body)} bytes"] = f"{taken} taken for complete"
    return rows


def last_tokens(model: str) -> dict[str, str]:
    limit = 40_000
    given = terms(purse=Purse(opened(Limit(tokens=limit), 1)))
    server = FaultServer(brain=lambda asked: Says("x" * 300), think=1)

    async def work(channel) -> None:
        async def agent(name: str) -> None:
            for step in range(30):
                await channel.ask(question(name, step + 1, "code " * 50))

        ends = await asyncio.gather(*(agent(f"a{n}") for n in range(32)), return_exceptions=True)
        assert all(isinstance(end, BudgetExhausted) for end in ends)

    with_channel(server, work, model, given)
    over = max(0, server.spent - limit)
    return {f"{model}, 32 agents, {limit} tokens": f"overshoot {over}, used {100 * server.spent // limit} %"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=1)
    seed = options.parse_args().seed
    table: list[tuple[str, dict[str, str]]] = [("F7", cuts())]
    for share in (20, 60):
        table.append((f"F1, F3, F5–F8 at {share} %", chaos(seed, share)))
    for tells in ("headers", "retry-after", "nothing"):
        found = crowd(Limiter(requests=60, burst=0.05, tells=tells))
        text = f"goodput {100 * found.goodput:.0f} % of the optimum, {found.refused} refused of {192 + found.refused} requests"
        table.append(("F13", {f"32 agents, 60 requests a minute, provider sends {tells}": text}))
    table += [("F18", last_tokens(model)) for model in WIRES]
    for row, figures in table:
        for what, figure in figures.items():
            print(f"| {row} | {what} | {figure} |")


if __name__ == "__main__":
    main()
