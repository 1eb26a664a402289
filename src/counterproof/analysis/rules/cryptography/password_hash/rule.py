"""Passwords hashed with a fast hash function.

## What it finds
SHA-2, SHA-3 or BLAKE2 applied directly to a password, PBKDF2 with few iterations, Werkzeug's `generate_password_hash`
configured to use a plain hash (`method="sha256"`), a passlib context whose first scheme is outdated, such as `md5_crypt`, and
bcrypt with a hard-coded salt.

## Why it matters
A graphics card tries billions of such hashes a second, so most stolen passwords are found within days.

## What is safe
`scrypt`, Argon2, bcrypt, PBKDF2 with at least 100,000 iterations, and the framework's own password functions.

## Limits
Passwords are recognised by name. MD5 and SHA-1 are reported by `weak-hash`.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.hashes import PASSWORD_HASHES, hash_uses
from counterproof.analysis.config.patterns import Bad, Calls, Matching, Settings
from counterproof.analysis.config.places import Place, argument, below
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.words import mentions, vocabulary, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Concat, Expr, Format, Name, Sequence
from counterproof.analysis.syntax.walk import walk

_PASSWORDS = vocabulary("password passwd pwd passphrase")
_WEAK_HASHERS = ("MD5", "SHA1PasswordHasher", "CryptPasswordHasher", "UnsaltedSHA1")
_OLD_SCHEMES = vocabulary(
    """md5_crypt des_crypt bsdi_crypt bigcrypt crypt16 sha1_crypt plaintext ldap_plaintext ldap_md5 ldap_sha1 ldap_salted_md5
    ldap_salted_sha1 hex_md4 hex_md5 hex_sha1 hex_sha256 hex_sha512 lmhash nthash mysql323 mysql41 django_salted_md5
    django_salted_sha1 apr_md5_crypt"""
)
"""passlib schemes that are fast, or store plain text."""
_FAST = vocabulary("sha224 sha256 sha384 sha512 sha3_224 sha3_256 sha3_384 sha3_512 blake2b blake2s")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for use in hash_uses(codebase, outline):
        if use.algorithm in _FAST and mentions(_spoken(outline, use.site), _PASSWORDS):
            yield bad(use.site, use.algorithm, "a fast hash of a password", Confidence.MEDIUM)
        elif use.algorithm in PASSWORD_HASHES and use.algorithm != "pbkdf2_hmac":
            yield good(use.site, use.algorithm, "made for passwords")


def _spoken(outline: Outline, site: Site[Call]) -> frozenset[str]:
    """The name words of the hashed value, and of the variables it was built from, one assignment back."""
    made = [outline.behind(site.function, node) for node in walk(*site.node.arguments) if isinstance(node, Name)]
    joined = (each for each in made if isinstance(each, Format | Concat) or (isinstance(each, Call) and called(each) == "format"))
    return words_in(*site.node.arguments, *joined)


def _salt(at: Place) -> Expr | None:
    given = argument(1, "salt")(at)
    return given.callee.value if isinstance(given, Call) and isinstance(given.callee, Attribute) else given


def _starts_weak(at: Place) -> bool:
    """Return True if the first hasher is weak: Django and passlib hash new passwords with the first entry."""
    first = at.value.items[0] if isinstance(at.value, Sequence) and at.value.items else at.value
    name = text_of(first) or ""
    return name in _OLD_SCHEMES if at.setting is None else any(each in name for each in _WEAK_HASHERS) and not at.development


RULE = CheckRule(
    title="Password hashed with a fast function",
    kind="password",
    cwe=916,
    severity=Severity.MEDIUM,
    consequence="Stolen password hashes can be guessed at high speed.",
    remedy="Use scrypt, Argon2 or bcrypt with a salt per password.",
    check=Matching(
        Settings(("PASSWORD_HASHERS",), bad=Bad(_starts_weak, "new passwords get a fast hash")),
        Calls(
            ("passlib.context.CryptContext",), argument(0, "schemes"), bad=Bad(_starts_weak, "an outdated scheme for new ones")
        ),
        Calls(
            ("werkzeug.security.generate_password_hash",),
            argument(1, "method"),
            bad=Bad(lambda at: bool(at.text()) and not at.text().startswith(("pbkdf2", "scrypt")), "one round of {value}"),
        ),
        Calls(
            ("bcrypt.hashpw",),
            _salt,
            bad=Bad(lambda at: isinstance(at.literal(), str | bytes), "every password gets the same salt"),
        ),
        Calls(("hashlib.pbkdf2_hmac",), argument(3, "iterations", "rounds"), bad=Bad(below(100_000), "only {value} iterations")),
        good="made for passwords, or chosen at run time",
        item="{last}",
        also=_check,
    ),
    query="password hashing",
    in_tests=True,
)
