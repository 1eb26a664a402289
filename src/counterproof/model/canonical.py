"""Canonical JSON: exactly one byte representation for each value, for hashing and comparing."""

import dataclasses
import hashlib
import json
import re
from enum import Enum
from functools import cache
from typing import cast

_ESCAPED = re.compile(r"\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(\\ud[89a-f][0-9a-f]{2})")
"""In JSON text: an escaped backslash, a surrogate pair, or a lone surrogate."""

_AS_IT_IS = frozenset((str, int, float, bool, type(None)))


def plain(value: object) -> object:
    """Convert a value to JSON types: records to objects, tuples to arrays, enum members to their values. Raises TypeError for
    types that JSON cannot represent, such as dates."""
    kind = type(value)
    if kind in _AS_IT_IS:
        return value
    if kind is tuple or kind is list:
        return [plain(each) for each in cast("tuple[object, ...]", value)]
    if isinstance(value, Enum):
        return value.value
    if kind is dict:
        return {plain(key): plain(each) for key, each in cast("dict[object, object]", value).items()}
    return {name: plain(getattr(value, name)) for name in _fields(kind)}


@cache
def _fields(kind: type) -> tuple[str, ...]:
    name = kind.__name__
    if not dataclasses.is_dataclass(kind):
        raise TypeError(f"{name} cannot be represented in JSON")
    return tuple(each.name for each in dataclasses.fields(kind))


def exact(value: object) -> str:
    """JSON with sorted keys, no spaces, ASCII only and no NaN. Keeps lone surrogates, so different values differ in form."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def canonical(value: object) -> str:
    """The same form as `exact` with lone surrogates replaced, because some JSON readers reject them."""
    text = exact(value)
    return _ESCAPED.sub(_whole, text) if "\\ud" in text else text


def _whole(found: re.Match[str]) -> str:
    return "\\ufffd" if found[1] else found[0]


def digest(text: str) -> str:
    """The SHA-256 of a text, as hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
