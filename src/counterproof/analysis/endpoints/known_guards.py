"""What guards of libraries ask for, as the libraries' own files say. Not handled here: guards of the project."""

from functools import cache

from counterproof.analysis.libraries import names
from counterproof.model.recon import Asks
from counterproof.model.survey import Language

_KINDS = {"role": Asks.ROLE, "identity": Asks.IDENTITY, "token": Asks.TOKEN}


@cache
def _known(language: Language) -> dict[str, Asks]:
    return {name: asks for kind, asks in _KINDS.items() for name in names("guard", kind, language)}


def asked_by_library(dotted: str, language: Language = Language.PYTHON) -> Asks | None:
    """What a foreign guard asks for; None where no library says."""
    return _known(language).get(dotted)
