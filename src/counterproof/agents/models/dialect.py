"""Translates questions to the provider library's types, and its replies back. The only module that knows its message types.

Invariant: nothing of a question is lost, and only what the provider needs is added; an answer states how it ended, and an
unclear end never counts as finished.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from pydantic_ai.messages import (
    CachePoint,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles.anthropic import ANTHROPIC_THINKING_BUDGET_MAP
from pydantic_ai.settings import ModelSettings, ThinkingLevel
from pydantic_ai.tools import ToolDefinition

from counterproof.agents.models.channel import Finish, Message, Question, ToolCall
from counterproof.agents.models.schemas import UNLIMITED, SchemaLimits, native_schema
from counterproof.model.budget import Usage


@dataclass(frozen=True, slots=True)
class Read:
    """A parsed reply, before it is charged. `usage` is None if the figures are impossible."""

    text: str
    calls: tuple[ToolCall, ...]
    finish: Finish
    usage: Usage | None
    model: str
    thoughts: str = ""


async def converse(model: Model, question: Question, limits: SchemaLimits = UNLIMITED) -> Read:
    """Ask through the library and convert its reply."""
    settings = ModelSettings(max_tokens=question.max_output)
    caches = bool(model.profile.get("supports_cache"))
    if caches:
        settings["cache"] = True
    if question.effort:
        settings["thinking"] = _thinking(model, question)
    parameters = _parameters(model, question, limits)
    if parameters.function_tools and question.hand_in:
        settings["tool_choice"] = "none"
    return read(await model.request(_messages(question, caches), settings, parameters))


def _thinking(model: Model, question: Question) -> ThinkingLevel:
    """The requested effort, limited by the length of the answer: thinking counts as answer, and Claude models with a thinking
    budget reject one that leaves nothing."""
    if question.effort == "none":
        return False
    asked = cast("ThinkingLevel", question.effort)
    if not _budgeted(model) or ANTHROPIC_THINKING_BUDGET_MAP[asked] < question.max_output:
        return asked
    budgets = [(most, level) for level, most in ANTHROPIC_THINKING_BUDGET_MAP.items() if level is not True]
    fitting = [each for each in budgets if each[0] < question.max_output]
    return cast("ThinkingLevel", max(fitting, key=lambda each: each[0])[1]) if fitting else False


def _budgeted(model: Model) -> bool:
    """True if the library converts the effort to a number of tokens; newer Claude models choose it themselves."""
    profile = model.profile
    claude = model.system == "anthropic" or profile.get("bedrock_thinking_variant") == "anthropic"
    adaptive = profile.get("anthropic_supports_adaptive_thinking") or profile.get("bedrock_supports_adaptive_thinking")
    return claude and not adaptive


def _messages(question: Question, caches: bool) -> list[ModelMessage]:
    """Consecutive messages from our side become one request, as providers expect. The end of the part shared by a role's tasks
    is marked for providers that need it; others get plain text, which every server understands."""
    rows: list[ModelMessage] = []
    waiting: list[ModelRequestPart] = [SystemPromptPart(question.system)] if question.system else []
    for number, message in enumerate(question.messages, 1):
        if message.role == "assistant":
            if waiting:
                rows.append(ModelRequest(waiting))
            waiting = []
            rows.append(ModelResponse(_said(message)))
        elif message.role == "tool":
            waiting.append(ToolReturnPart(message.tool, message.text, tool_call_id=message.call_id))
        else:
            marked = caches and number == question.stable
            waiting.append(UserPromptPart([message.text, CachePoint()] if marked else message.text))
    return [*rows, ModelRequest(waiting)] if waiting else rows


def _said(message: Message) -> list[ModelResponsePart]:
    thoughts: list[dict[str, Any]] = json.loads(message.thoughts) if message.thoughts else []
    parts: list[ModelResponsePart] = [ThinkingPart(**each) for each in thoughts]
    parts += [TextPart(message.text)] if message.text else []
    return [*parts, *(ToolCallPart(call.name, call.arguments, tool_call_id=call.id) for call in message.calls)]


class SchemaMode(StrEnum):
    """How a model is bound to the schema of the result."""

    NATIVE = "native"
    HAND_IN = "native, with the hand-in only"
    PROMPT = "in the prompt only"


def schema_mode(model: Model, limits: SchemaLimits) -> SchemaMode:
    """How this provider accepts the result's schema: together with tools, without them, or not at all."""
    if not limits.native or not model.profile.get("supports_json_schema_output"):
        return SchemaMode.PROMPT
    return SchemaMode.NATIVE if limits.beside_tools and _takes_both(model) else SchemaMode.HAND_IN


def enforces(model: Model, question: Question, limits: SchemaLimits) -> bool:
    """True if a question is sent with the schema of its result."""
    mode = schema_mode(model, limits)
    return bool(question.output) and (mode is SchemaMode.NATIVE or (mode is SchemaMode.HAND_IN and not question.may_call))


def _parameters(model: Model, question: Question, limits: SchemaLimits) -> ModelRequestParameters:
    """Tools, and the result's schema if this provider accepts it. A provider that accepts no schema together with tools gets
    it in the final turn; tools stay listed there if possible, because they are part of the cached prefix."""
    mode, enforced = schema_mode(model, limits), enforces(model, question, limits)
    listed = mode is not SchemaMode.HAND_IN or (limits.beside_listed and _takes_both(model))
    tools = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=json.loads(tool.schema))
        for tool in question.tools
        if listed or not enforced
    ]
    if not enforced:
        return ModelRequestParameters(function_tools=tools)
    schema = native_schema(question.output or "", limits)
    wanted = OutputObjectDefinition(json_schema=schema, name="result", strict=limits.strict)
    return ModelRequestParameters(function_tools=tools, output_mode="native", output_object=wanted)


def _takes_both(model: Model) -> bool:
    """Older Gemini models cannot be bound to a schema while tools are offered."""
    return not model.system.startswith("google") or bool(model.profile.get("google_supports_tool_combination"))


def read(response: ModelResponse) -> Read:
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    calls = tuple(
        ToolCall(part.tool_call_id, part.tool_name, _arguments(part)) for part in response.parts if isinstance(part, ToolCallPart)
    )
    ended = _finish(response, text, calls)
    return Read(text, calls, ended, _usage(response), response.model_name or "", _thoughts(response))


def _thoughts(response: ModelResponse) -> str:
    """The provider's signature of the model's thinking; some providers reject a tool conversation without it."""
    signed = [part for part in response.parts if isinstance(part, ThinkingPart) and part.signature]
    rows = [
        {"content": part.content, "id": part.id, "signature": part.signature, "provider_name": part.provider_name}
        for part in signed
    ]
    return json.dumps(rows, ensure_ascii=False) if rows else ""


def _arguments(part: ToolCallPart) -> str:
    """The text as the model wrote it, if the wire format preserves it."""
    return part.args if isinstance(part.args, str) else json.dumps(part.args or {}, ensure_ascii=False)


def _finish(response: ModelResponse, text: str, calls: tuple[ToolCall, ...]) -> Finish:
    details: dict[str, Any] = response.provider_details or {}
    reason = response.finish_reason
    if "refusal" in details or details.get("finish_reason") == "refusal":
        return Finish.REFUSED
    if reason == "content_filter":
        return Finish.FILTERED
    if reason == "length":
        return Finish.LENGTH
    if reason not in ("stop", "tool_call") or response.state != "complete":
        return Finish.CUT
    if calls:
        return Finish.TOOL_CALLS
    return Finish.STOP if text.strip() else Finish.EMPTY


def _usage(response: ModelResponse) -> Usage | None:
    found = response.usage
    figures = (found.input_tokens, found.output_tokens, found.cache_read_tokens, found.cache_write_tokens)
    if min(figures) < 0 or figures[2] + figures[3] > figures[0]:
        return None
    return Usage(*figures)
