"""Page changed in the browser with data from its own address, in JavaScript and TypeScript.

## What it finds
What stands after `?` or `#` in the address of a page, the page that led there, the name of the window, or a message of another
window whose origin nobody looks at, in HTML that a script in the browser puts into the page.

## Why it matters
A link runs its author's script in the browser of whoever follows it; what stands after `#` is not even sent to the server.

## What is safe
`textContent`; a cleaner such as DOMPurify; numbers; values from a fixed list.

## Limits
What the browser stored, and what elements of the page hold, is not followed; `javascript-unescaped-markup` tells where it is set.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, Language, Severity

RULE = FlowRule(
    title="DOM-based cross-site scripting (XSS)",
    kind="xss",
    cwe=79,
    severity=Severity.HIGH,
    consequence="Whoever makes a link can run scripts in the browsers of those who follow it.",
    remedy="Set textContent instead of HTML, or clean the data with DOMPurify first.",
    sinks=sinks("dom", Language.JAVASCRIPT),
    sanitisers=(*names("sanitiser", "html", Language.JAVASCRIPT), "replaced <"),
    poc="#<img src=x onerror=alert(1)>",
    openly=True,
)  # fmt: skip
