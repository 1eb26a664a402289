"""Objects looked up by an id from the request without checking their owner.

## What it finds
A handler that requires a login but no role, reads or changes a user's object chosen by an id from the request, and never
refers to the logged-in user on that path.

## Why it matters
By changing the id, a logged-in user reads or changes other users' data.

## What is safe
A lookup that also filters by the logged-in user, a comparison of the owner with the user before the object is used, or a role
check.

## Limits
A table or model counts as owned if a column names an owner, or if it lists people. Row-level security in the database is not
seen. JavaScript is not judged.
"""

from counterproof.analysis.control.ownership import missing_owners
from counterproof.analysis.ruleset import ControlRule, Severity

RULE = ControlRule(
    title="Insecure direct object reference (IDOR)",
    kind="ownership",
    guard="an ownership check",
    cwe=639,
    severity=Severity.HIGH,
    consequence="A logged-in user reads or changes other users' data by changing the id.",
    remedy="Filter the lookup by the logged-in user's id as well, or compare the object's owner with that user.",
    check=lambda site: missing_owners(site.quotes, site.program, site.operations),
)
