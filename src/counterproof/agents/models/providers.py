"""Which providers there are, and what a model string means: `PROVIDER:MODEL`, or `PROVIDER:MODEL@URL` for a server of one's own.

Invariant: pure parsing; a provider is one row of the table. Keys, libraries and connections stand elsewhere.
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
"""The day on which the limits in this table were read from the providers' documents, libraries and issue trackers."""
FRONTIER = Tuning(16_384, 65_536)
"""Models that think at length before they answer, which counts as answer."""
CLAUDE = Tuning(20_480, 32_000)
"""A budget for thinking at effort `high` is 16,384 tokens, and the older models answer in 32,000 at most."""
LOCAL = Tuning(4_096, 16_384, window=32_000)
"""Servers of one's own, which often have a small window."""
GRAMMAR = SchemaLimits(optional=24, unions=16, bound=0)
"""What Anthropic compiles, wherever its models are served."""
OWN_SERVER = SchemaLimits(beside_tools=False, bound=1_999)
"""llama.cpp and Ollama fail on a bound of 2,000 and more; beside a schema vLLM and Ollama call no tool."""


class Caching(StrEnum):
    """Who says which beginning of a question is worth keeping."""

    MARKED = "marked by us"
    PROVIDER = "left to the provider"


@dataclass(frozen=True, slots=True)
class Provider:
    """One row. `keys` are environment variables in order of preference; `address` is the variable that moves `url` elsewhere;
    `prices` is the provider's name in the price data; `tuning` how its models are asked unless the user says otherwise;
    `schema` what it takes of the schema of an answer.
    """

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
    """A model string, understood. `url` is '' unless the string names a server."""

    provider: Provider
    model: str
    url: str = ""

    def __str__(self) -> str:
        return f"{self.provider.name}:{self.model}" + (f"@{self.url}" if self.url else "")


def parse_model(text: str) -> ModelName:
    """Raises `UserError` for what names no model."""
    name, colon, rest = text.strip().partition(":")
    provider = next((each for each in PROVIDERS if each.name == name), None)
    if not colon or provider is None:
        raise UserError(f"{text!r} names no known provider", f"write PROVIDER:MODEL with one of {', '.join(NAMES)}")
    model, _, url = _split(rest)
    if not _MODEL.fullmatch(model):
        raise UserError(f"{text!r} names no model", f"write {name}:MODEL, for example with the name that the provider documents")
    if not url and not provider.url:
        raise UserError(
            f"{text!r} names no server", f"write {name}:MODEL@URL, for example {name}:{model}@http://127.0.0.1:8000/v1"
        )
    return ModelName(provider, model, _checked_url(url) if url else "")


def _split(rest: str) -> tuple[str, str, str]:
    """A model's name may hold an @ of its own; an address begins with its scheme."""
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
        raise UserError(
            f"{url!r} is no address of a server", "write http(s)://HOST[:PORT]/PATH without a user, query or fragment"
        )
    return url.rstrip("/")


def server_of(name: ModelName, environment: Mapping[str, str]) -> str:
    """Where questions go: as the model string says, as the user's own environment says, or to the provider itself."""
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
    """True if a key sent there could be read on the way."""
    parts = urlsplit(url)
    return parts.scheme == "http" and (parts.hostname or "") not in _LOOPBACK
