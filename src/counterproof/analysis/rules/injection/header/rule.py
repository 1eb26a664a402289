"""Header of an answer built from untrusted data.

## What it finds
Request data in a header that `http.server` sends, which writes names and values as they are, line breaks included.

## Why it matters
A line break ends the header: the sender adds headers of their own, such as a cookie, or a whole page for the victim's browser.

## What is safe
Values without line breaks: quoted, checked, or with `\\r` and `\\n` taken out. Web frameworks refuse such headers themselves.

## Limits
Only servers that do not look at what they send are judged.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import Complexity, FlowRule, Severity

RULE = FlowRule(
    id="header-injection",
    title="HTTP header injection",
    kind="header",
    cwe=113,
    severity=Severity.MEDIUM,
    complexity=Complexity.MULTI_STEP,
    consequence="A crafted link sets cookies or shows the attacker's page under your address.",
    remedy="Remove line breaks from the value, or quote it with urllib.parse.quote.",
    sinks=sinks("header"),
    sanitisers=(
        *names("sanitiser", "url"),
        *names("sanitiser", "json"),
        "replaced \n",
        "replaced \r",
    ),
    poc="value%0d%0aSet-Cookie:%20session=attacker",
)
