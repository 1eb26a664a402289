"""Broken ciphers and cipher modes.

## What it finds
DES, Triple DES, RC2, RC4, Blowfish, CAST5, IDEA and SEED, and the ECB mode, in `cryptography`, PyCryptodome and pyDes. In
JavaScript the same ciphers and mode, `createCipher`, which takes no initialization vector, and a literal initialization
vector.

## Why it matters
DES keys can be brute-forced, RC4's output is biased, 64-bit block ciphers leak data after some gigabytes, and ECB shows which
blocks are equal.

## What is safe
AES or ChaCha20 in an authenticated mode (GCM, CCM, EAX, Poly1305), or Fernet. In JavaScript AES in GCM mode with a random IV
for every message.

## Limits
Ciphers selected by name at run time are not checked.
"""

from counterproof.analysis.config.patterns import Bad, Calls, Matching, Uses
from counterproof.analysis.config.places import Place, always
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.ruleset import CallRule, CheckRule, Guess, Match, Severity

_BROKEN = vocabulary("des des3 tripledes arc2 arc4 rc4 blowfish cast cast5 idea seed triple_des xor ecb")
_SOUND = vocabulary("aes aes128 aes256 chacha20 chacha20_poly1305 chacha20poly1305 aesgcm fernet salsa20 camellia")


def _parts(at: Place) -> set[str]:
    return {part.lower() for part in (*at.name.split(".")[2:], at.name.rpartition(".")[2])}


def _cipher(at: Place) -> str:
    found = sorted(_parts(at) & _BROKEN) or sorted(_parts(at) & _SOUND)
    return found[0].upper() if found else ""


RULE = CheckRule(
    title="Weak cipher or cipher mode",
    kind="cipher",
    cwe=327,
    severity=Severity.MEDIUM,
    guesses=(Guess.UNKNOWN_USE,),
    consequence="Encrypted data can be read or its structure recognised.",
    remedy="Use AES-GCM, ChaCha20-Poly1305 or Fernet.",
    check=Matching(
        Calls(
            tuple(f"{each.removesuffix('.')}.*" for each in names("cryptography", "cipher-module")),
            only=lambda at: bool(_cipher(at)),
            bad=(
                Bad(lambda at: "ecb" in _parts(at), "equal blocks stay equal"),
                Bad(lambda at: bool(_parts(at) & _BROKEN), "a broken cipher"),
            ),
            good="a sound cipher",
            item=_cipher,
        ),
        Uses(
            ("MODE_ECB",),
            only=lambda at: at.name.startswith(("Crypto.Cipher.", "Cryptodome.Cipher.")),
            bad=Bad(always, "equal blocks stay equal"),
            item="ECB",
        ),
    ),
    query="ciphers and modes",
    in_tests=True,
)


_SCRIPT_BROKEN = ("des", "rc4", "rc2", "bf", "blowfish", "cast", "seed", "idea")
_OLD = ("crypto.createCipher", "crypto.createDecipher")


def _check_script(seen: SeenCall) -> Match | None:
    name = (seen.text(0) or "").lower()
    if seen.name.startswith("crypto-js"):
        return seen.bad(seen.name, "the cipher is broken")
    if name.startswith(_SCRIPT_BROKEN) or name.endswith("-ecb"):
        return seen.bad(name, "the cipher is broken")
    if seen.name in _OLD:
        return seen.bad(name or "cipher", "the key is derived in one round, without an initialization vector")
    start = seen.at(2)
    if seen.method == "createCipheriv" and start is not None and isinstance(start.const, str | bytes):
        return seen.bad(name or "cipher", "the initialization vector is a literal")
    return seen.good(name or "cipher", "no weakness is seen")


SCRIPTS = RULE.in_scripts(
    CallRule,
    title="Weak cipher or fixed initialization vector",
    remedy="Use aes-256-gcm with a random IV for every message.",
    calls=(
        "crypto.createCipheriv",
        "crypto.createDecipheriv",
        *_OLD,
        "crypto-js.DES.encrypt",
        "crypto-js.RC4.encrypt",
        "crypto-js.TripleDES.encrypt",
    ),
    check=_check_script,
    query="ciphers",
)
