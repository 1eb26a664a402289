"""Regular expressions that the sender writes.

## What it finds
Request data that becomes the pattern of `re.match`, `re.search`, `re.sub`, `re.compile` and their like, and of
regular expressions in scripts.

## Why it matters
A pattern such as `(a+)+$` takes exponential time. One request keeps the process busy for as long as the sender likes.

## What is safe
`re.escape`, `escape-string-regexp`, `lodash.escapeRegExp`, fixed patterns, plain text search, or an engine without backtracking
such as re2.

## Limits
Patterns given to databases are not judged.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, Impact, Language, Severity

RULE = FlowRule(
    title="Regular expression injection",
    kind="pattern",
    cwe=400,
    severity=Severity.MEDIUM,
    impact=Impact.LOCAL,
    consequence="One crafted pattern keeps the process busy for minutes or longer.",
    remedy="Escape the text with re.escape, or search for it as plain text.",
    sinks=sinks("regex-construction"),
    sanitisers=(*names("sanitiser", "regex-construction"), "escaped for a pattern"),
    poc="(a+)+$",
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sinks=sinks("regex-construction", Language.JAVASCRIPT),
    sanitisers=(*names("sanitiser", "regex-construction", Language.JAVASCRIPT), "escaped for a pattern"),
    kind="denial",
    cwe=1333,
    remedy="Escape the data before it becomes part of a pattern.",
)
