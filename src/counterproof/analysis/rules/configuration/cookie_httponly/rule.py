"""Session cookies that scripts can read.

## What it finds
`SESSION_COOKIE_HTTPONLY` and similar settings set to false, `httponly=False` on a session cookie or session storage, and
session cookies set without `httponly`. In JavaScript: a cookie set without `httpOnly` whose name suggests a session or a
token, and session middleware that turns it off.

## Why it matters
Any script on the page can read a cookie without `HttpOnly`, so one cross-site scripting vulnerability is enough to steal
sessions.

## What is safe
`httponly=True`, default settings (Flask and Django turn it on for their sessions), and cookies that carry no session. The
default of `express-session` and `cookie-session`.

## Limits
Session cookies are recognised by the name of the cookie and of its value. `CSRF_COOKIE_HTTPONLY` is not checked: scripts need
to read that cookie. In JavaScript, options defined elsewhere are not checked.
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
