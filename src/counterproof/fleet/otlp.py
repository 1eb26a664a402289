"""OTLP over HTTP as JSON: what an OpenTelemetry collector is sent, as plain data.

Always holds: only what this file names can be said of a run: ids, a worker's name, states, exit codes, numbers, times. It has no
field for a target, a finding or a text, so nothing of reviewed code can be in what is sent. Does not belong here: sending.
"""

import hashlib
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import time_ns
from typing import Any, Final

from counterproof.model.batch import Outcome

_INTERNAL, _CONSUMER, _OK, _ERROR, _CUMULATIVE = 1, 5, 1, 2, 2
BOUNDS: Final = (1.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1_800.0, 3_600.0)
"""Seconds that separate the buckets of a run's duration."""
DROPPED: Final = "dropped"
"""The state of a part that ended without being handed in: the run is another worker's by then, or will be."""


@dataclass
class Part:
    """One worker's part in a run, from taking it to handing it in."""

    run: str
    batch: str
    worker: str
    epoch: int
    began: int = field(default_factory=time_ns)
    ended: int = 0
    steps: list[tuple[str, int, int]] = field(default_factory=list[tuple[str, int, int]])
    state: str = DROPPED
    outcome: Outcome | None = None

    @contextmanager
    def step(self, name: str) -> Generator[None]:
        began = time_ns()
        try:
            yield
        finally:
            self.steps.append((name, began, time_ns()))

    @property
    def seconds(self) -> float:
        return (self.ended - self.began) / 1e9


def traces(parts: Iterable[Part], resource: Mapping[str, str]) -> dict[str, Any]:
    """A trace a run, whoever drives it: a span for each worker's part, and one in it for each step."""
    spans = [span for part in parts for span in _spans(part)]
    return {"resourceSpans": [{"resource": _resource(resource), "scopeSpans": [{"scope": _SCOPE, "spans": spans}]}]}


def _spans(part: Part) -> list[dict[str, Any]]:
    trace, mine = _hex(32, part.run), _hex(16, part.run, part.epoch)
    facts: dict[str, str | int | float] = {
        "counterproof.run": part.run, "counterproof.batch": part.batch, "counterproof.worker": part.worker,
        "counterproof.epoch": part.epoch, "counterproof.state": part.state,
    }  # fmt: skip
    if part.outcome:
        facts |= {"counterproof.exit_code": part.outcome.exit_code, "counterproof.tokens": part.outcome.cost.tokens}
    failed = part.state in ("failed", DROPPED)
    whole = {**_span(trace, mine, "run", part.began, part.ended), "kind": _CONSUMER, "attributes": _attributes(facts)}
    return [
        {**whole, "status": {"code": _ERROR if failed else _OK}},
        *(
            {**_span(trace, _hex(16, part.run, part.epoch, name), name, began, ended), "kind": _INTERNAL, "parentSpanId": mine}
            for name, began, ended in part.steps
        ),
    ]


def _span(trace: str, span: str, name: str, began: int, ended: int) -> dict[str, Any]:
    times = {"startTimeUnixNano": str(began), "endTimeUnixNano": str(ended)}
    return {"traceId": trace, "spanId": span, "name": f"counterproof {name}", **times}


def _hex(length: int, *parts: str | int) -> str:
    """The same for the same run on every machine, so that its parts meet in one trace."""
    return hashlib.sha256("\0".join(str(each) for each in parts).encode()).hexdigest()[:length]


@dataclass
class Totals:
    """What this worker has done since it started."""

    since: int = field(default_factory=time_ns)
    parts: dict[str, int] = field(default_factory=dict[str, int])
    seconds: float = 0.0
    buckets: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))

    def count(self, part: Part) -> None:
        self.parts[part.state] = self.parts.get(part.state, 0) + 1
        self.seconds += part.seconds
        self.buckets[sum(part.seconds > bound for bound in BOUNDS)] += 1


def metrics(totals: Totals, queue: Mapping[str, int], purses: Mapping[str, int], resource: Mapping[str, str]) -> dict[str, Any]:
    """This worker's totals, how many runs are in which state, and the tokens that each budget has used."""
    now = time_ns()
    lasting = {"startTimeUnixNano": str(totals.since), "timeUnixNano": str(now)}
    number = sum(totals.buckets)
    spread = {
        **lasting, "count": str(number), "sum": totals.seconds, "bucketCounts": [str(each) for each in totals.buckets],
        "explicitBounds": list(BOUNDS),
    }  # fmt: skip
    total = {"aggregationTemporality": _CUMULATIVE, "isMonotonic": True}
    handed = [{**_point("counterproof.state", state, count), **lasting} for state, count in totals.parts.items()]
    waiting = [{**_point("counterproof.state", state, count), "timeUnixNano": str(now)} for state, count in queue.items()]
    used = [{**_point("counterproof.budget", purse, count), "timeUnixNano": str(now)} for purse, count in purses.items()]
    found = [
        {"name": "counterproof.worker.runs", "unit": "{run}", "sum": {**total, "dataPoints": handed}},
        {
            "name": "counterproof.worker.run.duration", "unit": "s",
            "histogram": {"aggregationTemporality": _CUMULATIVE, "dataPoints": [spread] if number else []},
        },
        {"name": "counterproof.queue.runs", "unit": "{run}", "gauge": {"dataPoints": waiting}},
        {"name": "counterproof.budget.tokens", "unit": "{token}", "gauge": {"dataPoints": used}},
    ]  # fmt: skip
    return {"resourceMetrics": [{"resource": _resource(resource), "scopeMetrics": [{"scope": _SCOPE, "metrics": found}]}]}


_SCOPE: Final = {"name": "counterproof"}


def _point(key: str, value: str, count: int) -> dict[str, Any]:
    return {"attributes": _attributes({key: value}), "asInt": str(count)}


def _resource(facts: Mapping[str, str]) -> dict[str, Any]:
    return {"attributes": _attributes(facts)}


def _attributes(facts: Mapping[str, str | int | float]) -> list[dict[str, Any]]:
    return [
        {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": str(value)}}
        for key, value in facts.items()
    ]
