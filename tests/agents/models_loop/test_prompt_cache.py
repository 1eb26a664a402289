"""Prompt caching over real HTTP: a server that counts prefixes by each provider's rules, and what the run is told of it."""

import asyncio
import json
from pathlib import Path

import pytest

from agents.models_loop.modelling import a_model_task, a_target, tools_for
from counterproof.agents.models.agent import ModelAgent
from counterproof.agents.models.live import Terms
from counterproof.agents.models.opening import open_channel
from counterproof.agents.models.providers import parse_model
from counterproof.agents.models.purse import Purse
from counterproof.agents.models.replies import MemoryReplies
from counterproof.model.budget import Limit
from counterproof.model.contract import AgentTask, Limits
from counterproof.model.dimension import Dimension
from counterproof.protocols.guard import budget as rules
from faults.caching import PrefixCache
from faults.server import Asked, FaultServer, threaded
from faults.speech import Call, Says

MODELS = {
    "openai": ("openai-compatible:scripted@{url}/v1", {}),
    "responses": ("openai-responses:gpt-5", {"OPENAI_API_KEY": "k" * 20, "OPENAI_BASE_URL": "{url}/v1"}),
    "anthropic": ("anthropic:claude-sonnet-4-5", {"ANTHROPIC_API_KEY": "k" * 20, "ANTHROPIC_BASE_URL": "{url}"}),
}


def brain(asked: Asked) -> Says:
    """Two turns of tools, then nothing found."""
    text = json.dumps(asked.body, ensure_ascii=False)
    turn = text.count("call-")
    if asked.step < 3 and not turn > 8:
        return Says("", (Call(f"call-{asked.number}", "glob", '{"pattern":"*"}'),), "tool_calls")
    marker = "cp-" + text.rpartition("The marker of this task is cp-")[2][:32]
    agent = text.rpartition("You are model-")[2].partition(",")[0]
    fields = {"marker": marker, "agent_id": f"model-{agent}", "round": 1, "dimensions": [], "nothing_found": True, "findings": []}
    return Says(json.dumps(fields))


def a_task(number: int, *dimensions: Dimension) -> AgentTask:
    name = f"model-r1-0{number}"
    return a_model_task(dimensions=dimensions, id=f"{name}/attempt-1", agent_id=name, limits=Limits(8, 60))


@pytest.mark.parametrize("wire", MODELS)
def test_tasks_of_a_role_share_a_prefix_and_turns_find_what_went_before(wire: str, tmp_path: Path, home: Path) -> None:
    root = a_target(tmp_path)
    cache = PrefixCache()
    with threaded(FaultServer(brain=brain, cache=cache)) as server:
        model, variables = MODELS[wire]
        environment = {name: value.format(url=server.url) for name, value in variables.items()}
        terms = Terms(MemoryReplies(), Purse(rules.opened(Limit(tokens=10_000_000), 1)))

        async def ask() -> None:
            channel = open_channel(parse_model(model.format(url=server.url)), environment, terms)
            agent = ModelAgent(channel)
            for number, dimension in enumerate((Dimension.D1, Dimension.D7), 1):
                task = a_task(number, dimension)
                await agent.run(task, tools_for(root, task))
            await channel.close()

        asyncio.run(ask())
    first, second = cache.shares[: len(cache.shares) // 2], cache.shares[len(cache.shares) // 2 :]
    assert first[0][1] == 0
    assert all(cached / tokens > 0.8 for tokens, cached, _ in first[1:]), cache.shares
    assert second[0][1] / second[0][0] > 0.6, cache.shares  # another task, other dimensions: the role's prefix is found
    booked = sum(each.usage.cached for each in terms.purse.budget.spent)
    assert booked == sum(cached for _, cached, _ in cache.shares)
