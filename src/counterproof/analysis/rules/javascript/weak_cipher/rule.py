"""Broken cipher or fixed start value, in JavaScript and TypeScript.

## What it finds
DES, RC4, RC2, Blowfish and ECB mode, `createCipher` without a start value of its own, and a start value that is a literal.

## Why it matters
Equal texts give equal ciphers, or the key can be tried out; what is encrypted can be read or recognised.

## What is safe
AES in GCM mode with a fresh random start value for every text.

## Limits
Names of ciphers that are put together at run time are not judged.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_BROKEN = ("des", "rc4", "rc2", "bf", "blowfish", "cast", "seed", "idea")
_OLD = ("crypto.createCipher", "crypto.createDecipher")


def _check(seen: SeenCall) -> Match | None:
    name = (seen.text(0) or "").lower()
    if seen.name.startswith("crypto-js"):
        return seen.bad(seen.name, "the cipher is broken")
    if name.startswith(_BROKEN) or name.endswith("-ecb"):
        return seen.bad(name, "the cipher is broken")
    if seen.name in _OLD:
        return seen.bad(name or "cipher", "the key is stretched once and there is no start value")
    start = seen.at(2)
    if seen.method == "createCipheriv" and start is not None and isinstance(start.const, str | bytes):
        return seen.bad(name or "cipher", "the start value is a literal")
    return seen.good(name or "cipher", "no weakness is seen")


RULE = CallRule(
    RuleInfo(
        id="javascript-weak-cipher",
        title="Weak cipher or fixed initialization vector",
        dimension=Dimension.D7,
        kind="cipher",
        cwe=327,
        severity=Severity.MEDIUM,
        impact=Impact.PARTIAL,
        consequence="Encrypted data can be read or recognised.",
        remedy="Use aes-256-gcm with a random IV for every message.",
    ),
    calls=(
        "crypto.createCipheriv",
        "crypto.createDecipheriv",
        *_OLD,
        "crypto-js.DES.encrypt",
        "crypto-js.RC4.encrypt",
        "crypto-js.TripleDES.encrypt",
    ),
    check=_check,
    query="ciphers",
)
