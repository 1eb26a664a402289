"""Canonical JSON: the one byte form of a value, so that hashes and comparisons mean something."""

import hashlib
import json


def canonical(value: object) -> str:
    """Sorted keys, no spaces, ASCII only (lone surrogates survive as escapes), no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(text: str) -> str:
    """SHA-256 of a text, as hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
