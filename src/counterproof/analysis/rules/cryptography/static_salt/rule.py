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

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.config.values import is_fixed
from counterproof.analysis.outline.traversal import argument, keyword
from counterproof.analysis.outline.words import vocabulary, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Call
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_POSITIONS = {
    "hashlib.pbkdf2_hmac": (2, 1),
    "hashlib.scrypt": (None, 0),
    "bcrypt.hashpw": (1, 0),
    "Crypto.Protocol.KDF.PBKDF2": (1, 0),
    "Crypto.Protocol.KDF.scrypt": (1, 0),
    "Cryptodome.Protocol.KDF.PBKDF2": (1, 0),
    "Cryptodome.Protocol.KDF.scrypt": (1, 0),
    "argon2.low_level.hash_secret": (1, 0),
    "argon2.low_level.hash_secret_raw": (1, 0),
    "cryptography.hazmat.primitives.kdf.pbkdf2.PBKDF2HMAC": (2, None),
    "cryptography.hazmat.primitives.kdf.scrypt.Scrypt": (0, None),
}
"""Where the salt stands, and where the secret."""
_OWN_SECRETS = vocabulary("key secret master setting settings config environ env")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        positions = _POSITIONS.get(outline.dotted(site.node.callee))
        salt = keyword(site.node, "salt") if positions else None
        if positions and salt is None and positions[0] is not None:
            salt = argument(site.node, positions[0], "salt")
        if positions is None or salt is None:
            continue
        hashed = argument(site.node, positions[1], "password") if positions[1] is not None else None
        if is_fixed(codebase, outline, salt, site.function) and not (hashed and words_in(hashed) & _OWN_SECRETS):
            yield bad(site, "salt", "always the same")
        else:
            yield good(site, "salt", "not a constant, or for a secret of the program's own")


RULE = CheckRule(
    RuleInfo(
        id="static-salt",
        title="Fixed password salt",
        dimension=Dimension.D7,
        kind="hash",
        cwe=760,
        severity=Severity.MEDIUM,
        impact=Impact.PARTIAL,
        consequence="An attacker computes guesses once and tries them against every account.",
        remedy="Draw a fresh salt for every password and store it with the hash.",
    ),
    _check,
    python_file,
    query="salts of password hashes",
    in_tests=True,
)
