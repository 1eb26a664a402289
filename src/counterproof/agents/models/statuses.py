"""Interprets a provider's status: rate limit, spend limit, overload, an error of ours. Pure.

Invariant: only a 2xx is a reply. Both spend limits and rate limits arrive as 429; the provider's text distinguishes them. Of
an error body only one bounded line is shown.
"""

import json
from email.utils import parsedate_to_datetime
from typing import Any, cast

from counterproof.agents.models.faults import FaultKind, WireFault
from counterproof.agents.models.traffic import Incoming

_SPENT = (
    "insufficient_quota", "billing", "credit balance", "insufficient credits", "insufficient balance", "spend limit",
    "spending limit", "exceeded your current quota", "monthly limit", "usage limits", "budget has been exceeded",
)  # fmt: skip
_SPENT_OR_SLOW = ("credit", "spend", "payment", "prepaid")
"""Words that indicate a limit on money or on rate, nothing else."""
_TOO_LONG = (
    "context_length", "context length", "context window", "context size", "maximum context", "prompt is too long",
    "input is too long", "too many tokens", "exceeds the maximum number of tokens",
)  # fmt: skip
_SCHEMA = ("schema", "grammar", "response_format", "output_config", "output_format", "structured output")
_KINDS = {
    401: FaultKind.UNAUTHORISED,
    402: FaultKind.SPEND_LIMIT,
    403: FaultKind.UNAUTHORISED,
    404: FaultKind.NOT_FOUND,
    408: FaultKind.TIMED_OUT,
    409: FaultKind.SERVER_ERROR,
    413: FaultKind.QUESTION_TOO_LARGE,
    425: FaultKind.OVERLOADED,
    429: FaultKind.RATE_LIMITED,
    503: FaultKind.OVERLOADED,
    529: FaultKind.OVERLOADED,
}
_MAY_BE_SPENT = {400: _SPENT, 402: _SPENT, 403: _SPENT, 429: (*_SPENT, *_SPENT_OR_SLOW)}
MAX_ERROR_BYTES = 64 * 1024


def fault_of(reply: Incoming, now: float) -> WireFault | None:
    """Why this reply is an error; None for a 2xx. `now` is the time of day in seconds, for replies without a `Date` header."""
    if 200 <= reply.status < 300:
        return None
    said = error_text(reply.body)
    message = f"status {reply.status}" + (f": {said}" if said else "")
    if 300 <= reply.status < 400:
        return WireFault(FaultKind.BAD_REQUEST, f"{message}: redirected, which is not followed")
    if any(word in _lowered(reply.body) for word in _MAY_BE_SPENT.get(reply.status, ())):
        return WireFault(FaultKind.SPEND_LIMIT, message)
    if reply.status in (400, 422):
        return WireFault(_refused(_lowered(reply.body)), message)
    default = FaultKind.SERVER_ERROR if reply.status >= 500 else FaultKind.BAD_REQUEST
    return WireFault(_KINDS.get(reply.status, default), message, retry_after=retry_after(reply, now))


def _refused(said: str) -> FaultKind:
    """Why a request was rejected, from the provider's text: both causes arrive as a plain 400."""
    if any(word in said for word in _TOO_LONG):
        return FaultKind.TOO_LONG
    return FaultKind.SCHEMA_REFUSED if any(word in said for word in _SCHEMA) else FaultKind.BAD_REQUEST


def retry_after(reply: Incoming, now: float) -> float | None:
    """Seconds to wait, stated in seconds, milliseconds or as a date, the longest if stated twice; None if nothing usable is
    stated."""
    here = _date(reply.header("date"))
    named = [(name.lower(), value.strip()) for name, value in reply.headers]
    waits = [_number(value) for name, value in named if name == "retry-after"]
    dates = [_date(value) for name, value in named if name == "retry-after"]
    small = [_number(value) for name, value in named if name == "retry-after-ms"]
    told = [each for each in waits if each is not None] + [each / 1000 for each in small if each is not None]
    return max([*told, *(max(0.0, each - (now if here is None else here)) for each in dates if each is not None)], default=None)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _lowered(body: bytes) -> str:
    return body[:MAX_ERROR_BYTES].decode("utf-8", "replace").lower()


def error_text(body: bytes) -> str:
    """The provider's own sentence, on one bounded line."""
    try:
        data: Any = json.loads(body[:MAX_ERROR_BYTES])
    except (ValueError, RecursionError):
        return ""
    for _ in range(3):
        if not isinstance(data, dict):
            break
        holder = cast("dict[str, Any]", data)
        data = holder.get("error") or holder.get("message") or holder.get("detail")
    return " ".join(data.split())[:300] if isinstance(data, str) else ""
