"""Canonical JSON: the one byte form of a value, so that hashes and comparisons mean something."""

import dataclasses
import hashlib
import json
import re
from enum import Enum
from functools import cache
from typing import cast

_ESCAPED = re.compile(r"\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(\\ud[89a-f][0-9a-f]{2})")
"""In JSON: a backslash, a character of two escapes, or half of one."""

_AS_IT_IS = frozenset((str, int, float, bool, type(None)))


def plain(value: object) -> object:
    """A value as JSON has it: objects for records, arrays for tuples, the values of enumerations. Raises TypeError for what
    JSON has no form for, such as a date."""
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
        raise TypeError(f"{name} has no form in JSON")
    return tuple(each.name for each in dataclasses.fields(kind))


def exact(value: object) -> str:
    """Sorted keys, no spaces, ASCII only, no NaN. Halves of characters stay what they are: two values never share a form."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def canonical(value: object) -> str:
    """The exact form, but with no half of a character: not every reader of JSON takes one back."""
    text = exact(value)
    return _ESCAPED.sub(_whole, text) if "\\ud" in text else text


def _whole(found: re.Match[str]) -> str:
    return "\\ufffd" if found[1] else found[0]


def digest(text: str) -> str:
    """SHA-256 of a text, as hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
