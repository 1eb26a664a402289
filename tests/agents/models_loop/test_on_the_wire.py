"""What goes over the wire of each provider: prefixes that caches find again, how hard to think, and thoughts sent back."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from agents.models_loop.modelling import a_model_task, a_target, model_agent, tools_for
from counterproof.agents import roles
from counterproof.agents.models.agent import Manner
from counterproof.agents.models.live import Terms
from counterproof.agents.models.opening import open_channel
from counterproof.agents.models.providers import parse_model
from counterproof.agents.models.purse import Purse
from counterproof.agents.models.replies import MemoryReplies
from counterproof.agents.models.tuning import Tuning
from counterproof.model.budget import Limit
from counterproof.model.contract import AgentTask, Ask, Limits, Role
from counterproof.model.dimension import Dimension
from counterproof.protocols.guard import budget as rules
from faults.caching import PrefixCache, common_length, parts_of
from faults.server import Asked, Brain, FaultServer, threaded
from faults.speech import Call, Says, count

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
    return a_model_task(dimensions=dimensions, id=f"{name}/attempt-1", agent_id=name, limits=Limits(8, 60), ask=Ask.PLAIN)


@pytest.mark.parametrize("wire", MODELS)
def test_tasks_of_a_role_share_a_prefix_and_turns_extend_it(wire: str, tmp_path: Path, home: Path) -> None:
    root = a_target(tmp_path)
    cache = PrefixCache()
    with threaded(FaultServer(brain=brain, cache=cache)) as server:
        model, variables = MODELS[wire]
        environment = {name: value.format(url=server.url) for name, value in variables.items()}
        terms = Terms(MemoryReplies(), Purse(rules.opened(Limit(tokens=10_000_000), 1)))

        async def ask() -> None:
            channel = open_channel(parse_model(model.format(url=server.url)), environment, terms)
            agent = model_agent(channel)
            for number, dimension in enumerate((Dimension.D1, Dimension.D7), 1):
                task = a_task(number, dimension)
                await agent.run(task, tools_for(root, task))
            await channel.close()

        asyncio.run(ask())
    half = len(server.log) // 2
    openings = ["".join(text for text, _ in parts_of(server.log[place].body)) for place in (0, half)]
    role = openings[0].index(roles.prompt(Role.HUNTER).text.splitlines()[0])
    shared = count(openings[0][: min(role, common_length(*openings))])  # what all roles are told and shown
    first, second = cache.shares[:half], cache.shares[half:]
    assert first[0][1] == 0
    assert all(cached / tokens > 0.8 for tokens, cached, _ in first[1:]), cache.shares
    assert shared > 4_000
    assert second[0][1] > 0.8 * shared, (shared, cache.shares)  # another task, other dimensions
    booked = sum(each.usage.cached for each in terms.purse.budget.spent)
    assert booked == sum(cached for _, cached, _ in cache.shares)


def talked(wire: str, model: str, brain: Brain, tuning: Tuning, root: Path) -> list[Asked]:
    with threaded(FaultServer(brain=brain)) as server:
        environment = {name: value.format(url=server.url) for name, value in MODELS[wire][1].items()}
        terms = Terms(MemoryReplies(), Purse(rules.opened(Limit(tokens=10_000_000), 1)))

        async def ask() -> None:
            channel = open_channel(parse_model(model), environment, terms)
            task = a_task(1, Dimension.D1)
            await model_agent(channel, Manner(lambda _: tuning)).run(task, tools_for(root, task))
            await channel.close()

        asyncio.run(ask())
        return server.log


def test_effort_and_limit_reach_the_provider_and_signed_thoughts_go_back(tmp_path: Path, home: Path) -> None:
    def thinking(asked: Asked) -> Says:
        return replace(brain(asked), thought="first the sinks")

    root = a_target(tmp_path)
    log = talked("anthropic", "anthropic:claude-sonnet-4-5", thinking, Tuning(20_000, 40_000, "high"), root)
    assert {asked.body["max_tokens"] for asked in log} == {20_000}
    assert all(asked.body["thinking"]["type"] == "enabled" for asked in log)
    kinds = [
        block["type"] for message in log[1].body["messages"] if message["role"] == "assistant" for block in message["content"]
    ]
    assert kinds == ["thinking", "tool_use"]
    log = talked("responses", "openai-responses:gpt-5", brain, Tuning(20_000, 40_000, "low"), root)
    assert {asked.body["reasoning"]["effort"] for asked in log} == {"low"}
    assert {asked.body["max_output_tokens"] for asked in log} == {20_000}


def test_tools_stay_listed_when_only_the_result_is_accepted(tmp_path: Path, home: Path) -> None:
    def stubborn(asked: Asked) -> Says:
        return brain(asked) if "Hand in the result now" in asked.raw.decode() else replace(brain(replace(asked, step=1)))

    log = talked("anthropic", "anthropic:claude-sonnet-4-5", stubborn, Tuning(), a_target(tmp_path))
    assert [asked.body["tool_choice"]["type"] for asked in log][-1] == "none"
    assert len({json.dumps(asked.body["tools"]) for asked in log}) == 1
