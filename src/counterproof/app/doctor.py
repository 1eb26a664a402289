"""`counterproof doctor`: what will work on this machine, what will not, and what to do about it.

Always: it changes nothing but a file that it writes and removes to see whether it can; it sends nothing unless asked to, and
then one tiny question per model; keys are named by where they were found and never shown. A check that fails is a sentence,
not a crash.
"""

import asyncio
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from counterproof.agents.models import opening
from counterproof.agents.models.channel import Message, Question
from counterproof.agents.models.keys import find_key
from counterproof.agents.models.prices import PriceList, read_prices
from counterproof.agents.models.providers import PROVIDERS, ModelName, server_of
from counterproof.agents.models.team import Team
from counterproof.analysis.confinement.sandbox import level
from counterproof.app.setup import program_for
from counterproof.extras import command_for
from counterproof.model.budget import Limit, dollars
from counterproof.model.errors import CounterproofError
from counterproof.protocols.guard.budget import opened
from counterproof.runtime.home import Home

PRICE_FILE = "prices.toml"
_PROBE_TOKENS = 20_000


class State(StrEnum):
    """`SHORT` is what is needed, or was asked for, and is not there; what is optional and missing is a `NOTE`."""

    WORKS = "ok"
    NOTE = "note"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. `next` says what to do, where something can be done."""

    about: str
    state: State
    text: str
    next: str = ""


def examine(team: Team | None, environment: Mapping[str, str], home: Home, folder: Path, online: bool) -> tuple[Check, ...]:
    """Every check, in the order in which they are shown. `folder` is where an audit would be started."""
    checks = [
        _attempt("data directory", lambda: _writable(home)),
        _attempt("sandbox", _sandbox),
        _attempt("Semgrep", lambda: _semgrep(home, folder)),
        _libraries(team),
    ]
    if team is None:
        return (*checks, _keys_around(environment))
    if not team.models:
        return (*checks, Check("models", State.WORKS, "none are asked; the embedded analysts work without"))
    try:
        prices = read_prices(home.root / PRICE_FILE)
    except CounterproofError as error:
        return (*checks, Check("prices", State.SHORT, str(error), error.hint))
    for model in team.models:
        checks += _model(model, environment, prices, online)
    return tuple(checks)


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
    return Check("sandbox", State.NOTE, str(found), "foreign programs run with what is there; a newer kernel adds the rest")


def _semgrep(home: Home, folder: Path) -> Check:
    program = program_for(home, folder)
    if program is None:
        text = "optional, not found: audits go on without a baseline scan and say so"
        return Check("Semgrep", State.NOTE, text, "`counterproof setup` installs it, if you want the scan")
    return Check("Semgrep", State.WORKS, str(program))


def _libraries(team: Team | None) -> Check:
    if opening.installed():
        return Check("libraries for models", State.WORKS, "installed")
    wanted = team is not None and bool(team.models)
    return Check(
        "libraries for models",
        State.SHORT if wanted else State.NOTE,
        "not installed, and needed by these models" if wanted else "optional, not installed: the embedded analysts need none",
        f"`{command_for('models')}` installs them" + ("" if wanted else ", if you want models"),
    )


def _keys_around(environment: Mapping[str, str]) -> Check:
    found = [
        f"{provider.name} ({variable})" for provider in PROVIDERS for variable in provider.keys[:1] if environment.get(variable)
    ]
    text = f"in the environment: {', '.join(found)}" if found else "none in the environment; only models need one"
    named = ", ".join(dict.fromkeys(provider.keys[0] for provider in PROVIDERS if provider.key_required))
    how = "`counterproof doctor --agents PROVIDER:MODEL` looks closer, and with --online makes one tiny call"
    return Check("keys for models", State.NOTE, text, how if found else f"set one of {named}; {how}")


def _model(name: ModelName, environment: Mapping[str, str], prices: PriceList, online: bool) -> list[Check]:
    about = str(name)
    try:
        key = find_key(name, environment)
        server = server_of(name, environment)
    except CounterproofError as error:
        return [Check(about, State.SHORT, str(error), error.hint)]
    checks = [Check(about, State.WORKS, f"key: {key.source}; questions go to {server}"), _price(name, prices)]
    if online and opening.installed():
        checks.append(_attempt(about, lambda: asyncio.run(_ask(name, environment, prices))))
    return checks


def _price(name: ModelName, prices: PriceList) -> Check:
    tariff = prices.find(name)
    if tariff is None:
        text = "the price list does not know this model: its name may be wrong, and it needs a limit in tokens"
        return Check(str(name), State.NOTE, text, "give --budget-tokens, or add it to your price file")
    price = tariff.price(0)
    text = f"{dollars(price.input)} in, {dollars(price.output)} out for a million tokens ({prices.source(name)})"
    return Check(str(name), State.WORKS, text)


async def _ask(name: ModelName, environment: Mapping[str, str], prices: PriceList) -> Check:
    """One tiny question, on a budget of its own."""
    from counterproof.agents.models.live import Terms
    from counterproof.agents.models.purse import Purse
    from counterproof.agents.models.replies import MemoryReplies
    from counterproof.agents.models.retrying import Patience

    terms = Terms(MemoryReplies(), Purse(opened(Limit(tokens=_PROBE_TOKENS), 1)), Patience(longest=5, total=10))
    channel = opening.open_channel(name, environment, terms, prices)
    try:
        answer = await channel.ask(Question("doctor", 1, 1, "", (Message("user", "Answer with the word ok."),), max_output=1_024))
    finally:
        await channel.close()
    return Check(str(name), State.WORKS, f"answered ({answer.usage.total} tokens, ended with {answer.finish})")
