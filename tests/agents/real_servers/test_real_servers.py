"""Requests of every role, as every wire format has them, to servers that others wrote: none is refused.

They are marked `nightly`, since they download the servers. No rule marks: quicker tests hold the same rules.
"""

import asyncio
from collections.abc import Generator

import pytest

from agents.models.test_schema_limits import CONTRACTS, TALK
from agents.real_servers.serving import KEY, aimock, litellm
from counterproof.agents import tool_table
from counterproof.agents.models.channel import Finish, Question
from counterproof.agents.models.opening import open_channel
from counterproof.agents.models.providers import PROVIDERS, parse_model
from counterproof.agents.models.retrying import Patience
from faults.rig import terms

ENVIRONMENT = {name: KEY for each in PROVIDERS for name in each.keys}
IMPATIENT = Patience(first=0.01, longest=0.1, total=0.2)
LITELLM_ROUTES = (
    "openai:gpt-5@{url}/v1",
    "openai-responses:gpt-5@{url}/v1",
    "anthropic:claude-sonnet-4-6@{url}",
    "google:gemini-3-pro-preview@{url}",
    "openai-compatible:gpt-5@{url}/v1",
    "openai-compatible:claude-sonnet-4-6@{url}/v1",
    "openai-compatible:gemini-3-pro-preview@{url}/v1",
    "openai-compatible:openai/gpt-oss-120b@{url}/v1",
)
AIMOCK_ROUTES = (  # not Bedrock: aimock 1.43.0 breaks off with 500 at the mark of the cache that stands among the tools
    "openai:gpt-5@{url}/v1",
    "openai-responses:gpt-5@{url}/v1",
    "anthropic:claude-sonnet-4-6@{url}",
    "google:gemini-3-pro-preview@{url}",
    "mistral:mistral-large-latest@{url}",
    "groq:openai/gpt-oss-120b@{url}",
    "openrouter:anthropic/claude-sonnet-4.5@{url}/api/v1",
    "ollama:qwen3@{url}/v1",
    "openai-compatible:mine@{url}/v1",
)


@pytest.fixture(scope="module")
def litellm_url(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    with litellm(tmp_path_factory.mktemp("litellm")) as url:
        yield url


@pytest.fixture(scope="module")
def aimock_url(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    with aimock(tmp_path_factory.mktemp("aimock")) as url:
        yield url


def refused(model: str) -> list[str]:
    """What is not answered, or only without its schema: every contract, beside tools and handing in, with and without effort."""
    asked = [
        Question("task", 1, 1, "You check.", TALK, tool_table.audit_specs(), contract, 4_000, effort, 1, hand_in)
        for contract in CONTRACTS.values()
        for hand_in in (False, True)
        for effort in ("", "low")
    ]

    async def one(question: Question) -> str:
        """By a channel of its own: a mock gives the same reply, with the same id, to every question."""
        channel = open_channel(parse_model(model), ENVIRONMENT, terms(patience=IMPATIENT))
        try:
            before = channel.schema_mode
            answer = await channel.ask(question)
            kept = answer.finish is Finish.STOP and channel.schema_mode is before
            return "" if kept else f"{answer.finish}, {channel.schema_mode}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        finally:
            await channel.close()

    async def run() -> list[str]:
        return [problem for each in asked if (problem := await one(each))]

    return asyncio.run(run())


@pytest.mark.nightly
@pytest.mark.parametrize("route", LITELLM_ROUTES)
def test_litellm_refuses_no_request_of_any_contract(route: str, litellm_url: str) -> None:
    assert refused(route.format(url=litellm_url)) == []


@pytest.mark.nightly
@pytest.mark.parametrize("route", AIMOCK_ROUTES)
def test_aimock_refuses_no_request_of_any_contract(route: str, aimock_url: str) -> None:
    assert refused(route.format(url=aimock_url)) == []
