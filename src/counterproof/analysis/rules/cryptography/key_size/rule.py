"""Keys that are too short.

## What it finds
RSA and DSA keys under 2048 bits and elliptic curves under 224 bits, in `cryptography` and PyCryptodome.

## Why it matters
Such keys can be broken with rented computers; what was recorded today can be read then.

## What is safe
RSA with 2048 bits or more, P-256 and larger curves, Ed25519 and X25519.

## Limits
Sizes that come from configuration are not read.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.values import literal
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, keyword
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Guess, Match, Severity
from counterproof.analysis.syntax.ir import Call, Expr

MIN_BITS = 2048
_GENERATORS = (
    "cryptography.hazmat.primitives.asymmetric.rsa.generate_private_key",
    "cryptography.hazmat.primitives.asymmetric.dsa.generate_private_key",
)
_PYCRYPTO = names("cryptography", "key-generation")
_SMALL_CURVES = ("SECP192R1", "SECT163K1", "SECT163R2", "SECP160R1")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        size = _size(outline, site)
        if size is not None:
            bits = literal(codebase, outline, size, site.function)
            short = isinstance(bits, int) and bits < MIN_BITS
            yield bad(site, "key size", f"{bits} bits") if short else good(site, "key size", "long enough, or configurable")
        elif outline.dotted(site.node.callee).rpartition(".")[2] in _SMALL_CURVES:
            yield bad(site, "curve", "too small")


def _size(outline: Outline, site: Site[Call]) -> Expr | None:
    dotted = outline.dotted(site.node.callee)
    if dotted == _GENERATORS[0]:
        return argument(site.node, 1, "key_size")
    if dotted == _GENERATORS[1]:
        return argument(site.node, 0, "key_size")
    return argument(site.node, 0, "bits") or keyword(site.node, "nbits") if dotted in _PYCRYPTO else None


RULE = CheckRule(
    title="Key too short",
    kind="keys",
    cwe=326,
    severity=Severity.MEDIUM,
    guesses=(Guess.UNKNOWN_USE,),
    consequence="The key can be computed by an attacker with moderate means.",
    remedy="Use RSA with at least 2048 bits, P-256, or Ed25519.",
    check=_check,
    query="sizes of generated keys",
    in_tests=True,
)
