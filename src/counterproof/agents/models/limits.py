"""The rate limits that a provider states in the headers of its replies. Pure.

Invariant: a limit is used only if size, remainder and the time until it is full again are given and consistent; anything else
is ignored, since a header can be wrong or forged. The unit (a minute, a day) follows from the numbers.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from counterproof.agents.models.traffic import Incoming

_KINDS = ("requests", "tokens")
_SPAN = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_LONGEST = 86400.0


@dataclass(frozen=True, slots=True)
class Stated:
    """`left` of `size` are available; `rate` are restored each second (0 if nothing is missing)."""

    kind: str
    size: float
    left: float
    rate: float


def stated(reply: Incoming) -> tuple[Stated, ...]:
    """The limits on requests and tokens stated in this reply."""
    found = (_openai(reply, kind) or _anthropic(reply, kind) for kind in _KINDS)
    return tuple(each for each in found if each)


def _openai(reply: Incoming, kind: str) -> Stated | None:
    numbers = (reply.header(f"x-ratelimit-limit-{kind}"), reply.header(f"x-ratelimit-remaining-{kind}"))
    return _limit(kind, *numbers, _span(reply.header(f"x-ratelimit-reset-{kind}")))


def _anthropic(reply: Incoming, kind: str) -> Stated | None:
    names = [f"anthropic-ratelimit-{kind}-{part}" for part in ("limit", "remaining", "reset")]
    size, left, reset = (reply.header(name) for name in names)
    return _limit(kind, size, left, _until(reset, reply.header("date")))


def _limit(kind: str, size: str, left: str, reset: float | None) -> Stated | None:
    if not (size.isascii() and size.isdigit() and left.isascii() and left.isdigit()) or reset is None:
        return None
    if len(size) > 15 or len(left) > 15 or int(size) < 1 or int(left) > int(size) or not 0 <= reset <= _LONGEST:
        return None
    missing = int(size) - int(left)
    return Stated(kind, int(size), int(left), missing / reset if reset > 0 else 0.0)


def _span(text: str) -> float | None:
    """Parse `6m0s`, `120ms`, `1.5` as seconds."""
    try:
        return float(text) if len(text) < 20 else None
    except ValueError:
        parts = _SPAN.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    return sum(float(number) * _SECONDS[unit] for number, unit in parts)


def _until(reset: str, date: str) -> float | None:
    """Anthropic states a point in time; the reply's own date gives the distance."""
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, (datetime.fromisoformat(reset) - parsedate_to_datetime(date)).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
