"""Token keys written into the code.

## What it finds
A literal, or a constant of the project, given as the key when a JSON Web Token is signed or checked with an HMAC algorithm. A
constant that is called a secret is reported once, where it gets its value.

## Why it matters
Whoever has seen the code, or guesses a short word, can sign tokens for any user.

## What is safe
Keys from the environment or a secret store, and public keys.

## Limits
Keys that reach the call through configuration objects are the business of the secret checks.
"""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.config.values import literal
from counterproof.analysis.outline.traversal import argument
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.secrets.secret_names import Kind, secret_kind
from counterproof.analysis.secrets.values import judge
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Name
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_CALLS = ("jwt.encode", "jwt.decode", "jose.jwt.encode", "jose.jwt.decode")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    seen: set[str] = set()
    for site in outline.of(Call):
        if outline.dotted(site.node.callee) not in _CALLS:
            continue
        given = argument(site.node, 1, "key")
        key = literal(codebase, outline, given, site.function)
        text = key.decode("utf-8", "replace") if isinstance(key, bytes) else key
        if isinstance(text, str) and text and "-----BEGIN PUBLIC" not in text:
            if text in seen:
                match = good(site, "token key", "the same key as above")
            elif _is_named_secret(given) and judge(text, Kind.KEY).secret:
                match = good(site, "token key", "written into the code where it gets its name, and told of there")
            else:
                match = bad(site, "token key", "written into the code")
            yield replace(match, secret=text)
            seen.add(text)
        else:
            yield good(site, "token key", "not a literal")


def _is_named_secret(given: Expr | None) -> bool:
    """`SECRET_KEY`, `config.JWT_SECRET`: the search for secrets knows such a literal by its name."""
    name = given.id if isinstance(given, Name) else given.name if isinstance(given, Attribute) else ""
    return bool(name) and secret_kind(name) is Kind.KEY


RULE = CheckRule(
    RuleInfo(
        id="jwt-static-key",
        title="Hard-coded JWT key",
        dimension=Dimension.D2,
        kind="token",
        cwe=321,
        severity=Severity.HIGH,
        impact=Impact.FULL,
        consequence="Whoever knows the code can sign tokens for any user.",
        remedy="Read the key from the environment or a secret store, and rotate the one that was in the code.",
    ),
    _check,
    python_file,
    query="keys of JSON Web Tokens",
)
