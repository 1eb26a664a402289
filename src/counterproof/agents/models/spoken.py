"""Shows what a model said in a stored reply: its words and its calls, for every wire format.

Invariant: total and bounded; unreadable content is reported as such. For display only: the channel parses replies through the
provider's library.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from counterproof.agents.models.channel import Answer
from counterproof.agents.models.parsing import Malformed, parse
from counterproof.agents.models.replies import opened
from counterproof.agents.models.wire import depth_within
from counterproof.model.errors import JournalError

MAX_SHOWN = 10
MAX_TEXT = 300


@dataclass(frozen=True, slots=True)
class Spoken:
    """`calls` are names with their arguments as written."""

    text: str
    calls: tuple[tuple[str, str], ...] = ()


def taken(raw: bytes) -> tuple[int, int] | None:
    """The input tokens charged for a stored reply, and how many of them came from a cache; None if it does not say."""
    body = _body(raw)
    usage = _dict(body.get("usage") or body.get("usageMetadata"))
    details = _dict(usage.get("prompt_tokens_details") or usage.get("input_tokens_details"))
    cached = _number(details, "cached_tokens") + _number(
        usage, "cache_read_input_tokens", "cacheReadInputTokens", "cachedContentTokenCount"
    )
    beside = _number(usage, "cache_read_input_tokens") + _number(usage, "cache_creation_input_tokens")
    tokens = _number(usage, "prompt_tokens", "input_tokens", "promptTokenCount", "inputTokens") + beside
    return (tokens, cached) if 0 <= cached <= tokens and tokens else None


def _number(fields: dict[str, Any], *names: str) -> int:
    return next((value for name in names if isinstance(value := fields.get(name), int) and value > 0), 0)


def _body(raw: bytes) -> dict[str, Any]:
    """The JSON object of a stored reply; empty for unreadable content."""
    try:
        text = opened(raw).body.decode("utf-8", "replace")
        return _dict(json.loads(text)) if depth_within(text) else {}
    except (JournalError, ValueError):
        return {}


def spoken(raw: bytes) -> Spoken:
    """The words and calls of a stored reply."""
    body = _body(raw)
    if not body:
        return Spoken("(a reply in a form that is not shown here)")
    parts = list(_parts(body))
    words = " ".join(value for name, value in parts if not name)
    return Spoken(words, tuple((name, value) for name, value in parts if name))


def _parts(body: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Texts under '' and calls under their names, for all formats."""
    for choice in _dicts(body.get("choices")):
        message = _dict(choice.get("message"))
        yield from _text(message.get("content"))
        yield from _text(message.get("refusal"))
        for call in _dicts(message.get("tool_calls")):
            yield _call(_dict(call.get("function")), "arguments")
    for item in _dicts(body.get("output")):
        if item.get("type") == "function_call":
            yield _call(item, "arguments")
        yield from _blocks(item.get("content"))
    yield from _blocks(body.get("content"))
    for candidate in _dicts(body.get("candidates")):
        yield from _blocks(_dict(candidate.get("content")).get("parts"))
    yield from _blocks(_dict(_dict(body.get("output")).get("message")).get("content"))


def _blocks(value: Any) -> Iterator[tuple[str, str]]:
    for block in _dicts(value):
        yield from _text(block.get("text") or block.get("refusal"))
        for key, field in (("toolUse", "input"), ("functionCall", "args")):
            if key in block:
                yield _call(_dict(block[key]), field)
        if block.get("type") == "tool_use":
            yield _call(block, "input")


def _call(call: dict[str, Any], field: str) -> tuple[str, str]:
    arguments = call.get(field)
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, sort_keys=True)
    return str(call.get("name") or "a tool"), written


def _text(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str) and value.strip():
        yield "", value


def _dict(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [_dict(each) for each in cast("list[Any]", value)] if isinstance(value, list) else []


def told(said: Spoken) -> list[str]:
    """A turn as lines: the calls, or the submitted result."""
    if said.calls:
        return _calls(said.calls)
    try:
        fields = parse(said.text).fields
    except Malformed:
        return [f"says {_short(said.text)}"]
    lines = [
        f"hands in {len(found)} {name}" for name in ("findings", "judgements", "hits") if (found := _dicts(fields.get(name)))
    ]
    for finding in _dicts(fields.get("findings"))[:MAX_SHOWN]:
        place = f"{finding.get('file')}:{finding.get('start')}"
        lines.append(f"  {finding.get('severity')} CWE-{finding.get('cwe')} {place} {_short(str(finding.get('title')))}")
    for judgement in _dicts(fields.get("judgements"))[:MAX_SHOWN]:
        lines.append(f"  {judgement.get('claim')} {judgement.get('verdict')}")
    return lines or ["hands in that nothing was found" if fields.get("nothing_found") else f"says {_short(said.text)}"]


def doing(answer: Answer) -> str:
    """The model's action in this answer, in one line."""
    if answer.calls:
        return "; ".join(_calls(tuple((call.name, call.arguments) for call in answer.calls)))[:160]
    return "hands in" if answer.finish.complete else f"answers, {answer.finish.value}"


def _calls(calls: tuple[tuple[str, str], ...]) -> list[str]:
    """Calls of one tool share a line."""
    names = dict.fromkeys(name for name, _ in calls)
    return [f"calls {each} " + _short(", ".join(_argument(written) for name, written in calls if name == each)) for each in names]


def _argument(written: str) -> str:
    """A call with a single argument is shown with its value only."""
    try:
        given: Any = json.loads(written)
    except (ValueError, RecursionError):
        return written
    values = list(_dict(given).values())
    return str(values[0]) if len(values) == 1 and isinstance(values[0], str | int) else written


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_TEXT else f"{flat[:MAX_TEXT]}… ({len(flat) - MAX_TEXT} more characters)"
