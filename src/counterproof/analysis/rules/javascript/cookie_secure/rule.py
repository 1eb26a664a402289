"""Session cookie that travels over plain connections, in JavaScript and TypeScript.

## What it finds
Session middleware without `secure`, and a cookie whose name speaks of a session or a token and that is set without it.

## Why it matters
Whoever listens on the network reads the cookie and takes the session over.

## What is safe
`secure: true`, `secure: "auto"`, or a value that depends on the environment.

## Limits
A proxy that adds the flag is not seen.
"""

from counterproof.analysis.config.cookies import SESSION_MIDDLEWARE
from counterproof.analysis.flow.seen_calls import SeenCall, is_true
from counterproof.analysis.outline.words import mentions, vocabulary, words
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_NAMES = vocabulary("session sess sid token jwt auth access refresh remember login credential secret")


def _check(seen: SeenCall) -> Match | None:
    if seen.name in SESSION_MIDDLEWARE:
        nested = seen.option(0, "cookie", "secure")
        given = nested if nested is not None else seen.option(0, "secure")
        if is_true(given) is False:
            return seen.bad("session cookie", "set without secure")
        return seen.good("session cookie", "secure is on or computed")
    name = seen.text(0) or ""
    if is_true(seen.option(2, "secure")) is not False:
        return seen.good(f"cookie {name}".strip(), "secure is on or computed")
    if not mentions(frozenset(words(name)), _NAMES) or seen.text(1) == "":
        return seen.good(f"cookie {name}".strip(), "its name or value holds nothing secret")
    return seen.bad(f"cookie {name}", "set without secure")


RULE = CallRule(
    RuleInfo(
        id="javascript-cookie-secure",
        title="Session cookie without Secure",
        dimension=Dimension.D8,
        kind="cookie",
        cwe=614,
        severity=Severity.LOW,
        posture=True,
        impact=Impact.PARTIAL,
        consequence="Whoever listens on the network can take the session over.",
        remedy="Set secure: true.",
    ),
    calls=(*SESSION_MIDDLEWARE, "http.ServerResponse().cookie", "fastify.FastifyReply().setCookie"),
    check=_check,
    query="cookies that are set, and session middleware",
)
