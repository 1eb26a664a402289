"""Functions from outside the project that check or clean by their name: `is_safe_path`, `validate_url`, `secure_filename`.

Always holds: only for functions whose code is not there to be read; of those that can be read, what they do counts. Both words
are needed, what is done and what it is done to, except where one says both. Does not belong here: known functions, which
models and rules name.
"""

import re
from functools import lru_cache

from counterproof.analysis.outline.words import vocabulary

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
