"""Initialisation vectors that are always the same.

## What it finds
A constant IV or nonce given to a cipher mode, written out or built from a repeated byte.

## Why it matters
With the same IV equal messages give equal ciphertexts; in counter and GCM modes two messages with one nonce reveal each other
and, in GCM, the authentication key.

## What is safe
`os.urandom`, `secrets.token_bytes`, `get_random_bytes`, an IV that was stored with the message.

## Limits
An IV that is a parameter is taken to be fresh.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.values import is_fixed
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import keyword, positional
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Guess, Match, Severity
from counterproof.analysis.syntax.ir import Call, Expr

_MODES = ("CBC", "CTR", "CFB", "CFB8", "OFB", "GCM")
_CIPHERS = ("Crypto.Cipher.", "Cryptodome.Cipher.")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        value = _vector(outline, site)
        if value is None:
            continue
        if is_fixed(codebase, outline, value, site.function):
            yield bad(site, "initialisation vector", "always the same")
        else:
            yield good(site, "initialisation vector", "not a constant")


def _vector(outline: Outline, site: Site[Call]) -> Expr | None:
    dotted = outline.dotted(site.node.callee)
    if dotted.startswith("cryptography.hazmat.primitives.ciphers.modes.") and dotted.rpartition(".")[2] in _MODES:
        return positional(site.node, 0) or keyword(site.node, "initialization_vector")
    if dotted.startswith(_CIPHERS) and dotted.endswith(".new"):
        return keyword(site.node, "iv") or keyword(site.node, "IV") or keyword(site.node, "nonce") or positional(site.node, 2)
    return None


RULE = CheckRule(
    title="Fixed initialization vector",
    kind="cipher",
    cwe=329,
    severity=Severity.MEDIUM,
    guesses=(Guess.UNKNOWN_USE,),
    consequence="Equal messages are recognisable, and in some modes messages can be decrypted.",
    remedy="Draw a fresh IV for every message and store it with the message.",
    check=_check,
    query="initialisation vectors",
    in_tests=True,
)
