"""`counterproof doctor`: reports what works on this machine, what does not, and what to do about it.

Invariant: it changes nothing except a test file that it writes and removes; it sends nothing unless models are named, and then
only what `model_check` describes; keys are identified by their source and never shown. Failing checks do not raise.
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from counterproof.agents.models import opening
from counterproof.agents.models.keys import find_key
from counterproof.agents.models.prices import PriceList, read_prices
from counterproof.agents.models.providers import LIMITS_OF, PROVIDERS, ModelName, server_of
from counterproof.analysis.confinement.sandbox import level
from counterproof.app import model_check
from counterproof.app.model_check import Cast
from counterproof.app.setup import program_for
from counterproof.app.team import PRICE_FILE, UNPRICED_TOKENS
from counterproof.extras import command_for
from counterproof.model.budget import dollars
from counterproof.model.errors import CounterproofError
from counterproof.runtime.home import Home


class State(StrEnum):
    """`SHORT`: required or requested, but missing; `NOTE`: optional and missing."""

    WORKS = "ok"
    NOTE = "note"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check. `next` is the recommended action, if there is one."""

    about: str
    state: State
    text: str
    next: str = ""


def examine(asked: tuple[Cast, ...], environment: Mapping[str, str], home: Home, folder: Path, send: bool) -> Iterator[Check]:
    """Yield every check as soon as it is made. `folder` is where an audit would start; with `send` each role's smallest
    request is sent."""
    yield _attempt("data directory", lambda: _writable(home))
    yield _attempt("sandbox", _sandbox)
    yield _attempt("Semgrep", lambda: _semgrep(home, folder))
    models = model_check.models_of(asked)
    yield _libraries(bool(models))
    if not asked:
        yield _keys_around(environment)
    elif not models:
        yield Check("models", State.WORKS, "no models configured; the embedded analysts need none")
    else:
        yield from _models(asked, environment, home, send and opening.installed())


def _models(asked: tuple[Cast, ...], environment: Mapping[str, str], home: Home, send: bool) -> Iterator[Check]:
    try:
        prices = read_prices(home.root / PRICE_FILE)
    except CounterproofError as error:
        yield Check("prices", State.SHORT, str(error), error.hint)
        return
    for model in model_check.models_of(asked):
        yield from _model(model, environment, prices)
    if send:
        yield from (_tried(*each) for each in model_check.tried(asked, environment, prices))


def _tried(name: str, said: str | CounterproofError) -> Check:
    if isinstance(said, CounterproofError):
        return Check(name, State.SHORT, f"not accepted: {said}", said.hint)
    return Check(name, State.WORKS, said)


def _attempt(about: str, look: Callable[[], Check]) -> Check:
    try:
        return look()
    except CounterproofError as error:
        return Check(about, State.SHORT, str(error), error.hint)
    except OSError as error:
        return Check(about, State.SHORT, f"cannot be used: {error.strerror or error}", "check permissions and free space")


def _writable(home: Home) -> Check:
    home.root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=home.root, prefix="doctor-") as file:
        file.write(b"x" * 4096)
        file.flush()
        os.fsync(file.fileno())
    open_to_others = home.root.stat().st_mode & 0o077
    if open_to_others:
        return Check("data directory", State.NOTE, f"{home.root} can be read by others", f"chmod 700 {home.root}")
    return Check("data directory", State.WORKS, f"{home.root} can be written, and by you alone")


def _sandbox() -> Check:
    found = level()
    if not found.missing:
        return Check("sandbox", State.WORKS, str(found))
    return Check(
        "sandbox",
        State.NOTE,
        str(found),
        "programs such as Semgrep run with the protection that is available; a newer kernel offers more",
    )


def _semgrep(home: Home, folder: Path) -> Check:
    program = program_for(home, folder)
    if program is None:
        text = "optional, not found: audits run without a baseline scan and say so"
        return Check("Semgrep", State.NOTE, text, "`counterproof setup` installs it, if you want the scan")
    return Check("Semgrep", State.WORKS, str(program))


def _libraries(wanted: bool) -> Check:
    if opening.installed():
        return Check("libraries for models", State.WORKS, "installed")
    return Check(
        "libraries for models",
        State.SHORT if wanted else State.NOTE,
        "not installed; these models need it" if wanted else "optional, not installed: the embedded analysts need none",
        f"`{command_for('models')}` installs them" + ("" if wanted else ", if you want models"),
    )


def _keys_around(environment: Mapping[str, str]) -> Check:
    found = [
        f"{provider.name} ({variable})" for provider in PROVIDERS for variable in provider.keys[:1] if environment.get(variable)
    ]
    text = f"in the environment: {', '.join(found)}" if found else "none set in the environment; only models need a key"
    named = ", ".join(dict.fromkeys(provider.keys[0] for provider in PROVIDERS if provider.key_required))
    how = "`counterproof doctor --agents PROVIDER:MODEL` sends each role's smallest request"
    return Check("keys for models", State.NOTE, text, how if found else f"set one of {named}; {how}")


def _model(name: ModelName, environment: Mapping[str, str], prices: PriceList) -> list[Check]:
    about = str(name)
    try:
        key = find_key(name, environment)
        server = server_of(name, environment)
    except CounterproofError as error:
        return [Check(about, State.SHORT, str(error), error.hint)]
    where = f"API key from {key.source}; requests are sent to {server}; provider limits as of {LIMITS_OF}"
    return [Check(about, State.WORKS, where), _price(name, prices)]


def _price(name: ModelName, prices: PriceList) -> Check:
    tariff = prices.find(name)
    if tariff is None:
        text = f"no price is known for this name: a token limit applies ({UNPRICED_TOKENS:,} unless --budget-tokens is given)"
        return Check(str(name), State.NOTE, text, f"add it to your price file ({Home().root / PRICE_FILE}) to limit dollars")
    price = tariff.price(0)
    text = f"{dollars(price.input)} in, {dollars(price.output)} out for a million tokens ({prices.source(name)})"
    return Check(str(name), State.WORKS, text)
