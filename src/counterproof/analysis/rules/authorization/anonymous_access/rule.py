"""Objects that belong to somebody, changed or handed out for anyone who sends their id.

## What it finds
A handler without any guard, in an application that knows its callers, that looks an owned object up by an id from the request
and changes what is stored, or shows something private by its name: a file, an invoice, an order, a message; and one that makes
such an object for whoever calls.

## Why it matters
Whoever counts the id up edits, deletes or reads what belongs to others, without even an account.

## What is safe
A login together with a lookup that names the caller, or a comparison of the owner with the caller. Ids that cannot be guessed,
such as a token or a UUID, and requests that are signed are not reported.

## Limits
Objects count as owned when their model or table names an owner or refers to people, directly or through the object that they
are part of. Guards in front of the application are not seen.
"""

from counterproof.analysis.control.anonymous import anonymous_access
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = ControlRule(
    RuleInfo(
        id="anonymous-access",
        title="Object access without authentication",
        dimension=Dimension.D3,
        kind="ownership",
        guard="a login",
        cwe=862,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="Anyone changes or reads what belongs to others by changing the id.",
        remedy="Require a login, and look the object up by the caller's id as well.",
    ),
    lambda site: anonymous_access(site.quotes, site.program, site.operations),
    rank=2,
)
