"""What the fault server's model says, in the two wire formats that it speaks, whole or as a stream of events."""

import json
import re
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(r"\w{1,6}|[^\w\s]|\s+")


def count(text: str) -> int:
    """The server's own tokeniser: deterministic, and never more tokens than bytes."""
    return len(_TOKEN.findall(text))


@dataclass(frozen=True, slots=True)
class Call:
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Says:
    """A reply. `finish` in OpenAI's words; `usage` None leaves it out, a pair puts those figures in place of the true ones."""

    text: str = "ok"
    calls: tuple[Call, ...] = ()
    finish: str = "stop"
    usage: tuple[int, int] | str | None = "true"
    refusal: str = ""

    def tokens(self) -> int:
        return max(1, count(self.text) + sum(count(call.arguments) + 4 for call in self.calls))


def figures(says: Says, tokens_in: int) -> tuple[int, int] | None:
    return (tokens_in, says.tokens()) if says.usage == "true" else says.usage  # type: ignore[return-value]


# --- OpenAI chat completions ---------------------------------------------------------------------------------------------------


def _openai_usage(says: Says, tokens_in: int) -> dict[str, Any]:
    pair = figures(says, tokens_in)
    if pair is None:
        return {}
    return {"usage": {"prompt_tokens": pair[0], "completion_tokens": pair[1], "total_tokens": sum(pair)}}


def _openai_calls(says: Says) -> list[dict[str, Any]]:
    return [{"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}} for c in says.calls]


def openai_body(says: Says, tokens_in: int, reply_id: str, model: str) -> bytes:
    message: dict[str, Any] = {"role": "assistant", "content": says.text or None}
    if says.calls:
        message["tool_calls"] = _openai_calls(says)
    if says.refusal:
        message["refusal"] = says.refusal
    finish = "tool_calls" if says.calls and says.finish == "stop" else says.finish
    body: dict[str, Any] = {"id": reply_id, "object": "chat.completion", "created": 1, "model": model, "provider": "x"}
    body["choices"] = [{"index": 0, "message": message, "finish_reason": finish, "native_finish_reason": finish}]
    return json.dumps(body | _openai_usage(says, tokens_in)).encode()


def _pieces(text: str) -> list[str]:
    return [text[i : i + 7] for i in range(0, len(text), 7)]


def openai_events(says: Says, tokens_in: int, reply_id: str, model: str) -> list[bytes]:
    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
        choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
        row = {"id": reply_id, "object": "chat.completion.chunk", "created": 1, "model": model, "choices": choices} | more
        return b"data: " + json.dumps(row).encode() + b"\n\n"

    rows = [chunk({"role": "assistant", "content": ""})]
    rows += [chunk({"content": piece}) for piece in _pieces(says.text)]
    if says.refusal:
        rows.append(chunk({"refusal": says.refusal}))
    for index, call in enumerate(_openai_calls(says)):
        rows.append(chunk({"tool_calls": [{"index": index, **call}]}))
    rows.append(chunk({}, "tool_calls" if says.calls and says.finish == "stop" else says.finish))
    usage = _openai_usage(says, tokens_in)
    if usage:
        rows.append(chunk({}, None, choices=[], **usage))
    return [*rows, b"data: [DONE]\n\n"]


# --- Anthropic messages --------------------------------------------------------------------------------------------------------

_STOPS = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal", "refusal": "refusal"}


def _anthropic_usage(says: Says, tokens_in: int) -> dict[str, Any]:
    pair = figures(says, tokens_in)
    return {} if pair is None else {"input_tokens": pair[0], "output_tokens": pair[1]}


def _anthropic_stop(says: Says) -> str:
    return "refusal" if says.refusal else "tool_use" if says.calls and says.finish == "stop" else _STOPS[says.finish]


def _blocks(says: Says) -> list[dict[str, Any]]:
    text = [{"type": "text", "text": says.text}] if says.text else []
    return [*text, *({"type": "tool_use", "id": c.id, "name": c.name, "input": json.loads(c.arguments)} for c in says.calls)]


def anthropic_body(says: Says, tokens_in: int, reply_id: str, model: str) -> bytes:
    body: dict[str, Any] = {"id": reply_id, "type": "message", "role": "assistant", "model": model, "content": _blocks(says)}
    body |= {"stop_reason": _anthropic_stop(says), "stop_sequence": None, "usage": _anthropic_usage(says, tokens_in)}
    return json.dumps(body).encode()


def anthropic_events(says: Says, tokens_in: int, reply_id: str, model: str) -> list[bytes]:
    def event(kind: str, **fields: Any) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind} | fields)}\n\n".encode()

    usage = _anthropic_usage(says, tokens_in)
    message = {"id": reply_id, "type": "message", "role": "assistant", "model": model, "content": [], "stop_reason": None}
    rows = [event("message_start", message=message | {"stop_sequence": None, "usage": usage and usage | {"output_tokens": 1}})]
    for index, block in enumerate(_blocks(says)):
        if block["type"] == "text":
            rows.append(event("content_block_start", index=index, content_block=block | {"text": ""}))
            deltas = [{"type": "text_delta", "text": piece} for piece in _pieces(block["text"])]
        else:
            rows.append(event("content_block_start", index=index, content_block=block | {"input": {}}))
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in _pieces(json.dumps(block["input"]))]
        rows += [event("content_block_delta", index=index, delta=delta) for delta in deltas]
        rows.append(event("content_block_stop", index=index))
    delta = {"stop_reason": _anthropic_stop(says), "stop_sequence": None}
    rows.append(event("message_delta", delta=delta, usage={"output_tokens": usage.get("output_tokens", 0)} if usage else {}))
    return [*rows, event("message_stop")]
