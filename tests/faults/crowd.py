"""Simulates a crowd of agents that share one pacer, on a clock that only jumps: no server, no sockets, no real time.

`measure` runs the crowd twice on the same limit: once through the pacer and the retry policy, and once through a gate that
knows when the limit lets the next request pass. The second run is the optimum.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any, TypeVar

from counterproof.agents.models.faults import FaultKind, WireFault
from counterproof.agents.models.pacing import Pacer
from counterproof.agents.models.retrying import Patience, Tries
from counterproof.agents.models.traffic import Incoming
from faults.limiting import Limiter

T = TypeVar("T")
_TICK = 1e-6


class _Clock(selectors.DefaultSelector):
    """Turns waiting into a jump. Each look at the sockets takes a microsecond, so that no loop stands still."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> Any:
        self.now += _TICK + (timeout or 0.0)
        return super().select(0)


class _JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._clock = _Clock()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now


def _run(work: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=_JumpingLoop) as runner:
        return runner.run(work)


@dataclass(frozen=True)
class Crowd:
    """`think` is the time an answer takes, give or take the share `vary`; a rejection takes `reject` seconds, or as long as an
    answer. Each agent asks `each` questions, or as many as it can in `seconds`."""

    limit: Limiter
    think: float = 2.0
    vary: float = 0.0
    reject: float | None = None
    each: int = 6
    seconds: float = 0.0
    agents: int = 32


@dataclass(frozen=True)
class Outcome:
    """Goodput is the shortest possible time over the time taken; in a given time, the answers over the most possible."""

    goodput: float
    refused: int


def measure(crowd: Crowd, seed: int = 1) -> Outcome:
    best, got = _Run(crowd, seed, None), _Run(crowd, seed, Pacer())
    for each in (best, got):
        _run(each.run())
    goodput = got.answered / best.answered if crowd.seconds else best.took / got.took
    return Outcome(goodput, got.refused)


class _Run:
    def __init__(self, crowd: Crowd, seed: int, pacer: Pacer | None) -> None:
        self._crowd = crowd
        self._limit = deepcopy(crowd.limit)
        self._lengths, self._chance = Random(seed), Random(seed)
        self._pacer = pacer
        self._gate = asyncio.Lock()
        self.answered = self.refused = 0
        self.took = 0.0

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()
        agents = asyncio.gather(*(self._agent() for _ in range(self._crowd.agents)))
        with suppress(TimeoutError):
            await asyncio.wait_for(agents, self._crowd.seconds or None)
        self.took = loop.time() - start

    async def _agent(self) -> None:
        for _ in count() if self._crowd.seconds else range(self._crowd.each):
            await (self._ask_at_best() if self._pacer is None else self._ask(self._pacer))
            self.answered += 1

    async def _answer(self) -> None:
        vary = self._crowd.vary
        await asyncio.sleep(self._crowd.think * self._lengths.uniform(1 - vary, 1 + vary))
        self._limit.done()

    async def _ask_at_best(self) -> None:
        async with self._gate:
            while wait := self._limit.take(1, asyncio.get_running_loop().time()):
                await asyncio.sleep(wait)
        await self._answer()

    async def _ask(self, pacer: Pacer) -> None:
        tries = Tries("simulated", Patience(), self._chance)
        while True:
            async with pacer.turn(1) as turn:
                now = asyncio.get_running_loop().time()
                wait = self._limit.take(1, now)
                headers = tuple(self._limit.headers("openai", now, 0.0))
                if not wait:
                    await self._answer()
                    pacer.accepted(turn, Incoming(200, headers, b""))
                    return
                await asyncio.sleep(self._crowd.think if self._crowd.reject is None else self._crowd.reject)
                self.refused += 1
                told = self._limit.told(wait).get("retry_after")
                seconds = None if told is None else float(told)
                pacer.refused(turn, Incoming(429, headers, b""), seconds)
            await asyncio.sleep(tries.after(WireFault(FaultKind.RATE_LIMITED, "slow down", retry_after=seconds)))
