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

from counterproof.analysis.ruleset import FlowRule, Impact, Severity

RULE = FlowRule(
    title="Regular expression injection",
    kind="pattern",
    cwe=400,
    severity=Severity.MEDIUM,
    impact=Impact.LOCAL,
    consequence="One crafted pattern keeps the process busy for minutes or longer.",
    remedy="Escape the text with re.escape, or search for it as plain text.",
    sink="regex-construction",
    sanitisers=("escaped for a pattern",),
    poc="(a+)+$",
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sanitisers=("escaped for a pattern",),
    kind="denial",
    cwe=1333,
    remedy="Escape the data before it becomes part of a pattern.",
)
