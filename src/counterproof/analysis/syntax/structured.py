"""JSON and TOML of the target as values.

Invariant: what cannot be read raises `ValueError` and nothing else, however deep it nests; no text in the value holds half a
character, whatever escapes spell it. Not handled here: what a document means.
"""

import json
import tomllib
from typing import Any, cast

from counterproof.model.text import encodable


def parsed_json(text: str | bytes) -> Any:
    """The value of a JSON document."""
    try:
        value: object = json.loads(text)
        halves = b"\\ud" in text.lower() if isinstance(text, bytes) else "\\ud" in text.lower()
        return _encodable(value) if halves else value
    except RecursionError:
        raise ValueError("it nests too deep to be read") from None


def parsed_toml(text: str) -> dict[str, Any]:
    """The table of a TOML document. Its escapes cannot spell half a character."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it nests too deep to be read") from None


def _encodable(value: object) -> object:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, list):
        return [_encodable(each) for each in cast("list[object]", value)]
    if isinstance(value, dict):
        return {encodable(key): _encodable(each) for key, each in cast("dict[str, object]", value).items()}
    return value
