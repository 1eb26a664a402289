"""Endpoints without the login that their neighbours ask for.

## What it finds
A handler that changes stored data, or whose name speaks of administration, exports or secrets, and that asks for no login, in a
file where at least two handlers, and at least half of them, do; and whatever it does, the only handler of a file without a login
where five or more have one. In an application that asks for a login anywhere, also a handler whose name speaks of administration,
and one that reads what belongs to people while all others that read it are guarded. Also a login decorator that stands above the
route: the route was given the function before, so that nobody is asked.
In JavaScript and TypeScript, where handlers have files of their own, routes under the same first part of the address are
compared.

## Why it matters
Whoever knows or guesses the address can call it without being known to the application.

## What is safe
A login decorator, a dependency, a base class or a check inside the handler; endpoints that are open by nature, such as the login
itself or a health check.

## Limits
Guards in front of the application, in a proxy for example, are not seen. Where nobody is guarded nothing can be compared.
"""

from counterproof.analysis.control.access import missing_logins, open_among_guarded, passed_by
from counterproof.analysis.ruleset import ControlRule, Severity

RULE = ControlRule(
    title="Missing authentication",
    kind="login",
    guard="a login",
    cwe=306,
    severity=Severity.HIGH,
    consequence="Anyone can call it, without being known to the application.",
    remedy="Protect it the way its neighbouring endpoints are protected.",
    check=lambda site: (
        *passed_by(site.quotes, site.program, site.operations),
        *missing_logins(site.quotes, site.operations),
        *open_among_guarded(site.quotes, site.program, site.operations),
    ),
    rank=1,
)
