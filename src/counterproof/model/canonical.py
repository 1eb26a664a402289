"""Canonical JSON: the one byte form of a value, so that hashes and comparisons mean something."""

import dataclasses
import hashlib
import json
from enum import Enum
from typing import cast


def plain(value: object) -> object:
    """A value as JSON has it: objects for records, arrays for tuples, the values of enumerations. Raises TypeError for what
    JSON has no form for, such as a date."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple):
        return [plain(each) for each in cast("tuple[object, ...]", value)]
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in cast("dict[object, object]", value).items()}
    if dataclasses.is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def canonical(value: object) -> str:
    """Sorted keys, no spaces, ASCII only (lone surrogates survive as escapes), no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(text: str) -> str:
    """SHA-256 of a text, as hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
