"""Template source built from untrusted data.

## What it finds
Request data used as the source of a template: `render_template_string`, `jinja2.Template`, `Environment.from_string`, Mako
and Django templates. In JavaScript and TypeScript EJS, Pug, Handlebars, Nunjucks, lodash and others.

## Why it matters
Template languages can access objects of the program, so the sender can read secrets and usually run code.

## What is safe
Fixed template source with the data passed as variables, a template file of which the sender chooses only the name, and an
environment of `jinja2.sandbox`, which is made for untrusted templates.

## Limits
The data that a sandboxed template can access is not checked.
"""

from counterproof.analysis.ruleset import FlowRule, Impact, Severity

RULE = FlowRule(
    id="template-injection",
    title="Server-side template injection (SSTI)",
    kind="template",
    cwe=1336,
    severity=Severity.CRITICAL,
    impact=Impact.FULL,
    consequence="The sender can evaluate template expressions on the server, which usually leads to running code.",
    remedy="Keep the template source fixed and pass the data as variables.",
    sink="template-construction",
    sanitisers=("opened file",),
    poc="{{7*7}}",
    openly=True,
    documents=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    poc="#{7*7} <%= 7*7 %>",
    openly=True,
    documents=True,
)
