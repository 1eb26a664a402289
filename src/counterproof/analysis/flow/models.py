"""External functions: whether they pass data on, make it harmless, or return something else.

Invariant: languages, standard libraries and widely used packages are matched by full name, as documented. Other functions without
code are matched by name if they check or clean: `is_safe_path`, `validate_url`, `secure_filename`, where a verb and an object are
required unless one word says both. Any other function passes its arguments on, with the flow marked as broken by an external
library. `Markup` escapes the arguments of its methods and operators; only its constructor trusts its argument, and is a sink of
its own. Not handled here: sanitisers of a rule.
"""

from functools import lru_cache

from counterproof.analysis.flow.values import Value
from counterproof.analysis.libraries import names
from counterproof.analysis.program.everyday import TEXT_METHODS
from counterproof.analysis.program.words import vocabulary, words
from counterproof.model.survey import Language

HARMLESS = frozenset(names("propagator", "none-call"))
"""Results that no outsider can influence, whatever the arguments."""

_HARMLESS_MODULES = names("propagator", "none")
"""Includes ORM statements: their arguments become parameters, and raw text is a separate sink."""

PASSING = frozenset(names("propagator", "whole"))
"""Results that contain all the arguments' data."""

_PASSING_MODULES = names("propagator", "module")

UNDOING = frozenset(names("propagator", "decoding"))
"""Calls that decode a value, and so remove the safety of its encoding."""

TOKEN_DECODERS = frozenset(names("token", "verify"))
"""Calls that verify a signature before they return the signed data, unless told not to."""

CHECKED_BY_CALL = frozenset(names("sanitiser", "number"))
"""Calls that raise unless their argument is harmless, so the argument is harmless afterwards."""


def is_harmless(path: str) -> bool:
    return path in HARMLESS or path.startswith(_HARMLESS_MODULES)


def is_passing(path: str) -> bool:
    return path in PASSING or path.startswith(_PASSING_MODULES)


def is_text_method(name: str) -> bool:
    return name in TEXT_METHODS or name in ("encode", "decode", "format", "join", "format_map", "translate")


ESCAPED = "markupsafe.escape"
"""Label of text inserted into markup."""

_MARKUP = names("template", "markup")
_FILLING = vocabulary("format format_map join replace")


def is_markup(value: Value | None) -> bool:
    return value is not None and value.path.startswith(_MARKUP)


def fills_markup(receiver: Value | None, method: str) -> bool:
    """`Markup("<b>{}</b>").format(name)`."""
    return method in _FILLING and is_markup(receiver)


HARMLESS_IN_SCRIPTS = frozenset(names("propagator", "none-call", Language.JAVASCRIPT))
"""Results that no outsider can influence, whatever the arguments."""

PASSING_IN_SCRIPTS = frozenset(names("propagator", "whole", Language.JAVASCRIPT))
"""Results that contain all the arguments' data."""

NORMALISING_IN_SCRIPTS = frozenset(names("code", "path-normalisation", Language.JAVASCRIPT))
"""Calls whose result contains no `..`, so its prefix can be compared."""

WORD_QUESTIONS = frozenset(names("code", "word-check", Language.JAVASCRIPT))
"""Checks that are True only for letters, digits and a few harmless characters."""

COLLECTION = "mongodb.Collection()"
"""A document collection, from any client."""


def made_by(path: str, method: str) -> str:
    """The name for the result of an external call."""
    if method == "collection" and (not path or path.startswith(("mongo", "monk"))):
        return COLLECTION
    return f"{path}()" if path else ""


PATH, HOST = "prefix check", "host check"
_BOTH = frozenset({PATH, HOST})
_CONFINED = vocabulary("within inside subpath subdir contained")
_APPROVED = vocabulary("safe allowed permitted trusted whitelisted allowlisted")
_REFUSED = vocabulary("unsafe private internal forbidden blocked blacklisted disallowed malicious traversal ssrf")
_CHECKING = vocabulary("validate check verify ensure assert reject require")
_CLEANING = vocabulary("safe secure sanitize sanitise sanitized sanitised clean clear cleaned")
_PATHS = vocabulary("path paths file filename filepath name dir directory folder join destination dest traversal member")
_ADDRESSES = vocabulary("url urls uri redirect link next host hostname address ssrf target")
_NOTHING: frozenset[str] = frozenset()


@lru_cache(maxsize=16_384)
def told(name: str, truth: bool) -> frozenset[str]:
    """The labels of an argument for which a check of this name returned `truth`."""
    spoken = frozenset(words(name))
    if truth and (spoken & _CONFINED or {"is", "in"} <= spoken or {"relative", "to"} <= spoken):
        return frozenset({PATH})
    return _BOTH if spoken & (_APPROVED if truth else _REFUSED) else _NOTHING


@lru_cache(maxsize=16_384)
def sounds_strict(name: str) -> bool:
    """Return True if a function of this name may raise for invalid arguments."""
    return not _CHECKING.isdisjoint(words(name))


@lru_cache(maxsize=16_384)
def insisted(name: str) -> frozenset[str]:
    """The labels of the arguments after a call of this name whose result is unused."""
    spoken = frozenset(words(name))
    return _about(spoken) if spoken & _CHECKING else _NOTHING


@lru_cache(maxsize=16_384)
def cleaned(name: str) -> frozenset[str]:
    """The labels of the result of a call of this name."""
    spoken = frozenset(words(name))
    return _about(spoken) if spoken & _CLEANING else _NOTHING


def _about(spoken: frozenset[str]) -> frozenset[str]:
    return frozenset(label for label, subjects in ((PATH, _PATHS), (HOST, _ADDRESSES)) if spoken & subjects)
