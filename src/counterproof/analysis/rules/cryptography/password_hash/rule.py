"""Passwords hashed with a function made to be fast.

## What it finds
SHA-2, SHA-3 or BLAKE2 applied directly to a password, PBKDF2 with few iterations, Werkzeug's `generate_password_hash` told to
use a plain hash (`method="sha256"`), a passlib context whose first scheme is an old one such as `md5_crypt`, and bcrypt with a
salt that stands in the code.

## Why it matters
A graphics card tries billions of such hashes a second, so most stolen passwords are found within days.

## What is safe
`scrypt`, Argon2, bcrypt, PBKDF2 with at least 100,000 iterations, and the framework's own password functions.

## Limits
That a value is a password is read from its name. MD5 and SHA-1 are reported by `weak-hash`.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.hashes import PASSWORD_HASHES, HashUse, hash_uses
from counterproof.analysis.config.settings import for_development, settings_of
from counterproof.analysis.config.values import literal
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, called, keyword, text_of
from counterproof.analysis.program.words import mentions, vocabulary, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Concat, Format, Name, Sequence
from counterproof.analysis.syntax.walk import walk

MIN_ITERATIONS = 100_000
_PASSWORDS = vocabulary("password passwd pwd passphrase")
_WEAK_HASHERS = ("MD5", "SHA1PasswordHasher", "CryptPasswordHasher", "UnsaltedSHA1")
_WERKZEUG = "werkzeug.security.generate_password_hash"
_SLOW = ("pbkdf2", "scrypt")
_OLD_SCHEMES = (
    "md5_crypt", "des_crypt", "bsdi_crypt", "bigcrypt", "crypt16", "sha1_crypt", "plaintext", "ldap_plaintext",
    "ldap_md5", "ldap_sha1", "ldap_salted_md5", "ldap_salted_sha1", "hex_md4", "hex_md5", "hex_sha1", "hex_sha256",
    "hex_sha512", "lmhash", "nthash", "mysql323", "mysql41", "django_salted_md5", "django_salted_sha1", "apr_md5_crypt",
)  # fmt: skip
"""Schemes of passlib that are fast, or no hash at all."""
_FAST = ("sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256", "sha3_384", "sha3_512", "blake2b", "blake2s")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    yield from _hashers(outline)
    for use in hash_uses(codebase, outline):
        if use.algorithm in _FAST and mentions(_spoken(outline, use.site), _PASSWORDS):
            yield bad(use.site, use.algorithm, "a fast hash of a password", Confidence.MEDIUM)
        elif use.algorithm == "pbkdf2_hmac":
            yield _iterations(codebase, outline, use)
        elif use.algorithm in PASSWORD_HASHES:
            yield good(use.site, use.algorithm, "made for passwords")
    for site in outline.of(Call):
        yield from _library(codebase, outline, site)


def _spoken(outline: Outline, site: Site[Call]) -> frozenset[str]:
    """The words of what is hashed, and of what its variables were put together from, one step back."""
    spoken = words_in(*site.node.arguments)
    for node in walk(*site.node.arguments):
        made = outline.local(site.function, node.id) if isinstance(node, Name) else None
        joined = made.value if made is not None else None
        if isinstance(joined, Format | Concat) or (isinstance(joined, Call) and called(joined) == "format"):
            spoken |= words_in(joined)
    return spoken


def _library(codebase: Codebase, outline: Outline, site: Site[Call]) -> Iterator[Match]:
    """Password functions of libraries that were told to be weak."""
    dotted = outline.dotted(site.node.callee)
    if dotted == _WERKZEUG:
        method = literal(codebase, outline, argument(site.node, 1, "method"), site.function)
        weak = isinstance(method, str) and not method.startswith(_SLOW)
        yield (
            bad(site, "generate_password_hash", f"one round of {method}")
            if weak
            else good(site, "generate_password_hash", "slow")
        )
    elif dotted == "passlib.context.CryptContext":
        given = argument(site.node, 0, "schemes")
        first = given.items[0] if isinstance(given, Sequence) and given.items else given
        scheme = text_of(first) or ""
        yield (
            bad(site, "CryptContext", f"new passwords get {scheme}")
            if scheme in _OLD_SCHEMES
            else good(site, "CryptContext", scheme or "chosen at run time")
        )
    elif dotted == "bcrypt.hashpw":
        salt = argument(site.node, 1, "salt")
        salt = salt.callee.value if isinstance(salt, Call) and isinstance(salt.callee, Attribute) else salt
        if isinstance(literal(codebase, outline, salt, site.function), str | bytes):
            yield bad(site, "bcrypt.hashpw", "every password gets the same salt")


def _hashers(outline: Outline) -> Iterator[Match]:
    """Django hashes new passwords with the first of its list."""
    for setting in settings_of(outline, frozenset({"PASSWORD_HASHERS"})):
        items = setting.value.items if isinstance(setting.value, Sequence) else (setting.value,)
        first = (text_of(items[0]) or "") if items else ""
        weak = any(mark in first for mark in _WEAK_HASHERS)
        if weak and not for_development(outline, setting.owner):
            yield bad(setting.site, "PASSWORD_HASHERS", "new passwords get a fast hash")
        else:
            yield good(setting.site, "PASSWORD_HASHERS", "made for passwords, or for development")


def _iterations(codebase: Codebase, outline: Outline, use: HashUse) -> Match:
    given = argument(use.site.node, 3, "iterations") or keyword(use.site.node, "rounds")
    count = literal(codebase, outline, given, use.site.function)
    if isinstance(count, int) and count < MIN_ITERATIONS:
        return bad(use.site, "pbkdf2_hmac", f"only {count} iterations")
    return good(use.site, "pbkdf2_hmac", "enough iterations, or chosen at run time")


RULE = CheckRule(
    title="Password hashed with a fast function",
    kind="password",
    cwe=916,
    severity=Severity.MEDIUM,
    consequence="Stolen password hashes can be guessed at high speed.",
    remedy="Use scrypt, Argon2 or bcrypt with a salt per password.",
    check=_check,
    query="password hashing",
    in_tests=True,
)
