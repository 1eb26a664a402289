"""What functions from outside the project do to data: pass it on, make it harmless, or return something else altogether.

Invariant: by its full name only what the languages, their standard libraries and widely used packages document; of others
whose code is not there to be read, those that check or clean by their name: `is_safe_path`, `validate_url`, `secure_filename`,
where both words are needed, what is done and what it is done to, except where one says both. A function that is neither passes
its arguments on with the flow marked as broken by an external library. `Markup` escapes whatever its own methods and operators
take in; only its constructor trusts what it is given, and that is a sink of its own. Not handled here: sanitisers of a rule.
"""

import re
from functools import lru_cache

from counterproof.analysis.flow.values import Value
from counterproof.analysis.libraries import names
from counterproof.analysis.program.everyday import TEXT_METHODS
from counterproof.analysis.program.words import vocabulary
from counterproof.model.survey import Language

HARMLESS = frozenset(names("propagator", "none-call"))
"""Results that no outsider can shape, whatever goes in."""

_HARMLESS_MODULES = names("propagator", "none")
"""Statements of an object-relational mapper count: what goes into them becomes a parameter, and raw text is a sink of its own."""

PASSING = frozenset(names("propagator", "whole"))
"""Results that carry whatever went in."""

_PASSING_MODULES = names("propagator", "module")

UNDOING = frozenset(names("propagator", "decoding"))
"""Calls that take an encoding off again, and with it whatever safety it gave."""

TOKEN_DECODERS = frozenset(names("token", "verify"))
"""Calls that check a signature before they hand on what was signed, unless they are told not to."""

CHECKED_BY_CALL = frozenset(names("sanitiser", "number"))
"""Calls that raise unless their argument has a harmless form, so that the argument itself is harmless afterwards."""


def is_harmless(path: str) -> bool:
    return path in HARMLESS or path.startswith(_HARMLESS_MODULES)


def is_passing(path: str) -> bool:
    return path in PASSING or path.startswith(_PASSING_MODULES)


def is_text_method(name: str) -> bool:
    return name in TEXT_METHODS or name in ("encode", "decode", "format", "join", "format_map", "translate")


ESCAPED = "markupsafe.escape"
"""What text has passed that was put into markup."""

_MARKUP = names("template", "markup")
_FILLING = vocabulary("format format_map join replace")


def is_markup(value: Value | None) -> bool:
    return value is not None and value.path.startswith(_MARKUP)


def fills_markup(receiver: Value | None, method: str) -> bool:
    """`Markup("<b>{}</b>").format(name)`."""
    return method in _FILLING and is_markup(receiver)


HARMLESS_IN_SCRIPTS = frozenset(names("propagator", "none-call", Language.JAVASCRIPT))
"""Results that no outsider can shape, whatever goes in."""

PASSING_IN_SCRIPTS = frozenset(names("propagator", "whole", Language.JAVASCRIPT))
"""Results that carry whatever went in."""

NORMALISING_IN_SCRIPTS = frozenset(names("code", "path-normalisation", Language.JAVASCRIPT))
"""Calls whose result has no `..` left to climb with, so that its beginning can be compared."""

WORD_QUESTIONS = frozenset(names("code", "word-check", Language.JAVASCRIPT))
"""Questions whose answer yes leaves letters, digits and a few harmless signs."""

COLLECTION = "mongodb.Collection()"
"""A collection of documents, whoever gave it."""


def made_by(path: str, method: str) -> str:
    """The name of what a call outside the project returns."""
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
_WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+")
"""`is_safe_path` and `isSafePath` say the same."""
_NOTHING: frozenset[str] = frozenset()


@lru_cache(maxsize=16_384)
def told(name: str, truth: bool) -> frozenset[str]:
    """What holds for the argument of a question of this name that was answered so."""
    spoken = _spoken(name)
    if truth and (spoken & _CONFINED or {"is", "in"} <= spoken or {"relative", "to"} <= spoken):
        return frozenset({PATH})
    return _BOTH if spoken & (_APPROVED if truth else _REFUSED) else _NOTHING


@lru_cache(maxsize=16_384)
def sounds_strict(name: str) -> bool:
    """Whether a function of this name may be one that raises unless all is well."""
    return bool(_spoken(name) & _CHECKING)


@lru_cache(maxsize=16_384)
def insisted(name: str) -> frozenset[str]:
    """What holds for the arguments after a call of this name that nobody asked for an answer."""
    spoken = _spoken(name)
    return _about(spoken) if spoken & _CHECKING else _NOTHING


@lru_cache(maxsize=16_384)
def cleaned(name: str) -> frozenset[str]:
    """What holds for the result of a call of this name."""
    spoken = _spoken(name)
    return _about(spoken) if spoken & _CLEANING else _NOTHING


def _about(spoken: frozenset[str]) -> frozenset[str]:
    return frozenset(label for label, subjects in ((PATH, _PATHS), (HOST, _ADDRESSES)) if spoken & subjects)


def _spoken(name: str) -> frozenset[str]:
    return frozenset(each.lower() for each in _WORD.findall(name[:200]))
