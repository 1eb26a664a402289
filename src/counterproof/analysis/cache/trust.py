"""Whose results of earlier runs count: those signed with a key that the user holds, and none where nobody says so.

Invariant: the key is never in the folder of results. On a build server the data directory is often restored from a store that
other jobs write to, key and all, so there only a key counts that the user passes in by the environment.
"""

import hashlib
import os

from counterproof.installation import derived_key
from counterproof.model.errors import UserError

SWITCH = "COUNTERPROOF_CACHE"
"""The environment variable that turns the cache off, with the word `off`."""

KEY = "COUNTERPROOF_CACHE_KEY"
"""The environment variable with the key that results are signed with, instead of this installation's."""

_MIN_KEY = 16


def why_off() -> str:
    """Why runs use no results of earlier ones and keep none; '' where they do."""
    if os.environ.get(SWITCH, "").lower() == "off":
        return f"{SWITCH}=off"
    if os.environ.get("CI", "").lower() not in ("", "false", "0") and not os.environ.get(KEY):
        return f"CI is set and {KEY} is not"
    return ""


def cache_is_off() -> bool:
    """Whether nothing is kept between runs."""
    return bool(why_off())


def key_of_cache() -> bytes:
    """What results are signed with: the user's key, or this installation's."""
    given = os.environ.get(KEY, "")
    if not given:
        return derived_key("results")
    if len(given) < _MIN_KEY:
        raise UserError(
            f"{KEY} has {len(given)} characters", f"give a random one of at least {_MIN_KEY}, from the store of secrets"
        )
    return hashlib.sha256(f"counterproof results {given}".encode("utf-8", "surrogateescape")).digest()
