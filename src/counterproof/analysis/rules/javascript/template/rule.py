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

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-template-injection",
        title="Server-side template injection (SSTI)",
        dimension=Dimension.D1,
        kind="template",
        cwe=1336,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can run code on the server through the template.",
        remedy="Keep templates in files and pass data as variables.",
    ),
    sinks=sinks("template-construction", Language.JAVASCRIPT),
    poc="#{7*7} <%= 7*7 %>",
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
