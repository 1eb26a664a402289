"""Paces requests: one pacer per provider and model, learning the limits from the provider's headers and reactions (F13).

Invariant: after a 429 nothing is sent before the stated time; afterwards requests leave one by one; a limit stated in headers
is respected without being hit; an unstated one is searched for: the rate rises while requests pass at it, in finer steps after
each rejection, and a rise must be able to earn what another rejection costs. The first requests leave slowly, so that not all
agents hit a tight limit at once. The retry policy handles rejected questions.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from math import inf, sqrt
from random import Random

from counterproof.agents.models.faults import FaultKind, WireFault
from counterproof.agents.models.limits import Stated, stated
from counterproof.agents.models.traffic import Incoming

MOST = 32
_CAUTIOUS_START = 2
_LOOK = 0.25
"""Seconds between two looks at how many requests may be in flight, while no answer comes."""
_SOONER = 8.0
"""Seconds after which the number of requests in flight grows by two a second without an answer, twice that by three."""
_FIRST_STEP, _FINER, _FINEST_STEP = 2.0, 3, 0.005
"""How much the rate rises at first, by what the step is divided after a rise that was rejected, and its least."""
_LOWER = 0.95
_JITTER = 0.01
_TRUST_LOST, _TRUST_WON = 0.9, 1.01
_SHORTEST_PAUSE = 1.0
_SHORTEST = 0.01


@dataclass(slots=True)
class Bucket:
    """A limit as stated by the provider, tracked here between two statements. `least` is the lowest rate stated lately: what is
    left is rounded down, so that a statement never gives too low a rate."""

    size: float
    level: float
    rate: float
    at: float
    least: float

    def fill(self, now: float) -> None:
        self.level = min(self.size, self.level + (now - self.at) * self.rate)
        self.at = now

    def wait(self, amount: float) -> float:
        """Seconds until `amount` is available; an amount larger than the bucket waits for a full one."""
        missing = min(amount, self.size) - self.level
        return max(0.0, missing / self.rate) if self.rate > 0 else 0.0


@dataclass(slots=True, eq=False)
class Turn:
    """One request in flight. `tokens` is its expected use; the `…_before` fields count what had left by then, itself included;
    `rate` is the one that set its distance from the request before it, `sound` the one known to pass then."""

    tokens: float
    granted: float = 0.0
    rate: float = 0.0
    sound: float = 0.0
    requests_before: float = 0.0
    tokens_before: float = 0.0


class Pacer:
    """Shared by all agents that ask one model."""

    def __init__(self, most: int = MOST, chance: Random | None = None, longest: float = inf) -> None:
        """A request that would have to wait longer than `longest` for a stated time is rejected."""
        self._longest = longest
        self._door = asyncio.Lock()
        self._most = most
        self._allowed = min(_CAUTIOUS_START, most)
        self._freed = asyncio.Event()
        self._flying: list[Turn] = []
        self._chance = chance or Random()  # noqa: S311  jitter, not a secret
        self._open_at = 0.0
        self._next_at = 0.0
        self._rate: float | None = None
        self._paced = self._sound = 0.0
        self._step, self._hold = _FIRST_STEP, 0.0
        self._began: float | None = None
        self._refused_at = self._sent_by_then = self._paused = 0.0
        self._buckets: dict[str, Bucket] = {}
        self._requests_left = 0.0
        self._tokens_left = 0.0
        self._scale = 1.0
        self._trust = 1.0

    @asynccontextmanager
    async def turn(self, tokens: int) -> AsyncGenerator[Turn]:
        """Wait for a turn. First come, first served."""
        async with self._door:
            turn = Turn(tokens * self._scale)
            await self._until_free(turn.tokens)
            self._take(turn)
        try:
            yield turn
        finally:
            self._flying.remove(turn)
            self._freed.set()

    async def _until_free(self, tokens: float) -> None:
        loop = asyncio.get_running_loop()
        while True:
            if len(self._flying) >= self._room(loop.time()):
                self._freed.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._freed.wait(), _LOOK)
                continue
            told, wait = self._open_at - loop.time(), self._wait(loop.time(), tokens)
            if told > self._longest:
                raise WireFault(FaultKind.RATE_LIMITED, "too many requests", retry_after=told)
            if wait <= 0:
                return
            await asyncio.sleep(wait)

    def _room(self, now: float) -> int:
        """How many requests may be in flight: more with every answer and second, as many as wanted once a limit is known."""
        if self._buckets or self._rate is not None:
            return self._most
        self._began = now if self._began is None else self._began
        seconds = now - self._began
        return min(self._most, self._allowed + int(seconds * (1 + seconds / _SOONER)))

    def _wait(self, now: float, tokens: float) -> float:
        waits = [self._open_at - now, self._next_at - now]
        for kind, bucket in self._buckets.items():
            bucket.fill(now)
            waits.append(bucket.wait(1 if kind == "requests" else tokens))
        return max(waits)

    def _take(self, turn: Turn) -> None:
        now = asyncio.get_running_loop().time()
        self._requests_left += 1
        self._tokens_left += turn.tokens
        turn.granted, turn.requests_before, turn.tokens_before = now, self._requests_left, self._tokens_left
        self._flying.append(turn)
        for kind, bucket in self._buckets.items():
            bucket.level -= 1 if kind == "requests" else turn.tokens
        if self._rate is not None:
            turn.rate, turn.sound, self._paced = self._paced, self._sound, self._rate
            self._next_at = now + (1 + self._chance.uniform(0, _JITTER)) / self._rate

    def measured(self, expected: int, actual: int) -> None:
        """Record a request's actual tokens: the next requests are expected to be similar."""
        self._scale += (actual / max(expected, 1) - self._scale) / 4

    def accepted(self, turn: Turn, reply: Incoming) -> None:
        """Record a success: raise the rate a little, or follow the limits that the reply states."""
        now = asyncio.get_running_loop().time()
        self._allowed = min(self._most, self._allowed + 1 + self._allowed // 4)
        self._learn(stated(reply), turn, now)
        self._trust = min(1.0, self._trust * _TRUST_WON)
        if self._rate is not None and turn.rate == self._rate:
            self._hold -= 1
            if self._hold <= 0:
                self._sound, self._rate, self._hold = self._rate, self._rate * (1 + self._step), 1

    def refused(self, turn: Turn, reply: Incoming, told: float | None) -> None:
        """Record a rate-limit rejection: nothing is sent until the stated time, and more slowly from then on."""
        now = asyncio.get_running_loop().time()
        self._learn(stated(reply), turn, now)
        self._open_at = max(self._open_at, now + (_SHORTEST_PAUSE if told is None else told))
        if turn.granted < self._refused_at:
            return  # sent before the last rejection was known: no new information
        self._trust *= _TRUST_LOST  # stated figures are rounded; a rejection shows in which direction
        if not self._buckets:
            self._slow_down(turn, self._open_at - now)
        self._refused_at, self._sent_by_then = now, self._requests_left

    def _slow_down(self, turn: Turn, pause: float) -> None:
        """Return to the rate known to pass. If it was rejected itself: a limit that saves up allows the average since the last
        rejection, one that saves nothing the average since then without the pause; try between the two."""
        if self._rate is None:
            self._rate = 1 / max(pause, _SHORTEST)
        elif 0 < turn.sound < turn.rate:
            self._rate, self._step = turn.sound, max(self._step / _FINER, _FINEST_STEP)
        else:
            passed = max(turn.requests_before - self._sent_by_then - 1, 1)
            elapsed = max(turn.granted - self._refused_at, _SHORTEST)
            fastest = min(passed / max(elapsed - self._paused, _SHORTEST), self._rate)
            self._rate = min(sqrt(passed / elapsed * fastest), self._rate * _LOWER)
        self._sound, self._paused = self._rate, pause
        self._hold = pause * self._rate / self._step

    def _learn(self, limits: tuple[Stated, ...], turn: Turn, now: float) -> None:
        """Providers count a request when it arrives, so their figures do not include requests sent after this one."""
        since = {"requests": self._requests_left - turn.requests_before, "tokens": self._tokens_left - turn.tokens_before}
        for limit in limits:
            known = self._buckets.get(limit.kind)
            least = min(limit.rate or inf, known.least * _TRUST_WON if known else inf)
            if least < inf:
                left = limit.left - since[limit.kind]
                self._buckets[limit.kind] = Bucket(limit.size, left, least * self._trust, turn.granted, least)
        if self._buckets:
            self._rate = None
            self._next_at = min(self._next_at, now)
