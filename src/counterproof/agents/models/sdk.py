"""One small function per provider that creates its library's model object. Libraries are imported here, on demand.

Invariant: the library gets address and key from us and sends only through our bridge; it never retries, never looks for keys
or addresses itself and never asks a metadata service.
"""

from collections.abc import Callable
from typing import Any, cast

from pydantic_ai.models import Model

from counterproof.agents.models import bridge
from counterproof.agents.models.keys import Key

_NO_KEY = "no-key"


def _openai_client(url: str, key: Key) -> Any:
    from openai import AsyncOpenAI

    return AsyncOpenAI(
        api_key=key.secret or _NO_KEY,
        base_url=url,
        http_client=bridge.httpx2_client(),
        max_retries=0,
        organization="",
        project="",
    )


def _openai(model: str, url: str, key: Key) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    return OpenAIChatModel(model, provider=OpenAIProvider(openai_client=_openai_client(url, key)))


def _own_server(model: str, url: str, key: Key) -> Model:
    """One's own servers know the older name of the answer limit."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
    return OpenAIChatModel(model, provider=OpenAIProvider(openai_client=_openai_client(url, key)), profile=profile)


def _openai_responses(model: str, url: str, key: Key) -> Model:
    """Nothing is stored at the provider: every question carries the whole conversation."""
    from pydantic_ai.models.openai import OpenAIResponsesModel, OpenAIResponsesModelSettings
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(openai_client=_openai_client(url, key))
    return OpenAIResponsesModel(model, provider=provider, settings=OpenAIResponsesModelSettings(openai_store=False))


def _openrouter(model: str, url: str, key: Key) -> Model:
    from pydantic_ai.models.openrouter import OpenRouterModel
    from pydantic_ai.providers.openrouter import OpenRouterProvider

    return OpenRouterModel(model, provider=OpenRouterProvider(openai_client=_openai_client(url, key)))


def _anthropic(model: str, url: str, key: Key) -> Model:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(api_key=key.secret, base_url=url, http_client=bridge.httpx2_client(), max_retries=0, timeout=3600)
    return AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client))


def _google(model: str, url: str, key: Key) -> Model:
    """Uses the API version that has every field and model and that gateways route; the library's default changes."""
    from google.genai import Client
    from google.genai.types import HttpOptions, HttpRetryOptions
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    client, once = bridge.httpx2_client(), HttpRetryOptions(attempts=1)
    options = HttpOptions(base_url=url, api_version="v1beta", httpx_async_client=client, retry_options=once)
    return GoogleModel(model, provider=GoogleProvider(client=Client(vertexai=False, api_key=key.secret, http_options=options)))


def _groq(model: str, url: str, key: Key) -> Model:
    from groq import AsyncGroq
    from pydantic_ai.models.groq import GroqModel
    from pydantic_ai.providers.groq import GroqProvider

    client = AsyncGroq(api_key=key.secret, base_url=url, http_client=bridge.httpx_client(), max_retries=0)
    return GroqModel(model, provider=GroqProvider(groq_client=client))


def _mistral(model: str, url: str, key: Key) -> Model:
    from pydantic_ai.models.mistral import MistralModel
    from pydantic_ai.providers.mistral import MistralProvider

    return MistralModel(model, provider=MistralProvider(api_key=key.secret, base_url=url, http_client=bridge.httpx2_client()))


def _bedrock(model: str, url: str, key: Key) -> Model:
    """Credentials are passed explicitly, so that botocore asks no metadata service."""
    import boto3
    from botocore.config import Config
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    place = _region_in(url)
    if key.also:
        config = Config(retries={"total_max_attempts": 1}, proxies={}, ignore_configured_endpoint_urls=True)
        session = boto3.Session(key.secret, key.also[0], key.also[1] or None, region_name=place)
        client = cast("Any", session).client("bedrock-runtime", endpoint_url=url, config=config)
    else:
        provider: Any = BedrockProvider(api_key=key.secret, base_url=url, region_name=place)
        client = provider.client
    bridge.divert_botocore(client)
    return BedrockConverseModel(model, provider=BedrockProvider(bedrock_client=client))


def _region_in(url: str) -> str:
    parts = url.split("bedrock-runtime.")
    return parts[1].split(".")[0] if len(parts) == 2 else "us-east-1"


MAKERS: dict[str, Callable[[str, str, Key], Model]] = {
    "anthropic": _anthropic,
    "openai": _openai,
    "openai-responses": _openai_responses,
    "google": _google,
    "bedrock": _bedrock,
    "mistral": _mistral,
    "groq": _groq,
    "openrouter": _openrouter,
    "ollama": _own_server,
    "openai-compatible": _own_server,
}
