"""Broken hash functions where security depends on them.

## What it finds
MD2, MD4, MD5 and SHA-1 (through `hashlib`, `cryptography`, PyCryptodome, passlib or `hashlib.new`) applied to passwords,
tokens, secrets or signatures, or in a function whose texts mention such values. In JavaScript also any plain hash function
applied to passwords, from `crypto`, `md5`, `sha1` and `crypto-js`.

## Why it matters
Collisions can be computed for MD5 and SHA-1, and both are so fast that stolen password hashes are cracked in hours.

## What is safe
SHA-256 and better for integrity, password hashes such as scrypt, Argon2 and bcrypt, `usedforsecurity=False`, and weak
functions as checksums, cache keys or identifiers.

## Limits
The purpose of a hash is inferred from nearby names and texts. If only texts suggest it, confidence is medium.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.hashes import HashUse, hash_uses
from counterproof.analysis.config.purpose import Purpose
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.words import mentions, vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, Confidence, Guess, Match, Severity
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_BROKEN = ("md2", "md4", "md5", "sha", "sha1")
_SECRETS = vocabulary("password passwd pwd passphrase secret credential token signature sign otp pin apikey authenticate login")
_CACHES = vocabulary("etag checksum")
_LEAKED = vocabulary("pwnedpasswords pwned haveibeenpwned hibp")
_NAMED = vocabulary("url uri cache filename thumbnail etag checksum")
"""Name words of values that are only identifiers; they outweigh surrounding texts."""
_TEXTS = vocabulary("password passwd secret credential credentials sensitive signature")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for use in hash_uses(codebase, outline):
        if use.algorithm in _BROKEN:
            yield _judged(codebase, outline, use)
        elif use.algorithm:
            yield good(use.site, use.algorithm, "a sound hash function")
        else:
            yield good(use.site, "hash function", "chosen at run time")


def _judged(codebase: Codebase, outline: Outline, use: HashUse) -> Match:
    label = use.algorithm.upper()
    if use.harmless:
        return good(use.site, label, "marked as not used for security")
    purpose = Purpose(outline, use.site)
    scope = frozenset(words(use.site.function.name)) if use.site.function else frozenset[str]()
    if scope & _CACHES and not mentions(purpose.around() | scope, _SECRETS):
        return good(use.site, label, "only detects changes")
    if purpose.texts() & _LEAKED:
        return good(use.site, label, "queries a list of leaked passwords, which uses this hash")
    if mentions(purpose.given() | purpose.fed() | purpose.around() | scope, _SECRETS):
        return bad(use.site, label, "protects a password, token or signature")
    if mentions(purpose.of_callers(codebase), _SECRETS):
        return bad(use.site, label, "protects a password, token or signature in the function's callers", Confidence.MEDIUM)
    if mentions(purpose.texts(), _TEXTS) and not purpose.around() & _NAMED:
        return bad(use.site, label, "used in a function that mentions sensitive values", Confidence.MEDIUM)
    return good(use.site, label, "no use for security is seen")


RULE = CheckRule(
    title="Weak hash function",
    kind="hash",
    cwe=328,
    severity=Severity.MEDIUM,
    guesses=(Guess.NAME,),
    consequence="An attacker can guess the hashed value, or find a second input with the same hash.",
    remedy="Hash passwords with scrypt, Argon2 or bcrypt; use SHA-256 or better elsewhere.",
    check=_check,
    query="hash functions",
    in_tests=True,
)


_WEAK = vocabulary("md5 md4 md2 sha1 rmd160 ripemd160 sha")
_PACKAGES = {
    **dict.fromkeys(("md5", "blueimp-md5", "crypto-js.MD5", "crypto-js/md5"), "md5"),
    **dict.fromkeys(("sha1", "js-sha1", "crypto-js.SHA1", "crypto-js/sha1"), "sha1"),
    **dict.fromkeys(("sha256", "js-sha256", "crypto-js.SHA256", "crypto-js/sha256"), "sha256"),
}
_PASSWORDS = vocabulary("password passwd pwd passphrase pass")
_SCRIPT_SECRETS = vocabulary("token secret signature sign signed otp pin apikey hmac credential auth security")


def _check_script(seen: SeenCall) -> Match | None:
    name = (_PACKAGES.get(seen.name) or seen.text(0) or "").lower().replace("-", "")
    if not name:
        return seen.good("hash function", "chosen elsewhere")
    around = seen.around() | _fed(seen)
    if mentions(around, _PASSWORDS):
        return seen.bad(name, "hashes a password fast enough to guess it")
    if name in _WEAK and mentions(around, _SCRIPT_SECRETS):
        return seen.bad(name, "protects a token or a signature")
    return seen.good(name, "no use for security is seen")


def _fed(seen: SeenCall) -> frozenset[str]:
    """Name words of the hashed data: arguments of this call, or of `update` on the same hash."""
    found = set(words_in(*seen.node.arguments)) if seen.name != "crypto.createHash" else set[str]()
    for node in seen.nearby():
        callee = node.callee if isinstance(node, ir.Call) else None
        if isinstance(node, ir.Call) and isinstance(callee, ir.Attribute) and callee.name == "update":
            found |= words_in(*node.arguments) if any(each is seen.node for each in walk(callee)) else set[str]()
    return frozenset(found)


SCRIPTS = RULE.in_scripts(
    CallRule,
    remedy="Hash passwords with bcrypt, scrypt or Argon2; use SHA-256 or better elsewhere.",
    calls=("crypto.createHash", *_PACKAGES),
    check=_check_script,
    query="hash functions",
)
