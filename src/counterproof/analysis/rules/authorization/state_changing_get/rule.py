"""Changes that a link on another page can cause.

## What it finds
A handler that answers GET, says by its name, its route or a parameter that it deletes or changes something, and does so without
looking at the method of the request: `@app.route("/delete/<id>")`, Django views without `require_POST`, CherryPy pages that act
on whatever parameters they are given.

## Why it matters
Browsers send cookies with links and images too, and CSRF tokens are not checked on GET. Any page that a logged-in user visits can
make the change; so can a crawler or a prefetching browser.

## What is safe
POST, PUT or DELETE only, a test of the method before the change, a form that knows whether it was sent.

## Limits
Handlers that know their caller by a token in a header are left alone, as are logins, logouts and confirmations by mail.
"""

from counterproof.analysis.control.state_changing_gets import state_changing_gets
from counterproof.analysis.ruleset import Complexity, ControlRule, Severity

RULE = ControlRule(
    title="GET request changes data",
    kind="csrf",
    guard="another method, or a token",
    cwe=352,
    severity=Severity.MEDIUM,
    consequence="A link or an image on any page makes the change in the name of whoever sees it.",
    remedy="Accept the change by POST only, with the framework's CSRF token.",
    complexity=Complexity.MULTI_STEP,
    check=lambda site: state_changing_gets(site.quotes, site.program, site.operations),
)
