"""Administrative endpoints without the role check of their neighbours.

## What it finds
A handler that asks for a login only, in a file where at least three handlers, and at least seven of ten, ask for a role. Also one
that changes what all other handlers change for certain roles only, and one that gives roles or permissions to anyone who is
logged in.
In JavaScript and TypeScript: a route whose address says admin, whose guard asks for a login only and whose handler speaks of no
role.

## Why it matters
Every account gets what only administrators should have.

## What is safe
The same role check as on the other handlers, on the handler itself, its class or its router.

## Limits
Roles that are decided by a policy engine or in the database are not seen.
"""

from counterproof.analysis.control.access import missing_roles
from counterproof.analysis.ruleset import ControlRule, Severity

RULE = ControlRule(
    title="Missing role check on an administrative endpoint",
    kind="role",
    guard="a role",
    cwe=285,
    severity=Severity.HIGH,
    consequence="A caller without the administrative role gets what only administrators should.",
    remedy="Check the caller's role the way the other administrative endpoints do.",
    check=lambda site: missing_roles(site.quotes, site.program, site.operations),
)
