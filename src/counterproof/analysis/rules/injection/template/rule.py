"""Template text made from untrusted data.

## What it finds
Request data that becomes the source of a template: `render_template_string`, `jinja2.Template`, `Environment.from_string`,
Mako and Django templates.

## Why it matters
Template languages reach objects of the program; the sender can read secrets and usually run code.

## What is safe
Fixed template text with the data passed as variables, text that was read from a file whose name alone the sender chose, and an
environment of `jinja2.sandbox`, which is made for text of others.

## Limits
What a sandboxed template is given to read is not judged.
"""

from counterproof.analysis.ruleset import RECEIVER, FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = FlowRule(
    RuleInfo(
        id="template-injection",
        title="Template source made from untrusted data",
        dimension=Dimension.D1,
        kind="template",
        cwe=1336,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can evaluate template expressions on the server, which usually leads to running code.",
        remedy="Keep the template's text fixed and pass the data to it as variables.",
    ),
    sinks=(
        Sink("flask.render_template_string", (0, "source")),
        Sink("flask.templating.render_template_string", (0, "source")),
        Sink("quart.render_template_string", (0, "source")),
        Sink("jinja2.Template", (0, "source")),
        Sink("jinja2.environment.Template", (0, "source")),
        Sink(
            "*.from_string",
            (0, "source", "template_code"),
            when=((RECEIVER, "!SandboxedEnvironment|ImmutableSandboxedEnvironment"),),
            receiver_from=("jinja2.", "django.template.", "flask.Flask().jinja_env"),
        ),
        Sink("mako.template.Template", (0, "text")),
        Sink("django.template.Template", (0, "template_string")),
        Sink("tornado.template.Template", (0, "template_string")),
        Sink("bottle.template", (0,)),
        Sink("bottle.SimpleTemplate", (0, "source")),
        Sink("jinja2.nativetypes.NativeTemplate", (0, "source")),
        Sink("web.template.Template", (0, "text")),
        Sink("Cheetah.Template.Template", (0, "source")),
        Sink("chameleon.PageTemplate", (0, "body")),
        *(Sink(f"genshi.template.{name}", (0, "source")) for name in ("MarkupTemplate", "TextTemplate", "NewTextTemplate")),
        Sink("chevron.render", (0, "template")),
    ),
    sanitisers=("opened file",),
    poc="{{7*7}}",
)
