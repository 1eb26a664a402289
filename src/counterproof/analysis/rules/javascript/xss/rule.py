"""Page built from untrusted data, in JavaScript and TypeScript.

## What it finds
Request data in text that is sent as a page, or put into one without escaping, also where one request stores it in a table or a
model and another one shows it.

## Why it matters
The sender's script runs in the browser of whoever opens the page, with their session.

## What is safe
`res.json`; escaping before the text is put together; templates that escape; `textContent`.

## Limits
A value sent all by itself counts too, because the framework calls a text a page. Of templates, those of EJS, Pug, Handlebars,
Mustache, Nunjucks and Swig are read, for what they print raw.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-xss",
        title="Cross-site scripting (XSS)",
        dimension=Dimension.D1,
        kind="xss",
        cwe=79,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can run scripts in the browsers of other users.",
        remedy="Escape the data, send it as JSON, or let a template that escapes put it into the page.",
    ),
    sinks=sinks("html", Language.JAVASCRIPT),
    sanitisers=(*names("sanitiser", "html", Language.JAVASCRIPT),),
    poc="<script>alert(1)</script>",
    stored=True,
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)  # fmt: skip
