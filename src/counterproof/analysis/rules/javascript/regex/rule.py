"""Regular expression built from untrusted data, in JavaScript and TypeScript.

## What it finds
Request data as the pattern of a regular expression.

## Why it matters
A pattern with nested repetition keeps the only thread busy for minutes, so that nobody else is served.

## What is safe
Escaping the data before it becomes part of a pattern (`escape-string-regexp`, `lodash.escapeRegExp`); the `re2` package.

## Limits
Patterns of the code itself are not judged here.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-regex-injection",
        title="Regular expression injection",
        dimension=Dimension.D9,
        kind="denial",
        cwe=1333,
        severity=Severity.MEDIUM,
        impact=Impact.LOCAL,
        consequence="The sender can keep the process busy so that it serves nobody else.",
        remedy="Escape the data before it becomes part of a pattern.",
    ),
    sinks=sinks("regex-construction", Language.JAVASCRIPT),
    sanitisers=(*names("sanitiser", "regex-construction", Language.JAVASCRIPT), "escaped for a pattern"),
    poc="(a+)+$",
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
