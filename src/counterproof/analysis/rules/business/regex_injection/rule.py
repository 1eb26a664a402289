"""Regular expressions that the sender writes.

## What it finds
Request data that becomes the pattern of `re.match`, `re.search`, `re.sub`, `re.compile` and their like.

## Why it matters
A pattern such as `(a+)+$` takes exponential time. One request keeps the process busy for as long as the sender likes.

## What is safe
`re.escape`, fixed patterns, plain text search, or an engine without backtracking such as re2.

## Limits
Patterns given to databases are not judged.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = FlowRule(
    RuleInfo(
        id="regex-injection",
        title="Regular expression injection",
        dimension=Dimension.D9,
        kind="pattern",
        cwe=400,
        severity=Severity.MEDIUM,
        impact=Impact.LOCAL,
        consequence="One crafted pattern keeps the process busy for minutes or longer.",
        remedy="Escape the text with re.escape, or search for it as plain text.",
    ),
    sinks=sinks("regex-construction"),
    sanitisers=(*names("sanitiser", "regex-construction"), "escaped for a pattern"),
    poc="(a+)+$",
)
