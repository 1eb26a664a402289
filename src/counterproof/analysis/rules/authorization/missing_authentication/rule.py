"""Endpoints without the login that their neighbours ask for.

## What it finds
A handler that changes stored data, or whose name speaks of administration, exports or secrets, and that asks for no login, in a
file where at least two handlers, and at least half of them, do; and whatever it does, the only handler of a file without a login
where five or more have one. In an application that asks for a login anywhere, also a handler
whose name speaks of administration, one that reads what belongs to people while all others that read it are guarded, and one
that answers with accounts: everybody's, or the one that the request names, with addresses, roles or balances in them. And a
handler that hands a token to whoever names an account.
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

from counterproof.analysis.control.access import missing_logins, open_among_guarded
from counterproof.analysis.control.people import open_people
from counterproof.analysis.control.tokens import free_tokens
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = ControlRule(
    RuleInfo(
        id="missing-authentication",
        title="Missing authentication",
        dimension=Dimension.D3,
        kind="login",
        guard="a login",
        cwe=306,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="Anyone can call it, without being known to the application.",
        remedy="Protect it the way its neighbouring endpoints are protected.",
    ),
    lambda site: (
        *missing_logins(site.quotes, site.operations),
        *open_among_guarded(site.quotes, site.program, site.operations),
        *open_people(site.quotes, site.program, site.operations),
        *free_tokens(site.quotes, site.program, site.operations),
    ),
    rank=1,
)
