"""Rights that the request claims for itself.

## What it finds
A handler that decides who may do what by an unsigned value of a cookie, a header or the query: `request.cookies.get("admin")`,
`request.args["role"] == "admin"`.

## Why it matters
The sender writes these values. Whoever writes `admin` gets what administrators get.

## What is safe
The session, a signed cookie or token, a role looked up for the caller who logged in.

## Limits
Values of a form are not judged; they often only say what is to be created. A handler whose guard asks for a
role is left alone.
"""

from counterproof.analysis.control.claims import client_side_roles
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = ControlRule(
    RuleInfo(
        id="client-side-role",
        title="Privilege taken from a client-supplied value",
        dimension=Dimension.D3,
        kind="role",
        cwe=284,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="Anyone who sends the right value gets the rights that go with it.",
        remedy="Look the caller's role up on the server, from the session or a verified token.",
    ),
    lambda site: client_side_roles(site.quotes, site.program, site.operations),
)
