"""Fixed initialization vectors.

## What it finds
A constant IV or nonce passed to a cipher mode, as a literal or built from a repeated byte.

## Why it matters
With the same IV, equal messages produce equal ciphertexts; in counter and GCM modes two messages with the same nonce reveal
each other and, in GCM, the authentication key.

## What is safe
`os.urandom`, `secrets.token_bytes`, `get_random_bytes`, an IV that was stored with the message.

## Limits
An IV passed as a parameter is assumed to be fresh.
"""

from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import argument, fixed
from counterproof.analysis.ruleset import CheckRule, Guess, Severity

_MODES = tuple(f"cryptography.hazmat.primitives.ciphers.modes.{each}" for each in ("CBC", "CTR", "CFB", "CFB8", "OFB", "GCM"))


RULE = CheckRule(
    title="Fixed initialization vector",
    kind="cipher",
    cwe=329,
    severity=Severity.MEDIUM,
    guesses=(Guess.UNKNOWN_USE,),
    consequence="An attacker recognises equal messages, and in some modes can decrypt them.",
    remedy="Generate a fresh IV for every message and store it with the message.",
    check=Matching(
        Calls(_MODES, argument(0, "initialization_vector", "nonce")),
        Calls(("Crypto.Cipher.*", "Cryptodome.Cipher.*"), argument(2, "iv", "IV", "nonce"), lambda at: at.name.endswith(".new")),
        bad=Bad(fixed, "always the same"),
        good="not a constant",
        item="initialisation vector",
    ),
    query="initialisation vectors",
    in_tests=True,
)
