"""Endpoints without the login check that similar endpoints have.

## What it finds
Handlers without a login check where comparable handlers have one. Reported are: handlers that change stored data, or whose
name suggests administration, exports or secrets, in a file where at least two handlers, and at least half of them, require a
login; the only unguarded handler in a file where five or more require one; handlers whose name suggests administration in an
application that requires a login anywhere; handlers that read personal data when every other handler that reads it is
guarded; and login decorators placed above the route decorator, where they have no effect. In JavaScript and TypeScript, where
handlers have files of their own, routes with the same first path segment are compared.

## Why it matters
Anyone who knows or guesses the URL can call the endpoint without logging in.

## What is safe
A login decorator, a dependency, a base class or a check inside the handler; endpoints that are public by nature, such as the
login itself or a health check.

## Limits
Guards in front of the application, for example in a proxy, are not seen. If no handler is guarded, there is nothing to
compare with.
"""

from counterproof.analysis.control.access import missing_logins, open_among_guarded, passed_by
from counterproof.analysis.ruleset import ControlRule, Severity

RULE = ControlRule(
    title="Missing authentication",
    kind="login",
    guard="a login",
    cwe=306,
    severity=Severity.HIGH,
    consequence="Anyone can call it without logging in.",
    remedy="Protect it with the same login check as the neighbouring endpoints.",
    check=lambda site: (
        *passed_by(site.quotes, site.program, site.operations),
        *missing_logins(site.quotes, site.operations),
        *open_among_guarded(site.quotes, site.program, site.operations),
    ),
    rank=1,
)
