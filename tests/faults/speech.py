"""The replies of the fault server's model, in its three wire formats."""

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
    """A reply. `finish` in OpenAI's words; `usage` None leaves it out, a pair puts those figures in place of the true ones.
    `cached` and `stored` tokens of the input were read from a cache and written to it."""

    text: str = "ok"
    calls: tuple[Call, ...] = ()
    finish: str = "stop"
    usage: tuple[int, int] | str | None = "true"
    refusal: str = ""
    thought: str = ""
    cached: int = 0
    stored: int = 0

    def tokens(self) -> int:
        return max(1, count(self.text) + sum(count(call.arguments) + 4 for call in self.calls))


def figures(says: Says, tokens_in: int) -> tuple[int, int] | None:
    return (tokens_in, says.tokens()) if says.usage == "true" else says.usage  # type: ignore[return-value]


# --- OpenAI chat completions ---------------------------------------------------------------------------------------------------


def _openai_usage(says: Says, tokens_in: int) -> dict[str, Any]:
    pair = figures(says, tokens_in)
    if pair is None:
        return {}
    cached = {"prompt_tokens_details": {"cached_tokens": says.cached}} if says.cached else {}
    return {"usage": {"prompt_tokens": pair[0], "completion_tokens": pair[1], "total_tokens": sum(pair), **cached}}


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


# --- Anthropic messages --------------------------------------------------------------------------------------------------------

_STOPS = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal", "refusal": "refusal"}


def _anthropic_usage(says: Says, tokens_in: int) -> dict[str, Any]:
    pair = figures(says, tokens_in)
    if pair is None:
        return {}
    cached = {"cache_read_input_tokens": says.cached, "cache_creation_input_tokens": says.stored}
    return {"input_tokens": pair[0] - says.cached - says.stored, "output_tokens": pair[1], **cached}


def _anthropic_stop(says: Says) -> str:
    return "refusal" if says.refusal else "tool_use" if says.calls and says.finish == "stop" else _STOPS[says.finish]


def _blocks(says: Says) -> list[dict[str, Any]]:
    text: list[dict[str, Any]] = [{"type": "text", "text": says.text}] if says.text else []
    if says.thought:
        text.insert(0, {"type": "thinking", "thinking": says.thought, "signature": "signed"})
    return [*text, *({"type": "tool_use", "id": c.id, "name": c.name, "input": json.loads(c.arguments)} for c in says.calls)]


def anthropic_body(says: Says, tokens_in: int, reply_id: str, model: str) -> bytes:
    body: dict[str, Any] = {"id": reply_id, "type": "message", "role": "assistant", "model": model, "content": _blocks(says)}
    body |= {"stop_reason": _anthropic_stop(says), "stop_sequence": None, "usage": _anthropic_usage(says, tokens_in)}
    return json.dumps(body).encode()


# --- OpenAI responses ----------------------------------------------------------------------------------------------------------

_INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}


def _items(says: Says) -> list[dict[str, Any]]:
    part = {"type": "refusal", "refusal": says.refusal} if says.refusal else {"type": "output_text", "text": says.text}
    content = [part | ({} if says.refusal else {"annotations": []})] if says.text or says.refusal else []
    spoken = [{"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": content}]
    calls = [
        {
            "id": f"fc_{n}",
            "type": "function_call",
            "call_id": c.id,
            "name": c.name,
            "arguments": c.arguments,
            "status": "completed",
        }
        for n, c in enumerate(says.calls)
    ]
    return [*(spoken if content else []), *calls]


def _response(says: Says, tokens_in: int, reply_id: str, model: str) -> dict[str, Any]:
    why = _INCOMPLETE.get(says.finish)
    pair = figures(says, tokens_in)
    usage = pair and {
        "input_tokens": pair[0], "output_tokens": pair[1], "total_tokens": sum(pair),
        "input_tokens_details": {"cached_tokens": says.cached}, "output_tokens_details": {"reasoning_tokens": 0},
    }  # fmt: skip
    return {
        "id": reply_id, "object": "response", "created_at": 1, "model": model, "error": None, "output": _items(says),
        "status": "incomplete" if why else "completed", "incomplete_details": {"reason": why} if why else None, "usage": usage,
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "instructions": None, "metadata": {},
    }  # fmt: skip


def responses_body(says: Says, tokens_in: int, reply_id: str, model: str) -> bytes:
    return json.dumps(_response(says, tokens_in, reply_id, model)).encode()
