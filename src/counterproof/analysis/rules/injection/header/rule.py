"""Response header built from untrusted data.

## What it finds
Request data in a header that `http.server` sends: it writes names and values unchanged, line breaks included.

## Why it matters
A line break ends the header: the sender adds headers of their own, such as a cookie, or a whole page for the victim's browser.

## What is safe
Values without line breaks: quoted, checked, or with `\\r` and `\\n` removed. Web frameworks reject such headers themselves.

## Limits
Only servers that do not validate the headers they send are checked.
"""

from counterproof.analysis.ruleset import Complexity, FlowRule, Severity

RULE = FlowRule(
    id="header-injection",
    title="HTTP header injection",
    kind="header",
    cwe=113,
    severity=Severity.MEDIUM,
    complexity=Complexity.MULTI_STEP,
    consequence="A crafted link sets cookies or shows the attacker's page under your site's address.",
    remedy="Remove line breaks from the value, or quote it with urllib.parse.quote.",
    sink="header",
    safe=("url", "json"),
    sanitisers=(
        "replaced \n",
        "replaced \r",
    ),
    poc="value%0d%0aSet-Cookie:%20session=attacker",
)
