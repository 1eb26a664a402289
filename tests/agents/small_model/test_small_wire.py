"""Contracts and prefixes on llama.cpp's server: it takes every contract, and a second task finds the shared part in its cache.

No rule marks: these are slow.
"""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from dataclasses import replace
from typing import Any

import pytest

from agents.models.test_schema_limits import CONTRACTS
from agents.small_model.serving import served
from counterproof.agents.models.channel import Answer, Message, Question
from counterproof.agents.models.live import LiveChannel
from counterproof.agents.models.opening import open_channel
from counterproof.agents.models.providers import parse_model
from faults.rig import READ, terms

SHARED = "".join(f"def step_{number}(row):\n    return row + {number}\n\n" for number in range(30))


@pytest.fixture(scope="module")
def model() -> Generator[str]:
    with served(8_192) as address:
        yield address


def asking(model: str, work: Callable[[LiveChannel], Coroutine[Any, Any, Any]]) -> Any:
    async def run() -> Any:
        channel = open_channel(parse_model(f"openai-compatible:small@{model}/v1"), {}, terms())
        try:
            return await work(channel)
        finally:
            await channel.close()

    return asyncio.run(run())


def a_question(contract: str) -> Question:
    return Question(
        contract, 1, 1, "You check.", (Message("user", "Hand in an empty result."),), (READ,), CONTRACTS[contract], max_output=8
    )


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("hand_in", [False, True], ids=["beside-tools", "hand-in"])
def test_native_schema_of_a_contract_is_taken_by_llama_cpp(model: str, contract: str, hand_in: bool) -> None:
    async def work(channel: LiveChannel) -> Answer:
        answer = await channel.ask(replace(a_question(contract), hand_in=hand_in))
        assert channel.schema_mode == "native"  # a schema that is refused is taken out of what is sent
        return answer

    assert asking(model, work).usage.output > 0


def test_a_second_task_reads_its_shared_part_from_the_cache_of_llama_cpp(model: str) -> None:
    def task(name: str) -> Question:
        said = (Message("user", SHARED), Message("user", f"You are {name}. Look at step_{len(name)} and say what it adds."))
        return Question(name, 1, 1, "You check.", said, max_output=8, stable=1)

    async def work(channel: LiveChannel) -> list[Answer]:
        alone = replace(task("shared"), messages=(Message("user", SHARED),))
        return [await channel.ask(each) for each in (alone, task("one"), task("number-two"))]

    alone, *tasks = asking(model, work)
    for each in tasks:
        assert each.usage.cached >= 0.8 * alone.usage.input, each.usage
