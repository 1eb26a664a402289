"""Passwords hashed with one salt for all.

## What it finds
A constant salt given to PBKDF2, scrypt, Argon2 or bcrypt, in `hashlib`, `cryptography`, PyCryptodome and `bcrypt`.

## Why it matters
With one salt equal passwords have equal hashes, and a table of guesses that is worked out once opens every account.

## What is safe
`os.urandom`, `secrets.token_bytes`, `bcrypt.gensalt`, a salt that was stored with the hash.

## Limits
A salt that is a parameter is taken to be that of one user. A constant that derives a key from a secret of the program's own, and
not from somebody's password, is left out where the names say so.
"""

from collections.abc import Iterator
from itertools import takewhile

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.values import is_fixed
from counterproof.analysis.libraries import sinks
from counterproof.analysis.libraries.matcher import dangerous_arguments
from counterproof.analysis.program.words import vocabulary, words_in
from counterproof.analysis.program.written_calls import WrittenCall
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, Severity
from counterproof.analysis.syntax.ir import Call, Expr

_OWN_SECRETS = vocabulary("key secret master setting settings config environ env")
_SALTED = {each.call: each for each in sinks("salt")}


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        sink = _SALTED.get(outline.dotted(site.node.callee))
        salt = next(iter(dangerous_arguments(sink, WrittenCall(site.node))), None) if sink else None
        if salt is None:
            continue
        if is_fixed(codebase, outline, salt, site.function) and not _hashed_words(site.node, salt) & _OWN_SECRETS:
            yield bad(site, "salt", "always the same")
        else:
            yield good(site, "salt", "not a constant, or for a secret of the program's own")


def _hashed_words(call: Call, salt: Expr) -> frozenset[str]:
    """The words of what stands before the salt: the secret."""
    before = takewhile(lambda each: each.value is not salt, call.arguments)
    return frozenset(words_in(*(each.value for each in before if each.keyword in ("", "password"))))


RULE = CheckRule(
    title="Fixed password salt",
    kind="hash",
    cwe=760,
    severity=Severity.MEDIUM,
    consequence="An attacker computes guesses once and tries them against every account.",
    remedy="Draw a fresh salt for every password and store it with the hash.",
    check=_check,
    query="salts of password hashes",
    in_tests=True,
)
