"""Checks that the bytes of a reply are a complete reply, before a provider's library parses them. Pure and bounded.

Invariant: a reply is complete only with its own end mark (a finish reason; for streams also the last event); a stream that
repeats or skips an event is incomplete; nesting is checked before any recursive parsing. Not handled here: the content of a
reply.
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


def judge(family: Family, body: bytes, streamed: bool) -> None:
    """Raises `WireFault` if the reply is truncated, unreadable, or an error in the form of a reply."""
    if streamed:
        _STREAMS[family](_events(body))
        return
    reply = _object(body)
    _raise_reported(reply, billed=False)
    if not _ENDS[family](reply):
        raise WireFault(FaultKind.CUT, "the reply does not say how it ended", billed=True)


def reply_id(body: bytes, streamed: bool) -> str:
    """The provider's id of a reply that `judge` accepted; '' if it has none."""
    first = _events(body)[0] if streamed else _object(body)
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


def _object(body: bytes | str) -> dict[str, Any]:
    try:
        text = body if isinstance(body, str) else body.decode("utf-8")
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


def _raise_reported(data: dict[str, Any], billed: bool) -> None:
    """Some providers report an overload inside a 200."""
    error = data.get("error")
    if not error:
        return
    said = json.dumps(error)[:300]
    lowered = said.lower()
    kind = FaultKind.OVERLOADED if "overload" in lowered or "capacity" in lowered else FaultKind.SERVER_ERROR
    kind = FaultKind.RATE_LIMITED if "rate_limit" in lowered or "429" in lowered else kind
    raise WireFault(kind, f"the reply reports an error: {said}", billed=billed)


# --- streams ---------------------------------------------------------------------------------------------------------------

_DONE: dict[str, Any] = {"[DONE]": True}


def _events(body: bytes) -> list[dict[str, Any]]:
    """The data of every event that ended with a blank line. Anything after the last blank line is truncated."""
    try:
        text = body.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise WireFault(FaultKind.CUT, "the stream is cut off inside a character", billed=True) from error
    blocks = text.split("\n\n")
    if blocks.pop().strip():
        raise WireFault(FaultKind.CUT, "the stream is cut off inside an event", billed=True)
    events: list[dict[str, Any]] = []
    previous = ""
    for block in blocks:
        data = "\n".join(line[5:].strip() for line in block.split("\n") if line.startswith("data:"))
        if not data:
            continue
        if data == previous:
            raise WireFault(FaultKind.MALFORMED, "the stream repeats an event", billed=True)
        previous = data
        events.append(_DONE if data == "[DONE]" else _object(data))
    if not events:
        raise WireFault(FaultKind.CUT, "the stream is empty", billed=True)
    return events


def _openai_stream(events: list[dict[str, Any]]) -> None:
    finished = False
    for number, event in enumerate(events):
        _raise_reported(event, billed=number > 0)
        finished = finished or bool(_first(event, "choices").get("finish_reason"))
    if events[-1] is not _DONE or any(event is _DONE for event in events[:-1]):
        raise WireFault(FaultKind.CUT, "the stream has no end mark", billed=True)
    if not finished:
        raise WireFault(FaultKind.CUT, "the stream does not say how it ended", billed=True)
    if len({event.get("id") for event in events[:-1]}) != 1:
        raise WireFault(FaultKind.FOREIGN, "the stream mixes replies", billed=True)


def _anthropic_stream(events: list[dict[str, Any]]) -> None:
    kinds = [str(event.get("type")) for event in events if event.get("type") != "ping"]
    for number, event in enumerate(events):
        _raise_reported(event, billed=number > 0)
    if kinds[-1:] != ["message_stop"] or kinds.count("message_stop") != 1:
        raise WireFault(FaultKind.CUT, "the stream has no end mark", billed=True)
    if kinds[0] != "message_start" or kinds.count("message_start") != 1:
        raise WireFault(FaultKind.MALFORMED, "the stream does not begin once", billed=True)
    _check_blocks(events)
    if not any(_delta(event).get("stop_reason") for event in events if event.get("type") == "message_delta"):
        raise WireFault(FaultKind.CUT, "the stream does not say how it ended", billed=True)


def _responses_stream(events: list[dict[str, Any]]) -> None:
    """Events are numbered without a gap, and the last one contains the whole response."""
    for number, event in enumerate(events):
        _raise_reported(event, billed=number > 0)
        _raise_reported(_whole(event), billed=True)
        if event.get("type") == "error":
            raise WireFault(FaultKind.SERVER_ERROR, f"the stream reports an error: {json.dumps(event)[:300]}", billed=number > 0)
        if event.get("sequence_number") != number:
            raise WireFault(FaultKind.MALFORMED, "the stream skips or repeats an event", billed=True)
    ends = [event for event in events if str(event.get("type")) in ("response.completed", "response.incomplete")]
    if ends != events[-1:] or _whole(events[-1]).get("status") not in _RESPONSE_ENDS:
        raise WireFault(FaultKind.CUT, "the stream has no end mark", billed=True)
    if len({_whole(event).get("id") for event in events if _whole(event)}) != 1:
        raise WireFault(FaultKind.FOREIGN, "the stream mixes replies", billed=True)


def _whole(event: dict[str, Any]) -> dict[str, Any]:
    found = event.get("response")
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _delta(event: dict[str, Any]) -> dict[str, Any]:
    found = event.get("delta")
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _check_blocks(events: list[dict[str, Any]]) -> None:
    """Content blocks open in order, one at a time, and close before the next."""
    opened = -1
    is_open = False
    for event in events:
        kind, index = event.get("type"), event.get("index")
        if kind == "content_block_start":
            fits = not is_open and index == opened + 1
            opened, is_open = opened + 1, True
        elif kind == "content_block_delta":
            fits = is_open and index == opened
        elif kind == "content_block_stop":
            fits = is_open and index == opened
            is_open = False
        else:
            continue
        if not fits:
            raise WireFault(FaultKind.MALFORMED, "the stream's parts are out of order", billed=True)
    if is_open:
        raise WireFault(FaultKind.CUT, "the stream ends inside a part", billed=True)


_STREAMS: dict[Family, Callable[[list[dict[str, Any]]], None]] = {
    Family.OPENAI: _openai_stream,
    Family.RESPONSES: _responses_stream,
    Family.ANTHROPIC: _anthropic_stream,
}
STREAMING = tuple(_STREAMS)
