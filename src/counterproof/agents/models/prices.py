"""The prices of models: the user's own price file first, then the price data of the provider library.

Invariant: no network; amounts are whole micro-dollars for a million tokens, rounded up; a model that neither source knows has no
price; one's own server is free, and other servers' models are not priced by name. `source` is the origin and date of a price.

The price file is TOML, in dollars per million tokens, written as text or whole numbers:

    date = "2026-11-01"
    [models."openai:gpt-5"]
    input = "1.25"
    output = "10"
    cached = "0.125"     # optional: reading from the provider's cache; default: input
    stored = "1.25"      # optional: writing to it; default: input
    window = 128000      # optional, like answer, ceiling and effort: defaults for settings that --agents does not give
"""

import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from importlib.metadata import PackageNotFoundError, version
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from counterproof.agents.models.providers import ModelName
from counterproof.model.budget import MILLION, Price, Tariff
from counterproof.model.errors import InvalidValue, UserError

MAX_FILE = 1024 * 1024
_SETTINGS = {"window": "window", "answer": "output", "ceiling": "ceiling", "effort": "effort"}
"""How a field of the file is written after a model's name."""
FREE = Tariff(((0, Price(0, 0, 0, 0)),))


@dataclass(frozen=True, slots=True)
class PriceList:
    """The user's own prices, by model string; other models use the bundled data. `asked` are settings for asking a model, as
    written after its name."""

    own: tuple[tuple[str, Tariff], ...] = ()
    date: str = ""
    asked: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def completed(self, agents: str) -> str:
        """The user's agents, completed with the file's settings for their models."""
        return ",".join(map(self._completed, agents.split(",")))

    def _completed(self, item: str) -> str:
        named = item.partition("#")[0].rpartition("=")[2].strip()
        settings = dict(self.asked).get(named, ())
        return item.strip() + "".join(each for each in settings if f"{each.partition('=')[0]}=" not in item)

    def find(self, name: ModelName) -> Tariff | None:
        for model, tariff in self.own:
            if model == str(name):
                return tariff
        if is_own(name):
            return FREE
        if name.url or not name.provider.prices:
            return None
        return _bundled(name.provider.prices, name.model)

    def source(self, name: ModelName) -> str:
        if any(model == str(name) for model, _ in self.own):
            return f"your price file ({self.date or 'no date'})"
        if is_own(name):
            return "a server of your own"
        return f"genai-prices {_data_version()}" if self.find(name) else ""


def is_own(name: ModelName) -> bool:
    """True if a model runs on the user's own server: Ollama, vLLM, llama.cpp or the like on this machine or in a private
    network. An address given for a provider's model may be a proxy, and then the provider is paid."""
    if name.provider.name not in ("ollama", "openai-compatible"):
        return False
    if not name.url:
        return name.provider.name == "ollama"
    host = urlsplit(name.url).hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return host in ("localhost", "host.docker.internal") or host.endswith((".local", ".internal", ".lan"))


def read_prices(path: Path | None) -> PriceList:
    """The user's price file; an empty list when there is none."""
    if path is None or not path.is_file():
        return PriceList()
    try:
        if path.stat().st_size > MAX_FILE:
            raise UserError(f"the price file {path} is too large", f"at most {MAX_FILE} bytes")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        models: dict[str, Any] = data.get("models", {})
        asked = tuple((name, _settings(fields)) for name, fields in sorted(models.items()))
        own = tuple((name, _own_tariff(fields)) for name, fields in sorted(models.items()) if fields)
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError, AttributeError, InvalidOperation) as error:
        raise UserError(
            f"the price file {path} cannot be used: {error}", "see `counterproof doctor` for what a price needs"
        ) from error
    return PriceList(own, str(data.get("date", "")), asked)


def _settings(fields: dict[str, Any]) -> tuple[str, ...]:
    """Remove the settings from the fields; the rest are prices."""
    return tuple(f"#{setting}={fields.pop(name)}" for name, setting in _SETTINGS.items() if name in fields)


def _own_tariff(fields: dict[str, Any]) -> Tariff:
    if unknown := sorted(set(fields) - {"input", "output", "cached", "stored"}):
        raise InvalidValue(f"unknown fields {', '.join(unknown)}")
    plain = _micros(fields["input"])
    cached = _micros(fields["cached"]) if "cached" in fields else plain
    stored = _micros(fields["stored"]) if "stored" in fields else plain
    return Tariff(((0, Price(plain, _micros(fields["output"]), cached, stored)),))


def _micros(dollars: object) -> int:
    """Convert dollars as text, whole number or Decimal; a float is rejected, because it is not exactly what was written."""
    if isinstance(dollars, bool) or not isinstance(dollars, str | int | Decimal):
        raise InvalidValue("write prices as text or whole numbers")
    amount = Decimal(dollars)
    if not amount.is_finite() or not 0 <= amount <= 1_000_000:
        raise InvalidValue("a price is between 0 and a million dollars")
    return int((amount * MILLION).to_integral_value(ROUND_CEILING))


def _data_version() -> str:
    try:
        return version("genai-prices")
    except PackageNotFoundError:
        return ""


def _bundled(provider: str, model: str) -> Tariff | None:
    """Today's price; if it varies by hour, the highest, so that a budget holds through a run."""
    try:
        from genai_prices.data_snapshot import get_snapshot
    except ImportError:
        return None
    try:
        _, found = get_snapshot().find_provider_model(model, None, provider, None)
    except LookupError:
        return None
    today = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    rows = [found.get_prices(today.replace(hour=hour)) for hour in range(24)]
    tariffs = [tariff for tariff in (_tariff(row) for row in rows) if tariff]
    return max(tariffs, key=lambda tariff: tariff.at_most(MILLION, MILLION), default=None)


def _tariff(row: Any) -> Tariff | None:
    plain, output = getattr(row, "input_mtok", None), getattr(row, "output_mtok", None)
    if plain is None or output is None:
        return None
    cached = getattr(row, "cache_read_mtok", None) or plain
    stored = max(
        (each for each in (getattr(row, "cache_write_mtok", None), plain) if each is not None), key=lambda each: _at(each, 0)
    )
    starts = sorted({0, *(start for each in (plain, output, cached, stored) for start in _starts(each))})
    steps = tuple(
        (start, Price(_at(plain, start), _at(output, start), _at(cached, start), _at(stored, start))) for start in starts
    )
    return Tariff(steps)


def _starts(price: Any) -> tuple[int, ...]:
    return tuple(int(tier.start) for tier in getattr(price, "tiers", ()))


def _at(price: Any, tokens: int) -> int:
    """One price in micro-dollars, at the tier for this many tokens."""
    if isinstance(price, Decimal):
        return _micros(price)
    reached = [tier.price for tier in price.tiers if tier.start <= tokens]
    return _micros(reached[-1] if reached else price.base)
