"""Which results of earlier runs are trusted: those signed with the user's key, and none if caching is off.

Invariant: the key is never in the folder of results. On a build server the data directory is often restored from a store that
other jobs write to, including the key, so there only a key from the environment counts.
"""

import hashlib
import os

from counterproof.installation import derived_key
from counterproof.model.errors import UserError

SWITCH = "COUNTERPROOF_CACHE"
"""The environment variable that turns the cache off, with the value `off`."""

KEY = "COUNTERPROOF_CACHE_KEY"
"""The environment variable with the signing key for results, instead of this installation's."""

_MIN_KEY = 16


def why_off() -> str:
    """Why runs use and store no results; '' if they do."""
    if os.environ.get(SWITCH, "").lower() == "off":
        return f"{SWITCH}=off"
    if os.environ.get("CI", "").lower() not in ("", "false", "0") and not os.environ.get(KEY):
        return f"CI is set and {KEY} is not"
    return ""


def cache_is_off() -> bool:
    """Return True if nothing is stored between runs."""
    return bool(why_off())


def key_of_cache() -> bytes:
    """The signing key for results: the user's, or this installation's."""
    given = os.environ.get(KEY, "")
    if not given:
        return derived_key("results")
    if len(given) < _MIN_KEY:
        raise UserError(
            f"{KEY} has {len(given)} characters", f"give a random one of at least {_MIN_KEY}, from the store of secrets"
        )
    return hashlib.sha256(f"counterproof results {given}".encode("utf-8", "surrogateescape")).digest()
