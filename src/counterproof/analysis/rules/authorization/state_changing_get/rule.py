"""GET requests that change data.

## What it finds
A handler that accepts GET and whose name, route or a parameter says that it deletes or changes something, without checking
the request method: `@app.route("/delete/<id>")`, Django views without `require_POST`, CherryPy pages that act on any
parameters they receive.

## Why it matters
Browsers send cookies with links and images too, and CSRF tokens are not checked on GET. Any page that a logged-in user visits
can trigger the change; so can a crawler or a prefetching browser.

## What is safe
POST, PUT or DELETE only, a check of the method before the change, a form handler that checks whether the form was submitted.

## Limits
Handlers that authenticate by a token in a header are skipped, as are logins, logouts and confirmations by e-mail.
"""

from counterproof.analysis.control.state_changing_gets import state_changing_gets
from counterproof.analysis.ruleset import Complexity, ControlRule, Severity

RULE = ControlRule(
    title="GET request changes data",
    kind="csrf",
    guard="another method, or a token",
    cwe=352,
    severity=Severity.MEDIUM,
    consequence="A link or an image on any page makes the change in the name of the user who opens that page.",
    remedy="Accept the change by POST only, with the framework's CSRF token.",
    complexity=Complexity.MULTI_STEP,
    check=lambda site: state_changing_gets(site.quotes, site.program, site.operations),
)
