"""Login that can be tried without end, in JavaScript and TypeScript.

## What it finds
A route for logins in a program that uses no package that limits requests, with nothing about attempts in its handlers.

## Why it matters
Passwords are tried out until one fits.

## What is safe
`express-rate-limit`, `rate-limiter-flexible`, `@nestjs/throttler` and their like; a counter of attempts.

## Limits
A limit in front of the program is not seen.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.words import mentions, vocabulary, words, words_in
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity
from counterproof.model.survey import Language

_ROUTERS = names("route", "instance", Language.JAVASCRIPT)
_LOGIN = vocabulary("login signin authenticate logon sessions")
_LIMITERS = frozenset(names("guard", "rate-limit", Language.JAVASCRIPT))
_COUNTING = vocabulary("attempt attempts limiter ratelimit throttle lockout locked captcha tries")


def _check(seen: SeenCall) -> Match | None:
    path = seen.route()
    spoken = words(path.rpartition("/")[2])
    if not {*spoken, "".join(spoken)} & _LOGIN or len(seen.arguments.positional) < (2 if seen.text(0) else 1):
        return None
    handlers = seen.functions()
    if not seen.name.startswith(_ROUTERS) and not any(len(each.parameters) > 1 for each in handlers):
        return None  # a request that the program sends
    found = sorted(seen.packages() & _LIMITERS)
    if found:
        return seen.good(f"POST {path}", f"the program uses {found[0]}")
    if mentions(words_in(*seen.node.arguments).union(*(words_in(*each.body) for each in handlers)), _COUNTING):
        return seen.good(f"POST {path}", "attempts are counted")
    return seen.bad(f"POST {path}", "nothing limits attempts", Confidence.MEDIUM)


RULE = CallRule(
    RuleInfo(
        id="javascript-login-limit",
        title="No rate limit on login",
        dimension=Dimension.D2,
        kind="login",
        cwe=307,
        severity=Severity.MEDIUM,
        posture=True,
        impact=Impact.PARTIAL,
        consequence="Passwords can be guessed without limit.",
        remedy="Limit attempts per account and address.",
    ),
    calls=("*.post", *(f"{router}.post" for router in _ROUTERS)),
    check=_check,
    query="routes for logins",
)
