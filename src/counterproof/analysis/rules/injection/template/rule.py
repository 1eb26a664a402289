"""Template text made from untrusted data.

## What it finds
Request data that becomes the source of a template: `render_template_string`, `jinja2.Template`, `Environment.from_string`,
Mako and Django templates. In JavaScript and TypeScript EJS, Pug, Handlebars, Nunjucks, lodash and others.

## Why it matters
Template languages reach objects of the program; the sender can read secrets and usually run code.

## What is safe
Fixed template text with the data passed as variables, text that was read from a file whose name alone the sender chose, and an
environment of `jinja2.sandbox`, which is made for text of others.

## Limits
What a sandboxed template is given to read is not judged.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, Impact, Language, Severity

RULE = FlowRule(
    id="template-injection",
    title="Server-side template injection (SSTI)",
    kind="template",
    cwe=1336,
    severity=Severity.CRITICAL,
    impact=Impact.FULL,
    consequence="The sender can evaluate template expressions on the server, which usually leads to running code.",
    remedy="Keep the template's text fixed and pass the data to it as variables.",
    sinks=sinks("template-construction"),
    sanitisers=("opened file",),
    poc="{{7*7}}",
    openly=True,
    documents=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sinks=sinks("template-construction", Language.JAVASCRIPT),
    poc="#{7*7} <%= 7*7 %>",
    openly=True,
    documents=True,
)
