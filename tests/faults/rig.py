"""Puts a channel and the fault server together in one warped loop, and asks."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, TypeVar

from counterproof.agents.models.channel import Answer, Message, Question, ToolSpec
from counterproof.agents.models.live import LiveChannel, Terms
from counterproof.agents.models.opening import open_channel
from counterproof.agents.models.prices import PriceList
from counterproof.agents.models.providers import parse_model
from counterproof.agents.models.purse import Purse
from counterproof.agents.models.replies import MemoryReplies
from counterproof.agents.models.transport import Deadlines
from counterproof.model.budget import Limit
from counterproof.protocols.guard.budget import opened
from faults.server import FaultServer
from faults.warp import run_warped

T = TypeVar("T")

OPENAI = "openai:gpt-5"
ANTHROPIC = "anthropic:claude-sonnet-4-6"
RESPONSES = "openai-responses:gpt-5"
WIRES = (OPENAI, RESPONSES, ANTHROPIC)
"""A model of each wire format."""
KEY = "sk-test-0123456789abcdef"
ENVIRONMENT = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
READ = ToolSpec("read", "Reads a file.", '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}')


def question(agent: str = "a1", step: int = 1, text: str = "Look.", **more: Any) -> Question:
    said: dict[str, Any] = {"messages": (Message("user", text),), "max_output": 500} | more
    return Question(agent, 1, step, f"agent: {agent} You review code.", **said)


def terms(tokens: int | None = 10_000_000, seed: int = 1, agents: int = 1, **more: Any) -> Terms:
    facts: dict[str, Any] = {"replies": MemoryReplies(), "purse": Purse(opened(Limit(tokens), agents))} | more
    return Terms(chance=Random(seed), **facts)


def connect(server: FaultServer, model: str, given: Terms, deadlines: Deadlines | None = None) -> LiveChannel:
    base = server.url + ("" if model.startswith("anthropic") else "/v1")
    return open_channel(parse_model(f"{model}@{base}"), ENVIRONMENT, given, PriceList(), deadlines)


def with_channel(
    server: FaultServer,
    work: Callable[[LiveChannel], Awaitable[T]],
    model: str = OPENAI,
    given: Terms | None = None,
    deadlines: Deadlines | None = None,
) -> T:
    """Run `work` on a fresh channel to this server, in warped time."""

    async def run() -> T:
        async with server:
            channel = connect(server, model, given or terms(), deadlines)
            try:
                return await work(channel)
            finally:
                await channel.close()

    return run_warped(run())


def ask(server: FaultServer, model: str = OPENAI, asked: Question | None = None, **more: Any) -> Answer:
    return with_channel(server, lambda channel: channel.ask(asked or question()), model, **more)


async def timed(work: Awaitable[T]) -> tuple[T, float]:
    """The result, and how long it took by the warped clock."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    return await work, loop.time() - start
