"""Ciphers of Node's `crypto` and of crypto-js."""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.ruleset import Match

_BROKEN = ("des", "rc4", "rc2", "bf", "blowfish", "cast", "seed", "idea")


def check_script(seen: SeenCall) -> Match | None:
    name = (seen.text(0) or "").lower()
    if seen.name.startswith("crypto-js"):
        return seen.bad(seen.name, "the cipher is broken")
    if name.startswith(_BROKEN) or name.endswith("-ecb"):
        return seen.bad(name, "the cipher is broken")
    if seen.name in ("crypto.createCipher", "crypto.createDecipher"):
        return seen.bad(name or "cipher", "the key is derived in one round, without an initialization vector")
    start = seen.at(2)
    if seen.method == "createCipheriv" and start is not None and isinstance(start.const, str | bytes):
        return seen.bad(name or "cipher", "the initialization vector is a literal")
    return seen.good(name or "cipher", "no weakness is seen")
