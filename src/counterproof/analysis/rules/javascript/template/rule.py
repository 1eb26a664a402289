"""Template text built from untrusted data, in JavaScript and TypeScript.

## What it finds
Request data in the text of a template that EJS, Pug, Handlebars, Nunjucks, lodash and others compile.

## Why it matters
Templates can run code: the sender's text becomes part of the program.

## What is safe
Fixed templates, with the data passed beside them.

## Limits
Data in the variables of a template is another matter: a page shows it, escaped or not.
"""

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

_COMPILING = {
    "ejs": ("render", "compile"),
    "pug": ("render", "compile"),
    "jade": ("render", "compile"),
    "handlebars": ("compile", "precompile"),
    "nunjucks": ("renderString", "compile"),
    "lodash": ("template",),
    "underscore": ("template",),
    "dot": ("template", "compile"),
    "swig": ("render", "compile"),
    "eta": ("render", "compile", "renderString"),
    "twig": ("twig",),
    "velocityjs": ("render",),
}

RULE = FlowRule(
    RuleInfo(
        id="javascript-template-injection",
        title="Template text built from untrusted data",
        dimension=Dimension.D1,
        kind="template",
        cwe=1336,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can run code on the server through the template.",
        remedy="Keep templates in files and pass data as variables.",
    ),
    sinks=tuple(Sink(f"{home}.{name}", (0,)) for home, names in _COMPILING.items() for name in names),
    poc="#{7*7} <%= 7*7 %>",
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
