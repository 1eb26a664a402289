"""Traces and metrics of a worker, for an OpenTelemetry collector. Off unless a worker is given the collector's address.

Always holds: nothing waits for the collector, and nothing fails with it: what it does not take is dropped and counted, and the
first failure is told. What can be said at all stands in `otlp`. Redirections are not followed: the address is the operator's.
"""

import json
import os
import threading
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from time import time_ns
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from counterproof import __version__
from counterproof.fleet import otlp
from counterproof.fleet.otlp import Part, Totals
from counterproof.fleet.queue import Queue
from counterproof.model.errors import CounterproofError, UserError
from counterproof.runtime.postgres.database import Database

HEADERS: Final = "OTEL_EXPORTER_OTLP_HEADERS"
"""The environment variable in which OpenTelemetry keeps a collector's credentials, as NAME=VALUE,…"""
PERIOD: Final = 15.0
_PATIENCE: Final = 5.0
_MOST: Final = 1_000


@dataclass
class Telemetry:
    """Collects a worker's parts in runs and sends them, inside its context. `collector` is what OTLP's paths are added to."""

    collector: str
    database: str
    worker: str
    tell: Any = print
    period: float = PERIOD
    _totals: Totals = field(default_factory=Totals)
    _parts: list[Part] = field(default_factory=list[Part])
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _over: threading.Event = field(default_factory=threading.Event)
    dropped: int = 0

    def __post_init__(self) -> None:
        parts = urlsplit(self.collector)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
            raise UserError(
                "--otlp takes an address such as https://collector.example.org:4318", f"credentials go into {HEADERS}"
            )
        self._headers = {"Content-Type": "application/json", **_given_headers()}
        self._opener = urllib.request.build_opener(_NoRedirects())
        self._thread = threading.Thread(target=self._send_now_and_then, name="telemetry", daemon=True)

    def __enter__(self) -> "Telemetry":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def ended(self, part: Part) -> None:
        """Take note of a part that has ended. Called by any thread; returns at once."""
        part.ended = part.ended or time_ns()
        with self._turn:
            self._totals.count(part)
            if len(self._parts) < _MOST:
                self._parts.append(part)
            else:
                self.dropped += 1

    def _send_now_and_then(self) -> None:
        with Database(self.database, patience=_PATIENCE, name="counterproof telemetry") as opened:
            over = False
            while not over:
                over = self._over.wait(self.period)
                self._send(Queue(opened))

    def _send(self, queue: Queue) -> None:
        resource = {
            "service.name": "counterproof", "service.version": __version__, "service.instance.id": self.worker
        }  # fmt: skip
        counts, purses = dict[str, int](), dict[str, int]()
        with suppress(CounterproofError):
            counts, purses = queue.counts(), {str(purse): int(used) for purse, used, *_ in queue.purses()}
        with self._turn:
            parts, self._parts = self._parts, []
            said = otlp.metrics(self._totals, counts, purses, resource)
        self._post("metrics", said, 0)
        if parts:
            self._post("traces", otlp.traces(parts, resource), len(parts))

    def _post(self, path: str, body: dict[str, Any], parts: int) -> None:
        request = urllib.request.Request(  # noqa: S310 (the scheme was checked)
            f"{self.collector.rstrip('/')}/v1/{path}", json.dumps(body).encode(), self._headers
        )
        try:
            with self._opener.open(request, timeout=_PATIENCE) as reply:
                reply.read(1)
        except urllib.error.HTTPError as error:
            error.close()
            self._drop(f"it answered {error.code}", parts)
        except (OSError, ValueError) as error:
            self._drop(type(error).__name__, parts)

    def _drop(self, why: str, parts: int) -> None:
        if not self.dropped:
            self.tell(f"the collector does not take traces or metrics: {why}; audits go on without")
        self.dropped += max(parts, 1)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        return None


def _given_headers() -> dict[str, str]:
    pairs = [each.partition("=") for each in os.environ.get(HEADERS, "").split(",")]
    return {name.strip(): unquote(value.strip()) for name, equals, value in pairs if equals}
