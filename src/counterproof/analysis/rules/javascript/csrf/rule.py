"""Forms of other sites are accepted, in JavaScript and TypeScript.

## What it finds
Session middleware in a program that has no protection against forged requests: no token package, and a cookie without
`sameSite`.

## Why it matters
A page of another site can send a form in the visitor's name, and the session cookie goes with it.

## What is safe
`sameSite: "lax"` or `"strict"`; `csurf`, `csrf-csrf`, `lusca` and their like.

## Limits
A check of one's own is not recognised, so that confidence is medium.
"""

from counterproof.analysis.flow.observing import SeenCall
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_MIDDLEWARE = ("express-session", "cookie-session", "client-sessions", "koa-session", "@fastify/session")
_PROTECTING = vocabulary(
    "csurf csrf-csrf lusca csrf tiny-csrf koa-csrf @fastify/csrf-protection csrf-sync @dr.pogodin/csurf ncsrf double-csrf"
)


def _check(seen: SeenCall) -> Match | None:
    nested = seen.option(0, "cookie", "sameSite")
    given = nested if nested is not None else seen.option(0, "sameSite")
    if given is not None and given.const not in ("none", "None", False):
        return seen.good("session cookie", "sameSite is set or computed")
    found = sorted(seen.packages() & _PROTECTING)
    if found:
        return seen.good("session cookie", f"the program uses {found[0]}")
    return seen.bad(
        "session cookie", "goes with requests that other sites cause, and nothing asks for a token", Confidence.MEDIUM
    )


RULE = CallRule(
    RuleInfo(
        id="javascript-csrf",
        title="Requests that other sites cause are accepted",
        dimension=Dimension.D3,
        kind="csrf",
        cwe=352,
        severity=Severity.MEDIUM,
        impact=Impact.PARTIAL,
        consequence="Other sites can act in the name of whoever is logged in.",
        remedy="Set sameSite on the session cookie, or ask for a token in every form.",
    ),
    calls=_MIDDLEWARE,
    check=_check,
    query="session middleware",
)
