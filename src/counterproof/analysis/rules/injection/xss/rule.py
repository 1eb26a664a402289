"""HTML built from untrusted data.

## What it finds
Request data sent as HTML without escaping: the return value of a Flask handler, `make_response`, `HttpResponse`,
`HTMLResponse`, `Markup`, `mark_safe`, Tornado's `self.write`. Templates (Jinja, Django, Tornado, Bottle) that print it where
escaping is off (`|safe`, `autoescape`, the environment's default) or insufficient: an unquoted attribute, a script, an event
handler, the start of a URL. Data that another request stored in a table, a model or a list of the program. In JavaScript and
TypeScript responses sent as a page, and raw output of EJS, Pug, Handlebars, Mustache, Nunjucks and Swig.

## Why it matters
The sender of a link can run scripts in the browser of each user who follows it, with that user's session.

## What is safe
Templates that escape by default, `html.escape`, `markupsafe.escape`, `bleach.clean`, JSON responses, other content types. In
JavaScript `res.json` and `textContent`.

## Limits
Stored data is followed only where the code shows both the write and the read, and is reported with lower confidence. Mako and
other template languages are not read. In JavaScript a string sent on its own is reported too, because the framework sends
strings as HTML.
"""

from counterproof.analysis.libraries import names
from counterproof.analysis.ruleset import Complexity, FlowRule, Severity

RULE = FlowRule(
    title="Cross-site scripting (XSS)",
    kind="html",
    cwe=79,
    severity=Severity.HIGH,
    complexity=Complexity.MULTI_STEP,
    consequence="A crafted link runs the attacker's script in the victim's browser, in the victim's session.",
    remedy="Render a template that escapes, or escape the value with html.escape before it goes into HTML.",
    sink="html",
    safe=("url", "file-name", "json"),
    sanitisers=(
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
    sanitisers=("replaced <",),
    remedy="Escape the data, send it as JSON, or insert it with a template that escapes.",
    openly=True,
    stored=True,
)
