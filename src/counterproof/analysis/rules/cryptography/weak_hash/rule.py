"""Broken hash functions where security depends on them.

## What it finds
MD2, MD4, MD5 and SHA-1 (through `hashlib`, `cryptography`, PyCryptodome, passlib or `hashlib.new`) applied to passwords, tokens,
secrets or signatures, or in a function whose texts speak of such values.

## Why it matters
For MD5 and SHA-1 two inputs with the same hash can be made, and both are so fast that stolen password hashes are guessed in
hours.

## What is safe
SHA-256 and better for integrity, password hashes such as scrypt, Argon2 and bcrypt, `usedforsecurity=False`, and broken functions
as checksums, cache keys or identifiers.

## Limits
What a hash is for is read from names and texts around it. Where only texts say so the confidence is medium.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.config.hashes import HashUse, hash_uses
from counterproof.analysis.config.purpose import Purpose
from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.words import mentions, vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Guess
from counterproof.model.severity import Confidence, Impact, Severity

_BROKEN = ("md2", "md4", "md5", "sha", "sha1")
_SECRETS = vocabulary("password passwd pwd passphrase secret credential token signature sign otp pin apikey authenticate login")
_CACHES = vocabulary("etag checksum")
_LEAKED = vocabulary("pwnedpasswords pwned haveibeenpwned hibp")
_NAMED = vocabulary("url uri cache filename thumbnail etag checksum")
"""What a value is called that only tells things apart; stronger than texts around it."""
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
        return good(use.site, label, "tells whether something changed")
    if purpose.texts() & _LEAKED:
        return good(use.site, label, "asks a list of leaked passwords, which is kept by this hash")
    if mentions(purpose.given() | purpose.fed() | purpose.around() | scope, _SECRETS):
        return bad(use.site, label, "protects a password, token or signature")
    if mentions(purpose.of_callers(codebase), _SECRETS):
        return bad(use.site, label, "protects a password, token or signature of those who call the function", Confidence.MEDIUM)
    if mentions(purpose.texts(), _TEXTS) and not purpose.around() & _NAMED:
        return bad(use.site, label, "used in a function that speaks of sensitive values", Confidence.MEDIUM)
    return good(use.site, label, "no use for security is seen")


RULE = CheckRule(
    RuleInfo(
        id="weak-hash",
        title="Weak hash function",
        dimension=Dimension.D7,
        kind="hash",
        cwe=328,
        severity=Severity.MEDIUM,
        guesses=(Guess.NAME,),
        impact=Impact.PARTIAL,
        consequence="Hashes can be reversed by guessing or matched by a second input.",
        remedy="Hash passwords with scrypt, Argon2 or bcrypt; use SHA-256 or better elsewhere.",
    ),
    _check,
    python_file,
    query="hash functions",
    in_tests=True,
)
