"""Contracts and prefixes on llama.cpp's server: it takes every contract, and a second task finds the shared part in its cache.

No rule marks: these are slow.
"""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.models.test_schema_limits import CONTRACTS
from agents.models_loop.modelling import a_model_task, a_target, tools_for
from agents.small_model.serving import served
from counterproof.agents.models.audit import opened_talk
from counterproof.agents.models.channel import Answer, Message, Question
from counterproof.agents.models.dialect import SchemaMode
from counterproof.agents.models.live import LiveChannel
from counterproof.agents.models.opening import open_channel
from counterproof.agents.models.providers import parse_model
from counterproof.agents.models.tuning import MIN_WINDOW, Tuning
from counterproof.model.dimension import Dimension
from faults.rig import READ, terms

SUBJECTS = (Dimension.D1, Dimension.D7, Dimension.D8)
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


LARGEST = max(CONTRACTS, key=lambda name: len(CONTRACTS[name]))
OFTEN = [pytest.param(each, marks=() if each == LARGEST else pytest.mark.nightly) for each in CONTRACTS]


@pytest.mark.parametrize("contract", OFTEN)
@pytest.mark.parametrize("hand_in", [pytest.param(False, marks=pytest.mark.nightly), True], ids=["beside-tools", "hand-in"])
def test_native_schema_of_a_contract_is_taken_by_llama_cpp(model: str, contract: str, hand_in: bool) -> None:
    async def work(channel: LiveChannel) -> Answer:
        answer = await channel.ask(replace(a_question(contract), hand_in=hand_in))
        assert channel.schema_mode is SchemaMode.HAND_IN  # a schema that is refused is taken out of what is sent
        return answer

    assert asking(model, work).usage.output > 0


@pytest.mark.nightly
def test_later_tasks_of_an_audit_read_their_shared_part_from_the_cache_of_llama_cpp(model: str, tmp_path: Path) -> None:
    """The tasks are an audit's own: what they share is the system text, the tools and what all are shown."""
    root = a_target(tmp_path)
    (root / "steps.py").write_text(SHARED)
    names = [f"model-r1-{number:02}" for number in range(1, len(SUBJECTS) + 1)]
    tasks = [a_model_task(dimensions=(each,), id=name, agent_id=name) for name, each in zip(names, SUBJECTS, strict=True)]
    asked = [
        opened_talk(each, tools_for(root, each), Tuning(16, 16, window=MIN_WINDOW)).question(with_tools=True) for each in tasks
    ]
    assert len({(each.system, each.tools, each.messages[: each.stable]) for each in asked}) == 1
    alone = replace(asked[0], task="shared", messages=(*asked[0].messages[: asked[0].stable], Message("user", "-")))

    async def work(channel: LiveChannel) -> list[Answer]:
        return [await channel.ask(each) for each in (alone, *asked)]

    shared, *answers = asking(model, work)
    for each in answers:
        assert each.usage.cached >= 0.8 * shared.usage.input, each.usage
