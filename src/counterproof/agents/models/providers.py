"""The table of providers, and the parser for model strings: `PROVIDER:MODEL`, or `PROVIDER:MODEL@URL` for one's own server.

Invariant: pure parsing; a provider is one row of the table. Not handled here: keys, libraries and connections.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from urllib.parse import urlsplit

from counterproof.agents.models.schemas import UNLIMITED, SchemaLimits
from counterproof.agents.models.tuning import USUAL, Tuning
from counterproof.agents.models.wire import Family
from counterproof.model.errors import UserError

LIMITS_OF = "2026-11-19"
"""The day on which these limits were read from the providers' documents, libraries and issue trackers."""
FRONTIER = Tuning(16_384, 65_536)
"""Models that think at length before they answer; thinking counts as answer."""
CLAUDE = Tuning(20_480, 32_000)
"""Thinking at effort `high` takes 16,384 tokens, and the older models answer with at most 32,000."""
LOCAL = Tuning(4_096, 16_384, window=32_000)
"""One's own servers, which often have a small window."""
GRAMMAR = SchemaLimits(optional=24, unions=16, bound=0)
"""The limits of Anthropic's schema compiler, wherever its models are served."""
OWN_SERVER = SchemaLimits(beside_tools=False, bound=1_999)
"""llama.cpp and Ollama fail on bounds from 2,000; with a schema vLLM and Ollama call no tools."""


class Caching(StrEnum):
    """Who marks the part of a question to cache."""

    MARKED = "marked by us"
    PROVIDER = "left to the provider"


@dataclass(frozen=True, slots=True)
class Provider:
    """One row. `keys` are environment variables in order of preference; `address` is the variable that overrides `url`;
    `prices` is the provider's name in the price data; `tuning` is the default for its models; `schema` what it accepts of an
    answer's schema."""

    name: str
    family: Family
    keys: tuple[str, ...]
    url: str = ""
    address: str = ""
    key_required: bool = True
    prices: str = ""
    tuning: Tuning = USUAL
    schema: SchemaLimits = UNLIMITED
    caching: Caching = Caching.PROVIDER


_OPENAI = Provider(
    "openai", Family.OPENAI, ("OPENAI_API_KEY",), "https://api.openai.com/v1", "OPENAI_BASE_URL",
    prices="openai", tuning=FRONTIER, schema=SchemaLimits(depth=10),
)  # fmt: skip
_OWN = Provider(
    "openai-compatible", Family.OPENAI, ("OPENAI_COMPATIBLE_API_KEY",), key_required=False, tuning=LOCAL, schema=OWN_SERVER
)
PROVIDERS = (
    Provider(
        "anthropic", Family.ANTHROPIC, ("ANTHROPIC_API_KEY",), "https://api.anthropic.com", "ANTHROPIC_BASE_URL",
        prices="anthropic", tuning=CLAUDE, schema=replace(GRAMMAR, strict=True), caching=Caching.MARKED,
    ),
    _OPENAI,
    replace(_OPENAI, name="openai-responses", family=Family.RESPONSES),
    Provider(
        "google", Family.GOOGLE, ("GOOGLE_API_KEY", "GEMINI_API_KEY"), "https://generativelanguage.googleapis.com",
        prices="google", tuning=FRONTIER, schema=SchemaLimits(bound=0),
    ),
    Provider(
        "bedrock", Family.BEDROCK, ("AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID"),
        "https://bedrock-runtime.{region}.amazonaws.com", prices="aws", tuning=Tuning(8_192, 32_000), schema=GRAMMAR,
        caching=Caching.MARKED,
    ),
    Provider(
        "mistral", Family.OPENAI, ("MISTRAL_API_KEY",), "https://api.mistral.ai",
        prices="mistral", schema=SchemaLimits(native=False),
    ),
    Provider(
        "groq", Family.OPENAI, ("GROQ_API_KEY",), "https://api.groq.com", "GROQ_BASE_URL",
        prices="groq", schema=SchemaLimits(beside_tools=False, beside_listed=False),
    ),
    Provider(
        "openrouter", Family.OPENAI, ("OPENROUTER_API_KEY",), "https://openrouter.ai/api/v1",
        prices="openrouter", schema=replace(GRAMMAR, beside_tools=False, beside_listed=False), caching=Caching.MARKED,
    ),
    replace(_OWN, name="ollama", keys=("OLLAMA_API_KEY",), url="http://127.0.0.1:11434/v1", address="OLLAMA_BASE_URL"),
    _OWN,
)  # fmt: skip
NAMES = tuple(provider.name for provider in PROVIDERS)

_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}")
_REGION = re.compile(r"[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-[0-9]")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class ModelName:
    """A parsed model string. `url` is '' unless the string names a server."""

    provider: Provider
    model: str
    url: str = ""

    def __str__(self) -> str:
        return f"{self.provider.name}:{self.model}" + (f"@{self.url}" if self.url else "")


def parse_model(text: str) -> ModelName:
    """Raises `UserError` if the text names no model."""
    name, colon, rest = text.strip().partition(":")
    provider = next((each for each in PROVIDERS if each.name == name), None)
    if not colon or provider is None:
        raise UserError(f"{text!r} does not name a known provider", f"write PROVIDER:MODEL with one of {', '.join(NAMES)}")
    model, _, url = _split(rest)
    if not _MODEL.fullmatch(model):
        raise UserError(f"{text!r} does not name a model", f"write {name}:MODEL, with the name that the provider documents")
    if not url and not provider.url:
        raise UserError(
            f"{text!r} does not name a server", f"write {name}:MODEL@URL, for example {name}:{model}@http://127.0.0.1:8000/v1"
        )
    return ModelName(provider, model, _checked_url(url) if url else "")


def _split(rest: str) -> tuple[str, str, str]:
    """A model's name may contain an @ of its own; an address starts with its scheme."""
    places = [place for place in (rest.find("@http://"), rest.find("@https://")) if place >= 0]
    return (rest[: min(places)], "@", rest[min(places) + 1 :]) if places else (rest, "", "")


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        fits = (
            bool(parts.hostname) and not (parts.query or parts.fragment or parts.username or parts.password) and parts.port != 0
        )
    except ValueError:
        fits = False
    if not fits or any(character.isspace() for character in url):
        raise UserError(f"{url!r} is not a server address", "write http(s)://HOST[:PORT]/PATH without a user, query or fragment")
    return url.rstrip("/")


def server_of(name: ModelName, environment: Mapping[str, str]) -> str:
    """The server address: from the model string, the user's own environment, or the provider's default."""
    if name.url:
        return name.url
    moved = environment.get(name.provider.address, "") if name.provider.address else ""
    if moved:
        return _checked_url(moved)
    if "{region}" in name.provider.url:
        return name.provider.url.format(region=region(environment))
    return name.provider.url


def region(environment: Mapping[str, str]) -> str:
    found = environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or ""
    if not _REGION.fullmatch(found):
        raise UserError("bedrock needs to know the region", "set AWS_REGION, for example to eu-central-1")
    return found


def in_the_clear(url: str) -> bool:
    """True if a key sent there would be unencrypted."""
    parts = urlsplit(url)
    return parts.scheme == "http" and (parts.hostname or "") not in _LOOPBACK
