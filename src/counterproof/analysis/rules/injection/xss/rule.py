"""HTML built from untrusted data.

## What it finds
Request data in text that is sent as HTML without escaping: what a Flask handler returns, `make_response`, `HttpResponse`,
`HTMLResponse`, `Markup`, `mark_safe`, Tornado's `self.write`. Templates (Jinja, Django, Tornado, Bottle) that print it where
escaping is switched off (`|safe`, `autoescape`, the environment's default) or not enough: an attribute without quotes, a script,
an event handler, the beginning of an address. Data that another request stored in a table, a model or a list of the program. In
JavaScript and TypeScript what is sent as a page, and what EJS, Pug, Handlebars, Mustache, Nunjucks and Swig print raw.

## Why it matters
The sender of a link can run scripts in the browser of whoever follows it, as that user.

## What is safe
Templates that escape by default, `html.escape`, `markupsafe.escape`, `bleach.clean`, JSON responses, other content types. In
scripts `res.json` and `textContent`.

## Limits
Stored data is followed only where the code shows the write and the read of the same place, and reported with lower confidence.
Mako and other template languages are not read. In scripts a value sent all by itself counts too, because the framework calls a
text a page.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import Complexity, FlowRule, Language, Severity

RULE = FlowRule(
    title="Cross-site scripting (XSS)",
    kind="html",
    cwe=79,
    severity=Severity.HIGH,
    complexity=Complexity.MULTI_STEP,
    consequence="A crafted link runs the attacker's script in the victim's browser, in the victim's session.",
    remedy="Render a template that escapes, or escape the value with html.escape before it goes into HTML.",
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
    openly=True,
    documents=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sinks=sinks("html", Language.JAVASCRIPT),
    sanitisers=(*names("sanitiser", "html", Language.JAVASCRIPT), "replaced <"),
    remedy="Escape the data, send it as JSON, or let a template that escapes put it into the page.",
    openly=True,
    stored=True,
)
