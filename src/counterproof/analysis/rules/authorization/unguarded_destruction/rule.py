"""Destructive endpoints open to anyone.

## What it finds
A handler without any guard that drops or empties a table, deletes by HTTP DELETE, overwrites an object by HTTP PUT or PATCH,
or changes a password. In JavaScript and TypeScript: a `DELETE` route without a guard.

## Why it matters
One request from anyone wipes data or takes over an account.

## What is safe
Any guard recognised on the handler or above it.

## Limits
Helpers that destroy data only on first use, such as database setup, are not reported. Guards outside the code are not seen.
"""

from counterproof.analysis.control.access import open_destruction
from counterproof.analysis.ruleset import ControlRule, Impact, Severity

RULE = ControlRule(
    title="Missing authentication on a destructive endpoint",
    kind="login",
    guard="a login or a role",
    cwe=306,
    severity=Severity.HIGH,
    impact=Impact.FULL,
    consequence="Anyone can wipe or change the stored data with one request.",
    remedy="Require a login and the permission for this action, or remove the endpoint.",
    check=lambda site: open_destruction(site.quotes, site.operations),
)
