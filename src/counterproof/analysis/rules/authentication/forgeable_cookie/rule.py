"""Cookies that say who the user is and that anyone can write.

## What it finds
`set_cookie` with a name that stands for a user, a role or a session, whose value is a user's name, id or role, plain or only
encoded (Base64, JSON, hexadecimal): nothing random, nothing signed, nothing encrypted.

## Why it matters
A cookie lives in the browser. Whoever writes another name or `admin` into it is that user, as soon as the server reads it back.

## What is safe
A random session id, a signed value (itsdangerous, JWT, `set_signed_cookie`, `set_secure_cookie`), the framework's own session.

## Limits
Whether the server believes the cookie later is seen only if the project reads a cookie of that name.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.config.cookies import cookie_name, is_deleted
from counterproof.analysis.config.identities import carries_identity, reads_cookie
from counterproof.analysis.outline.traversal import argument, keyword, spreads
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Attribute, Call
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_NAMES = vocabulary(
    "session sessionid sid auth login user username userid uid role admin isadmin identity account token remember"
)
_HARMLESS = vocabulary("csrf xsrf locale lang language theme last")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        callee = site.node.callee
        if not isinstance(callee, Attribute) or callee.name != "set_cookie" or spreads(site.node):
            continue
        name = cookie_name(codebase, outline, site)
        value = argument(site.node, 1, "value")
        spoken = set(words(name or ""))
        if value is None or not spoken & _NAMES or spoken & _HARMLESS or is_deleted(codebase, outline, site):
            continue
        if keyword(site.node, "secret") is not None or not carries_identity(outline, site, value):
            yield good(site, f"value of cookie {name}", "random, signed, or not known")
        elif reads_cookie(codebase, name or ""):
            yield bad(site, f"value of cookie {name}", "anyone can write it, and the server reads it back")
        else:
            yield bad(site, f"value of cookie {name}", "anyone can write it", Confidence.MEDIUM)


RULE = CheckRule(
    RuleInfo(
        id="forgeable-cookie",
        title="Identity cookie without a signature",
        dimension=Dimension.D2,
        kind="session",
        cwe=565,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="Whoever changes the cookie becomes any user they like.",
        remedy="Keep the identity in the framework's session, or sign the value and check the signature.",
    ),
    _check,
    python_file,
    query="values of cookies that name a user",
)
