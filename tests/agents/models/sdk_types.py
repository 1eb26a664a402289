"""True if a request is what a provider's own library says that it takes: its request types, walked over the JSON that was sent.

A field that the type does not have is an error, as is a required one that is missing.
"""

import types
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Required, TypedDict, Union, get_args, get_origin

from anthropic.types.message_create_params import MessageCreateParamsNonStreaming as AnthropicMessages
from groq.types.chat.completion_create_params import CompletionCreateParams as GroqChat
from mistralai.client.models import ChatCompletionRequest as MistralChat
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming as OpenAIChat
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming as OpenAIResponses
from pydantic import BaseModel
from typing_extensions import TypeAliasType, get_type_hints, is_typeddict

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what is wrong with its documentation is for its authors
    from google.genai import types as google


class GoogleContent(TypedDict, total=False):
    """A request to Google, of its library's types: the library has none for the whole."""

    contents: list[google.Content]
    systemInstruction: google.Content
    tools: list[google.Tool]
    toolConfig: google.ToolConfig
    generationConfig: google.GenerationConfig


SDK_TYPES: dict[str, Any] = {
    "anthropic": AnthropicMessages,
    "openai": OpenAIChat,
    "openai-responses": OpenAIResponses,
    "google": GoogleContent,
    "mistral": MistralChat,
    "groq": GroqChat,
    "openrouter": OpenAIChat,
    "ollama": OpenAIChat,
    "openai-compatible": OpenAIChat,
}
"""The type of a request, by provider. Bedrock's library brings its own check instead."""


def misfits(value: Any, kind: Any, at: str = "") -> list[str]:
    """What does not fit, each with its place; of a union the member that fits best counts."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind in (Any, object):
        return []
    if origin in (Annotated, Required, NotRequired):
        return misfits(value, inner[0], at)
    if isinstance(origin or kind, TypeAliasType):
        return misfits(value, origin.__value__[inner] if inner else kind.__value__, at)
    if origin in (Union, types.UnionType):
        return min((misfits(value, each, at) for each in inner), key=len)
    if origin is Literal:
        return [] if value in inner else [f"{at}: {value!r} is none of {inner}"]
    if origin in _LISTS:
        return _each(value, list, at, lambda: [m for n, each in enumerate(value) for m in misfits(each, inner[0], f"{at}[{n}]")])
    if origin in _MAPS or kind is dict:
        held = inner[1] if inner else Any
        return _each(value, dict, at, lambda: [m for name, each in value.items() for m in misfits(each, held, f"{at}.{name}")])
    if is_typeddict(kind) or (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return _each(value, dict, at, lambda: _record(value, kind, at))
    return [] if _plain(value, kind) else [f"{at}: {value!r} is no {kind}"]


_LISTS = (list, Iterable, Sequence, tuple)
_MAPS = (dict, Mapping)


def _each(value: Any, shape: type, at: str, inside: Callable[[], list[str]]) -> list[str]:
    return inside() if isinstance(value, shape) else [f"{at}: {value!r} is no {shape.__name__}"]


def _record(value: dict[str, Any], kind: Any, at: str) -> list[str]:
    fields, required = _fields(kind)
    missing = [f"{at}: {name} is missing" for name in sorted(required - value.keys())]
    unknown = [f"{at}: {name} is unknown" for name in value if name not in fields]
    return [*missing, *unknown, *(m for n, each in value.items() if n in fields for m in misfits(each, fields[n], f"{at}.{n}"))]


@cache
def _fields(kind: Any) -> tuple[dict[str, Any], set[str]]:
    if is_typeddict(kind):
        return get_type_hints(kind, include_extras=True), set(kind.__required_keys__)
    fields = {name: field.annotation for name, field in kind.model_fields.items()}
    named = {field.alias or name: field.annotation for name, field in kind.model_fields.items()}
    return fields | named, {field.alias or name for name, field in kind.model_fields.items() if field.is_required()}


def _plain(value: Any, kind: Any) -> bool:
    if kind is None or kind is type(None):
        return value is None
    if not isinstance(kind, type):
        return False
    if issubclass(kind, Enum):
        return isinstance(value, str)
    if issubclass(kind, bytes):
        return isinstance(value, str)  # base 64
    numbers = (int, float) if kind is float else kind
    return isinstance(value, numbers) and not (isinstance(value, bool) and kind is not bool)
