"""The rights that guards of libraries require, from the library files. Not handled here: guards of the project."""

from functools import cache

from counterproof.analysis.libraries import names
from counterproof.model.recon import Asks
from counterproof.model.survey import Language

_KINDS = {"role": Asks.ROLE, "identity": Asks.IDENTITY, "token": Asks.TOKEN}


@cache
def _known(language: Language) -> dict[str, Asks]:
    return {name: asks for kind, asks in _KINDS.items() for name in names("guard", kind, language)}


def asked_by_library(dotted: str, language: Language = Language.PYTHON) -> Asks | None:
    """The right a library guard requires; None if no library file says."""
    return _known(language).get(dotted)
