"""Administrative endpoints without the role check that similar endpoints have.

## What it finds
A handler that requires only a login, in a file where at least three handlers, and at least 70%, require a role; a handler
that changes data which every other handler changes only for certain roles; a handler that grants roles or permissions to any
logged-in user. In JavaScript and TypeScript: a route whose path contains admin, whose guard requires only a login and whose
handler does not refer to a role.

## Why it matters
Every account gets functions that only administrators should have.

## What is safe
The same role check as on the other handlers, applied to the handler, its class or its router.

## Limits
Roles enforced by a policy engine or in the database are not seen.
"""

from counterproof.analysis.control.access import missing_roles
from counterproof.analysis.ruleset import ControlRule, Severity

RULE = ControlRule(
    title="Missing role check on an administrative endpoint",
    kind="role",
    guard="a role",
    cwe=285,
    severity=Severity.HIGH,
    consequence="A user without the administrative role gets functions that only administrators should have.",
    remedy="Check the caller's role the way the other administrative endpoints do.",
    check=lambda site: missing_roles(site.quotes, site.program, site.operations),
)
