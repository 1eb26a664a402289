"""Passwords hashed with the same salt for every user.

## What it finds
A constant salt passed to PBKDF2, scrypt, Argon2 or bcrypt, in `hashlib`, `cryptography`, PyCryptodome and `bcrypt`.

## Why it matters
With a shared salt, equal passwords have equal hashes, and one precomputed table of guesses works against every account.

## What is safe
`os.urandom`, `secrets.token_bytes`, `bcrypt.gensalt`, a salt that was stored with the hash.

## Limits
A salt passed as a parameter is assumed to be per user. A constant salt used to derive a key from a secret of the program,
rather than from a user's password, is skipped where the names say so.
"""

from itertools import takewhile

from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import Place, fixed
from counterproof.analysis.libraries import sinks
from counterproof.analysis.libraries.matcher import dangerous_arguments
from counterproof.analysis.program.words import vocabulary, words_in
from counterproof.analysis.program.written_calls import WrittenCall
from counterproof.analysis.ruleset import CheckRule, Severity
from counterproof.analysis.syntax.ir import Expr

_OWN_SECRETS = vocabulary("key secret master setting settings config environ env")
_SALTED = {each.call: each for each in sinks("salt")}


def _salt(at: Place) -> Expr | None:
    return next(iter(dangerous_arguments(_SALTED[at.name], WrittenCall(at.call))), None)


def _of_password(at: Place) -> bool:
    """Return True unless the argument before the salt is a secret of the program itself."""
    before = takewhile(lambda each: each.value is not at.value, at.call.arguments)
    return fixed(at) and not words_in(*(each.value for each in before if each.keyword in ("", "password"))) & _OWN_SECRETS


RULE = CheckRule(
    title="Fixed password salt",
    kind="hash",
    cwe=760,
    severity=Severity.MEDIUM,
    consequence="An attacker computes guesses once and tries them against every account.",
    remedy="Generate a fresh salt for every password and store it with the hash.",
    check=Matching(
        Calls(tuple(_SALTED), _salt),
        bad=Bad(_of_password, "always the same"),
        good="not a constant, or for a secret of the program's own",
        item="salt",
    ),
    query="salts of password hashes",
    in_tests=True,
)
