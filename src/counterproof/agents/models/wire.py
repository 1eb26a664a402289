"""Checks that the bytes of a reply are a complete reply, before a provider's library parses them. Pure and bounded.

Invariant: a reply is complete only with its own end mark, a finish reason; event streams are not asked for and are no reply;
nesting is checked before recursive parsing. Not handled here: the content of a reply.
"""

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Any, cast

from counterproof.agents.models.faults import FaultKind, WireFault

MAX_DEPTH = 64


class Family(StrEnum):
    """Wire formats. Mistral, Groq, OpenRouter and Ollama use the first."""

    OPENAI = "openai chat completions"
    RESPONSES = "openai responses"
    ANTHROPIC = "anthropic messages"
    GOOGLE = "google generate content"
    BEDROCK = "bedrock converse"


def judge(family: Family, body: bytes) -> None:
    """Raises `WireFault` if the reply is truncated, unreadable, or an error in the form of a reply."""
    reply = _object(body)
    _raise_reported(reply)
    if not _ENDS[family](reply):
        raise WireFault(FaultKind.CUT, "the reply does not say how it ended", billed=True)


def reply_id(body: bytes) -> str:
    """The provider's id of a reply that `judge` accepted; '' if it has none."""
    first = _object(body)
    inner = first.get("message") or first.get("response")
    holder = cast("dict[str, Any]", inner) if isinstance(inner, dict) else first
    found = holder.get("id") or holder.get("responseId")
    return found if isinstance(found, str) else ""


def depth_within(text: str, limit: int = MAX_DEPTH) -> bool:
    """True if brackets outside strings nest no deeper than the limit; one pass, no recursion."""
    depth = 0
    inside = escaped = False
    for character in text:
        if inside:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                inside = False
        elif character == '"':
            inside = True
        elif character in "[{":
            depth += 1
            if depth > limit:
                return False
        elif character in "]}":
            depth -= 1
    return True


def _object(body: bytes) -> dict[str, Any]:
    try:
        text = body.decode("utf-8")
        if not depth_within(text):
            raise WireFault(FaultKind.MALFORMED, f"the reply nests deeper than {MAX_DEPTH} levels", billed=True)
        data: Any = json.loads(text, parse_constant=_no_constant)
    except ValueError as error:
        raise WireFault(FaultKind.MALFORMED, "the reply is not JSON, or cut off", billed=True) from error
    if not isinstance(data, dict):
        raise WireFault(FaultKind.MALFORMED, "the reply is not a JSON object", billed=True)
    return cast("dict[str, Any]", data)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _first(data: dict[str, Any], key: str) -> dict[str, Any]:
    items = data.get(key)
    first: Any = cast("list[Any]", items)[0] if isinstance(items, list) and items else None
    return cast("dict[str, Any]", first) if isinstance(first, dict) else {}


def _google_ended(reply: dict[str, Any]) -> bool:
    feedback = reply.get("promptFeedback")
    blocked = isinstance(feedback, dict) and "blockReason" in cast("dict[str, Any]", feedback)
    return blocked or bool(_first(reply, "candidates").get("finishReason"))


_RESPONSE_ENDS = ("completed", "incomplete")
"""The final statuses of a readable response. A failed one reports an error, and other statuses are not final."""

_ENDS: dict[Family, Callable[[dict[str, Any]], bool]] = {
    Family.OPENAI: lambda reply: bool(_first(reply, "choices").get("finish_reason")),
    Family.RESPONSES: lambda reply: reply.get("status") in _RESPONSE_ENDS,
    Family.ANTHROPIC: lambda reply: bool(reply.get("stop_reason")),
    Family.GOOGLE: _google_ended,
    Family.BEDROCK: lambda reply: bool(reply.get("stopReason")),
}


def _raise_reported(data: dict[str, Any]) -> None:
    """Some providers report an overload inside a 200."""
    error = data.get("error")
    if not error:
        return
    said = json.dumps(error)[:300]
    lowered = said.lower()
    kind = FaultKind.OVERLOADED if "overload" in lowered or "capacity" in lowered else FaultKind.SERVER_ERROR
    kind = FaultKind.RATE_LIMITED if "rate_limit" in lowered or "429" in lowered else kind
    raise WireFault(kind, f"the reply reports an error: {said}")
