"""Opens channels: finds a model's key, server and price, and installs our transport in the provider's library.

Invariant: opening sends nothing. Providers' libraries are first imported here. The caller passes the environment, so that
nothing else (a file of the reviewed code, a flag) can name a key or a server.
"""

import warnings
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING

from counterproof.agents.models.keys import find_key
from counterproof.agents.models.prices import PriceList
from counterproof.agents.models.providers import ModelName, server_of
from counterproof.extras import command_for
from counterproof.model.errors import UserError

if TYPE_CHECKING:
    from counterproof.agents.models.live import LiveChannel, Terms
    from counterproof.agents.models.transport import Deadlines


def installed() -> bool:
    """True if the libraries for models are installed. Imports nothing."""
    return find_spec("pydantic_ai") is not None


def open_channel(
    name: ModelName,
    environment: Mapping[str, str],
    terms: "Terms",
    prices: PriceList | None = None,
    deadlines: "Deadlines | None" = None,
) -> "LiveChannel":
    """A channel to this model. Raises `UserError` for a missing extra, key, price or limit."""
    hint = f"`{command_for('models')}` installs it"
    if not installed():
        raise UserError("the libraries for models are not installed", hint)
    from pydantic_ai.exceptions import UserError as Refused

    from counterproof.agents.models.live import LiveChannel
    from counterproof.agents.models.sdk import MAKERS
    from counterproof.agents.models.transport import Connection

    server = server_of(name, environment)
    key = find_key(name, environment)
    tariff = (prices or PriceList()).find(name)
    terms.purse.admit(str(name), tariff)
    # These libraries' warnings are for their authors: we check what matters to a run (usage, an end, a refusal) ourselves.
    warnings.filterwarnings("ignore", module=r"(pydantic_ai|anthropic|openai|groq|mistralai|google)\b")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            library = MAKERS[name.provider.name](name.model, server, key)
    except ImportError as error:
        raise UserError(f"the library for {name.provider.name} is not installed", hint) from error
    except Refused as error:
        raise UserError(f"{name} cannot be used: {key.hides(str(error))[:300]}", "correct the model's name") from error
    return LiveChannel(name, library, Connection(server, environment, deadlines), key, tariff, terms)
