"""Endpoints that destroy or overwrite data for anyone.

## What it finds
A handler without any guard that drops or empties a table, deletes by HTTP DELETE, overwrites one thing by HTTP PUT or PATCH, or
changes a password.
In JavaScript and TypeScript: a route for `DELETE` without a guard.

## Why it matters
One request from anybody wipes data or takes an account over.

## What is safe
Any guard that was recognised on the handler or above it.

## Limits
Helpers that destroy something on their first use, such as a set-up of the database, are not counted. Guards outside the code are
not seen.
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
