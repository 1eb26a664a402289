"""Session cookies that scripts can read.

## What it finds
`SESSION_COOKIE_HTTPONLY` and the like set to false, `httponly=False` on a session cookie or on a session storage,
`cookies["sid"]["httponly"] = False`, and session cookies set without `httponly`. In scripts: a cookie whose name speaks of a
session or a token and that is set without `httpOnly`, and session middleware that switches it off.

## Why it matters
A cookie without `HttpOnly` can be read by any script on the page, so one cross-site scripting hole is enough to steal sessions.

## What is safe
`httponly=True`, settings left alone (Flask and Django switch it on for their sessions), and cookies that carry no session. The
default of `express-session` and `cookie-session`.

## Limits
Whether a cookie carries a session is read from its name and its value's name. `CSRF_COOKIE_HTTPONLY` is left alone: scripts are
meant to read that cookie. Options of scripts that are put together elsewhere are not judged.
"""

from functools import partial

from counterproof.analysis.config.cookies import cookie_flag
from counterproof.analysis.config.patterns import Matching
from counterproof.analysis.flow.seen_calls import COOKIE_CALLS, SECRETS
from counterproof.analysis.flow.seen_calls import cookie_flag as script_flag
from counterproof.analysis.ruleset import CallRule, CheckRule, Severity

RULE = CheckRule(
    title="Session cookie without HttpOnly",
    kind="cookie",
    cwe=1004,
    severity=Severity.LOW,
    posture=True,
    consequence="A script that runs in a user's page can read the cookie and take over the session.",
    remedy="Set the HttpOnly flag on every cookie that identifies a user.",
    check=Matching(*cookie_flag("httponly", "SESSION_COOKIE_HTTPONLY", "REMEMBER_COOKIE_HTTPONLY", "JWT_COOKIE_HTTPONLY")),
    query="HttpOnly flag of cookies",
    in_tests=True,
)

SCRIPTS = RULE.in_scripts(
    CallRule,
    remedy="Set httpOnly: true.",
    calls=COOKIE_CALLS,
    check=partial(script_flag, flag="httpOnly", secrets=SECRETS | {"user"}, by_default=True),
    query="cookies that are set, and session middleware",
)
