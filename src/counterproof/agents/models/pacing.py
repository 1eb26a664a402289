"""Paces requests: one pacer per provider and model, learning the limits from the provider's headers and rejections (F13).

Invariant: after a 429 nothing is sent before the stated time, and then requests leave one by one; a limit stated in headers
is respected without being hit; an unstated one is measured from the requests that passed, and then tried with rises that
must be able to earn what a rejection costs. The first requests leave slowly, so that not all agents hit a tight limit at
once. The retry policy handles rejected questions.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import inf, sqrt

from counterproof.agents.models.faults import FaultKind, WireFault
from counterproof.agents.models.limits import Stated, stated
from counterproof.agents.models.traffic import Incoming

MOST = 32
_FIRST_RATE = 2.4
"""Requests a second: 32 agents have all asked after 13 seconds, however slow the answers."""
_STEP, _LEAST_STEP, _MOST_STEP, _BOLDER = 0.1, 0.01, 0.3, 1.15
"""By what share the rate rises with each answer before the first rejection; the least and most share of a later rise; by what
the share grows with each rise that is not rejected."""
_REMEMBERED = 4000
_TRUST_LOST, _TRUST_WON = 0.9, 1.01
_SHORTEST_PAUSE, _LONGEST_PAUSE = 1.0, 5.0
"""For rejections that state no time."""
_SHORTEST, _MINUTE = 0.01, 60.0
_NOISE = 1.05
"""How much distances may differ on the way to the provider, while they still shrink with each request."""


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
    """One request. `tokens` is its expected use; the `…_before` fields count what had left by then, itself included."""

    tokens: float
    granted: float = 0.0
    requests_before: float = 0.0
    tokens_before: float = 0.0
    refused: bool = False


class Pacer:
    """Shared by all agents that ask one model."""

    def __init__(self, most: int = MOST, longest: float = inf) -> None:
        """A request that would have to wait longer than `longest` after a rejection is rejected."""
        self._longest = longest
        self._free = asyncio.Semaphore(most)
        self._door = asyncio.Lock()
        self._open_at = self._next_at = self._pause = 0.0
        self._rate, self._step = _FIRST_RATE, _STEP
        self._sound = self._cost = self._rise_at = 0.0
        """The rate before the last rise; the seconds a rejection costs, 0 before the first one; the time of the next rise."""
        self._turns: deque[Turn] = deque(maxlen=_REMEMBERED)
        """The requests to measure: those since a pause after which one passed."""
        self._buckets: dict[str, Bucket] = {}
        self._requests_left = 0.0
        self._tokens_left = 0.0
        self._scale = 1.0
        self._trust = 1.0

    @asynccontextmanager
    async def turn(self, tokens: int) -> AsyncGenerator[Turn]:
        """Wait for a turn. First come, first served."""
        async with self._free:
            async with self._door:
                turn = Turn(tokens * self._scale)
                await self._until_open(turn.tokens)
                self._take(turn)
            yield turn

    async def _until_open(self, tokens: float) -> None:
        loop = asyncio.get_running_loop()
        while (wait := self._wait(loop.time(), tokens)) > 0:
            told = self._open_at - loop.time()
            if told > self._longest:
                raise WireFault(FaultKind.RATE_LIMITED, "too many requests", retry_after=told)
            await asyncio.sleep(wait)

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
        self._turns.append(turn)
        for kind, bucket in self._buckets.items():
            bucket.level -= 1 if kind == "requests" else turn.tokens
        if not self._buckets:
            if self._cost and self._rise_at <= now < self._next_at + 1 / self._rate:
                self._sound, self._rate = self._rate, self._rate * (1 + self._step)
                self._step = max(self._step, min(self._step * _BOLDER, _MOST_STEP))
                self._rise_at = now + self._cost / self._step
            self._next_at = now + 1 / self._rate

    def measured(self, expected: int, actual: int) -> None:
        """Record a request's actual tokens: the next requests are expected to be similar."""
        self._scale += (actual / max(expected, 1) - self._scale) / 4

    def accepted(self, turn: Turn, reply: Incoming) -> None:
        """Record a success: follow the limits that the reply states, or raise the rate if no limit is known."""
        self._learn(stated(reply), turn, asyncio.get_running_loop().time())
        self._trust = min(1.0, self._trust * _TRUST_WON)
        if not self._cost and self._door.locked():  # locked: a request waits for this rate
            self._rate *= 1 + _STEP

    def refused(self, turn: Turn, reply: Incoming, told: float | None) -> None:
        """Record a rate-limit rejection: nothing is sent until the stated time, and more slowly from then on. A request sent
        before the pause adds to the measurement, and prolongs the pause only if it states a longer one."""
        now = asyncio.get_running_loop().time()
        turn.refused = True
        self._learn(stated(reply), turn, now)
        passed = [each.granted for each in self._turns if not each.refused and each.granted < turn.granted]
        last = max(passed, default=self._turns[0].granted)
        pause = told if told is not None else min(max(_SHORTEST_PAUSE, (turn.granted - last) / 4), _LONGEST_PAUSE)
        fresh = turn.granted >= self._open_at
        if fresh:
            self._trust *= _TRUST_LOST  # stated figures are rounded; a rejection shows in which direction
            while self._rate != self._sound and self._turns[0].granted < self._open_at <= last:
                self._turns.popleft()
        if fresh or pause > self._pause:
            self._pause, self._open_at, self._next_at = pause, now + pause, now + pause
        if not self._buckets:
            self._slow_down(fresh)
            self._cost = max(_SHORTEST_PAUSE, 1 / self._rate) + now - turn.granted
            self._rise_at = self._open_at + self._cost / self._step

    def _slow_down(self, fresh: bool) -> None:
        """Return to the rate before the last rise. Without a rise, or if that rate was rejected as well, measure the limit."""
        if fresh and 0 < self._sound < self._rate:
            self._rate, self._step = self._sound, max((self._rate / self._sound - 1) / 2, _LEAST_STEP)
        elif fresh or self._rate != self._sound:
            self._measure()
            self._sound = 0.0

    def _measure(self) -> None:
        """A limit on the distance between requests rejects only shorter distances than those that passed: keep the shortest that
        passed. Any other limit lets an average pass; more than a minute without any is an outage. The next rise goes half of
        the way to the rate that was rejected."""
        shortest, longest, last, passed = inf, _SHORTEST, -inf, 0
        for each in self._turns:
            distance = each.granted - last
            if each.refused:
                longest = max(longest, distance)
            else:
                shortest, last, passed = min(shortest, distance), each.granted, passed + 1
        if not passed:
            return
        noise = _NOISE if self._turns[0].requests_before == 1 else 1.0
        if longest < shortest * noise < inf:
            self._rate, least = 1 / max(shortest, longest), _LEAST_STEP
        else:
            average = passed / max(min(self._open_at, last + _MINUTE) - self._turns[0].granted, _SHORTEST)
            self._rate, least = max(average, self._rate / 4 if self._cost else 0.0), _STEP
        self._step = min(max(sqrt(1 / longest / self._rate) - 1, least), 1.0)

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
            self._next_at = min(self._next_at, now)
