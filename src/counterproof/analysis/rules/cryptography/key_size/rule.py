"""Keys that are too short.

## What it finds
RSA and DSA keys under 2048 bits and elliptic curves under 224 bits, in `cryptography` and PyCryptodome.

## Why it matters
Such keys can be broken with rented computing power, and traffic recorded today can be decrypted then.

## What is safe
RSA with 2048 bits or more, P-256 and larger curves, Ed25519 and X25519.

## Limits
Sizes read from configuration are not checked.
"""

from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import always, argument, below
from counterproof.analysis.libraries import names
from counterproof.analysis.ruleset import CheckRule, Guess, Severity

_ASYMMETRIC = "cryptography.hazmat.primitives.asymmetric"


RULE = CheckRule(
    title="Key too short",
    kind="keys",
    cwe=326,
    severity=Severity.MEDIUM,
    guesses=(Guess.UNKNOWN_USE,),
    consequence="The key can be computed by an attacker with moderate means.",
    remedy="Use RSA with at least 2048 bits, P-256, or Ed25519.",
    check=Matching(
        Calls((f"{_ASYMMETRIC}.rsa.generate_private_key",), argument(1, "key_size")),
        Calls((f"{_ASYMMETRIC}.dsa.generate_private_key",), argument(0, "key_size")),
        Calls(names("cryptography", "key-generation"), argument(0, "bits", "nbits")),
        Calls(("*.SECP192R1", "*.SECT163K1", "*.SECT163R2", "*.SECP160R1"), bad=Bad(always, "too small"), item="curve"),
        bad=Bad(below(2048), "{value} bits"),
        good="long enough, or configurable",
        item="key size",
    ),
    query="sizes of generated keys",
    in_tests=True,
)
