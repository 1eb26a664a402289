"""Rate limits as providers enforce them: buckets refilled evenly through the minute, windows, and requests in flight."""

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime


@dataclass(slots=True)
class _Bucket:
    per_minute: float
    size: float
    level: float
    at: float = 0.0

    def fill(self, now: float) -> None:
        if self.at:
            self.level = min(self.size, self.level + (now - self.at) * self.per_minute / 60)
        self.at = now

    def missing(self, amount: float) -> float:
        """Seconds until the amount is there."""
        return max(0.0, (amount - self.level) / self.per_minute * 60)


@dataclass(slots=True)
class Limiter:
    """`burst` is the share of a minute's allowance that may be used at once. `tells`: headers, retry-after, nothing."""

    requests: float
    tokens: float = 1e9
    burst: float = 1.0
    tells: str = "headers"
    _buckets: dict[str, _Bucket] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for kind, rate in (("requests", self.requests), ("tokens", self.tokens)):
            size = max(1.0, rate * self.burst)
            self._buckets[kind] = _Bucket(rate, size, size)

    def take(self, tokens: int, now: float) -> float:
        """0 if the request may pass; otherwise seconds until it could."""
        wanted = {"requests": 1.0, "tokens": float(tokens)}
        for bucket in self._buckets.values():
            bucket.fill(now)
        wait = max(bucket.missing(wanted[kind]) for kind, bucket in self._buckets.items())
        if wait > 0:
            return wait
        for kind, bucket in self._buckets.items():
            bucket.level -= wanted[kind]
        return 0.0

    def done(self) -> None:
        """An answer is complete."""

    def told(self, wait: float) -> dict[str, str]:
        return {} if self.tells == "nothing" else {"retry_after": str(math.ceil(wait))}

    def headers(self, wire: str, now: float, epoch: float) -> list[tuple[str, str]]:
        if self.tells != "headers":
            return []
        rows: list[tuple[str, str]] = []
        for kind, bucket in self._buckets.items():
            full = bucket.missing(bucket.size)
            left, size = str(int(bucket.level)), str(int(bucket.size))
            if wire == "anthropic":
                moment = datetime.fromtimestamp(epoch + now + full, UTC).isoformat()
                rows += [
                    (f"anthropic-ratelimit-{kind}-{name}", value)
                    for name, value in (("limit", size), ("remaining", left), ("reset", moment))
                ]
            else:
                rows += [
                    (f"x-ratelimit-{name}-{kind}", value)
                    for name, value in (("limit", size), ("remaining", left), ("reset", f"{full:.3f}s"))
                ]
        return rows


@dataclass(slots=True)
class Window(Limiter):
    """A count of requests in each `span` of seconds since the first request, or, if `sliding`, in the last `span`."""

    span: float = 60.0
    sliding: bool = False
    _passed: list[float] = field(default_factory=list)
    _first: float | None = None

    def take(self, tokens: int, now: float) -> float:
        self._first = now if self._first is None else self._first
        opened = now - self.span if self.sliding else now - (now - self._first) % self.span
        self._passed = [at for at in self._passed if at >= opened]
        if len(self._passed) >= max(1, int(self.requests * self.span / 60)):
            return (self._passed[0] if self.sliding else opened) + self.span - now
        self._passed.append(now)
        return 0.0


@dataclass(slots=True)
class AtOnce(Limiter):
    """`requests` is the number of requests in flight."""

    _flying: int = 0

    def take(self, tokens: int, now: float) -> float:
        if self._flying >= self.requests:
            return 0.5
        self._flying += 1
        return 0.0

    def done(self) -> None:
        self._flying -= 1
