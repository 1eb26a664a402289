"""Objects looked up by an id from the request without checking their owner.

## What it finds
A handler that asks for a login but for no role, reads or changes an object that belongs to somebody, chooses it by an id from the
request, and never speaks of the caller on that path.

## Why it matters
By changing the id, a logged-in user reads or changes other users' data.

## What is safe
A lookup that also filters by the logged-in user, a comparison of the owner with the user before the object is used, or a role
check.

## Limits
Objects count as owned when their table or model has a column that names an owner, or is a list of people. Row-level security in
the database is not seen. Scripts are not judged.
"""

from counterproof.analysis.control.ownership import missing_owners
from counterproof.analysis.ruleset import ControlRule, Severity

RULE = ControlRule(
    title="Insecure direct object reference (IDOR)",
    kind="ownership",
    guard="a question about the owner",
    cwe=639,
    severity=Severity.HIGH,
    consequence="A logged-in caller reads or changes what belongs to others by changing the id.",
    remedy="Look the object up by the caller's own id as well, or compare its owner with the caller.",
    check=lambda site: missing_owners(site.quotes, site.program, site.operations),
)
