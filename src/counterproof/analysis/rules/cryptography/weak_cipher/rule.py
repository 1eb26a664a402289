"""Broken ciphers and cipher modes.

## What it finds
DES, Triple DES, RC2, RC4, Blowfish, CAST5, IDEA and SEED, and the ECB mode, in `cryptography`, PyCryptodome and pyDes. In scripts
the same ciphers and mode, `createCipher` without a start value of its own, and a start value that is a literal.

## Why it matters
DES keys can be searched, RC4's output is biased, 64-bit block ciphers leak after some gigabytes, and ECB shows which blocks are
equal.

## What is safe
AES or ChaCha20 in an authenticated mode (GCM, CCM, EAX, Poly1305), or Fernet. In scripts AES in GCM mode with a fresh random
start value for every text.

## Limits
Ciphers chosen by a name at run time are not read.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Site
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, Guess, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call

_BROKEN = ("des", "des3", "tripledes", "arc2", "arc4", "rc4", "blowfish", "cast", "cast5", "idea", "seed", "triple_des", "xor")
_SOUND = (
    "aes",
    "aes128",
    "aes256",
    "chacha20",
    "chacha20_poly1305",
    "chacha20poly1305",
    "aesgcm",
    "fernet",
    "salsa20",
    "camellia",
)
_LIBRARIES = names("cryptography", "cipher-module")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for site in outline.of(Call):
        dotted = outline.dotted(site.node.callee)
        if not dotted.startswith(_LIBRARIES):
            continue
        parts = [part.lower() for part in dotted.split(".")[2:]] or [dotted.rpartition(".")[2].lower()]
        yield from _judged(site, [*parts, dotted.rpartition(".")[2].lower()])
    for used in outline.of(Attribute):
        if used.node.name == "MODE_ECB" and outline.dotted(used.node).startswith(("Crypto.Cipher.", "Cryptodome.Cipher.")):
            yield bad(used, "ECB", "equal blocks stay equal")


def _judged(site: Site[Call], parts: list[str]) -> Iterator[Match]:
    if "ecb" in parts:
        yield bad(site, "ECB", "equal blocks stay equal")
    broken = next((part for part in parts if part in _BROKEN), None)
    sound = next((part for part in parts if part in _SOUND), None)
    if broken:
        yield bad(site, broken.upper(), "a broken cipher")
    elif sound:
        yield good(site, sound.upper(), "a sound cipher")


RULE = CheckRule(
    title="Weak cipher or cipher mode",
    kind="cipher",
    cwe=327,
    severity=Severity.MEDIUM,
    guesses=(Guess.UNKNOWN_USE,),
    consequence="Encrypted data can be read or its structure recognised.",
    remedy="Use AES-GCM, ChaCha20-Poly1305 or Fernet.",
    check=_check,
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
        return seen.bad(name or "cipher", "the key is stretched once and there is no start value")
    start = seen.at(2)
    if seen.method == "createCipheriv" and start is not None and isinstance(start.const, str | bytes):
        return seen.bad(name or "cipher", "the start value is a literal")
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
