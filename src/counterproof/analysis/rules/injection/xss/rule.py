"""HTML built from untrusted data.

## What it finds
Request data in text that is sent as HTML without escaping: what a Flask handler returns, `make_response`, `HttpResponse`,
`HTMLResponse`, `Markup`, `mark_safe`, Tornado's `self.write`. Templates (Jinja, Django, Tornado, Bottle) that print it where
escaping is switched off (`|safe`, `autoescape`, the environment's default) or not enough: an attribute without quotes, a script,
an event handler, the beginning of an address. Data that another request stored in a table, a model or a list of the program.

## Why it matters
The sender of a link can run scripts in the browser of whoever follows it, as that user.

## What is safe
Templates that escape by default, `html.escape`, `markupsafe.escape`, `bleach.clean`, JSON responses, other content types.

## Limits
Stored data is followed only where the code shows the write and the read of the same place, and reported with lower confidence.
Mako and other template languages are not read.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = FlowRule(
    RuleInfo(
        id="xss",
        title="Cross-site scripting (XSS)",
        dimension=Dimension.D1,
        kind="html",
        cwe=79,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="A crafted link runs the attacker's script in the victim's browser, in the victim's session.",
        remedy="Render a template that escapes, or escape the value with html.escape before it goes into HTML.",
    ),
    sinks=sinks("html"),
    sanitisers=(
        *names("sanitiser", "html"),
        *names("sanitiser", "url"),
        *names("sanitiser", "file-name"),
        *names("sanitiser", "json"),
        "without <",
        "replaced <",
        "file extension",
        "opened file",
    ),
    poc="<script>alert(1)</script>",
    handler_returns=(*names("framework", "page-from-return"), "html"),
    stored=True,
)
