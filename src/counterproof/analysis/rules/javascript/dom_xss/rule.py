"""Browser page changed with data from its own URL, in JavaScript and TypeScript.

## What it finds
The query or fragment of the page's URL, the referrer, the window name, or a message from another window whose origin is not
checked, inserted as HTML into the page by a browser script.

## Why it matters
A link runs its author's script in the browser of each user who follows it; the part after `#` is not even sent to the server.

## What is safe
`textContent`; a sanitizer such as DOMPurify; numbers; values from a fixed list.

## Limits
Data from browser storage and page elements is not followed; `javascript-unescaped-markup` reports where such data is
inserted.
"""

from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    title="DOM-based cross-site scripting (XSS)",
    kind="xss",
    cwe=79,
    severity=Severity.HIGH,
    consequence="The author of a link can run scripts in the browsers of users who follow it.",
    remedy="Set textContent instead of HTML, or sanitize the data with DOMPurify first.",
    sink="dom",
    safe=("html",),
    sanitisers=("replaced <",),
    poc="#<img src=x onerror=alert(1)>",
    openly=True,
)  # fmt: skip
