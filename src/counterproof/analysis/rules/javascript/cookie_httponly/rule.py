"""Session cookie that scripts in the page can read, in JavaScript and TypeScript.

## What it finds
A cookie whose name speaks of a session or a token and that is set without `httpOnly`, and session middleware that switches
it off.

## Why it matters
A script that is smuggled into one page can send the cookie away, and with it the session.

## What is safe
`httpOnly: true`; the default of `express-session` and `cookie-session`.

## Limits
Cookies with harmless names are recorded and not reported. Options that are put together elsewhere are not judged.
"""

from counterproof.analysis.config.cookies import SESSION_MIDDLEWARE
from counterproof.analysis.flow.seen_calls import SeenCall, is_true
from counterproof.analysis.outline.words import mentions, vocabulary, words
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_NAMES = vocabulary("session sess sid token jwt auth access refresh remember login user credential secret")


def _check(seen: SeenCall) -> Match | None:
    if seen.name in SESSION_MIDDLEWARE:
        nested = seen.option(0, "cookie", "httpOnly")
        given = nested if nested is not None else seen.option(0, "httpOnly")
        if given is not None and is_true(given) is False:
            return seen.bad("session cookie", "httpOnly is switched off")
        return seen.good("session cookie", "httpOnly is on or not touched")
    name = seen.text(0) or ""
    if is_true(seen.option(2, "httpOnly")) is not False:
        return seen.good(f"cookie {name}".strip(), "httpOnly is on or computed")
    if not mentions(frozenset(words(name)), _NAMES) or seen.text(1) == "":
        return seen.good(f"cookie {name}".strip(), "its name or value holds nothing secret")
    return seen.bad(f"cookie {name}", "set without httpOnly")


RULE = CallRule(
    RuleInfo(
        id="javascript-cookie-httponly",
        title="Session cookie without HttpOnly",
        dimension=Dimension.D8,
        kind="cookie",
        cwe=1004,
        severity=Severity.LOW,
        posture=True,
        impact=Impact.PARTIAL,
        consequence="A script in the page can read the cookie and send it away.",
        remedy="Set httpOnly: true.",
    ),
    calls=(*SESSION_MIDDLEWARE, "http.ServerResponse().cookie", "fastify.FastifyReply().setCookie"),
    check=_check,
    query="cookies that are set, and session middleware",
)
