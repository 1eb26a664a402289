"""Session cookies sent over plain HTTP.

## What it finds
`SESSION_COOKIE_SECURE`, `CSRF_COOKIE_SECURE`, `REMEMBER_COOKIE_SECURE` and similar settings set to false, `secure=False` on
any cookie, session cookies set without `secure`, and Django settings that configure sessions but do not set
`SESSION_COOKIE_SECURE`. In JavaScript: session middleware without `secure`, and a cookie set without it whose name suggests a
session or a token.

## Why it matters
A cookie without `Secure` is sent over plain HTTP too, so anyone on the path can read a session and use it.

## What is safe
`secure=True`, settings that turn it on, cookies that are being deleted, and cookies whose name suggests no session. In
JavaScript also `secure: "auto"`, or a value that depends on the environment.

## Limits
Session cookies are recognised by the name of the cookie and of its value. Of framework defaults only Django's is reported, at
low severity. A proxy that adds the flag is not seen.
"""

from functools import partial

from counterproof.analysis.config.cookies import cookie_flag
from counterproof.analysis.config.patterns import Bad, Matching, Settings
from counterproof.analysis.config.places import Place
from counterproof.analysis.flow.seen_calls import COOKIE_CALLS
from counterproof.analysis.flow.seen_calls import cookie_flag as script_flag
from counterproof.analysis.program.settings import django_settings
from counterproof.analysis.ruleset import CallRule, CheckRule, Confidence, Severity

_SETTINGS = tuple(f"{name}_COOKIE_SECURE" for name in ("SESSION", "CSRF", "REMEMBER", "JWT"))


def _is_unset(at: Place) -> bool:
    """Return True if settings configure sessions and never set the flag: Django's default is off."""
    return not any(_SETTINGS[0] in each.top_level for each in django_settings(at.codebase))


RULE = CheckRule(
    title="Cookie without Secure",
    kind="cookie",
    cwe=614,
    severity=Severity.LOW,
    posture=True,
    consequence="Anyone on the network path can read the cookie and take over the session.",
    remedy="Set the Secure flag on every cookie that identifies a user.",
    check=Matching(
        *cookie_flag("secure", *_SETTINGS),
        Settings(
            ("SESSION_ENGINE",),
            only=lambda at: at.django and not at.development,
            bad=Bad(_is_unset, "never set, and off by default", Confidence.MEDIUM),
            item=_SETTINGS[0],
        ),
    ),
    query="Secure flag of cookies",
    in_tests=True,
)

SCRIPTS = RULE.in_scripts(
    CallRule,
    remedy="Set secure: true.",
    calls=COOKIE_CALLS,
    check=partial(script_flag, flag="secure"),
    query="cookies that are set, and session middleware",
)
