"""Regular expressions built from request data.

## What it finds
Request data used as the pattern of `re.match`, `re.search`, `re.sub`, `re.compile` and similar functions, and of regular
expressions in JavaScript.

## Why it matters
A pattern such as `(a+)+$` takes exponential time. A single request blocks the process for as long as the sender likes.

## What is safe
`re.escape`, `escape-string-regexp`, `lodash.escapeRegExp`, fixed patterns, plain text search, or an engine without backtracking
such as re2.

## Limits
Patterns passed to databases are not checked.
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
