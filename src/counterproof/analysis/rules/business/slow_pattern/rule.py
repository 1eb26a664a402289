"""Regular expressions with polynomial run time.

## What it finds
A pattern that takes time quadratic in the length of the text, or worse, applied to request data or to an argument of a
published function: repetitions that can start at any position and are followed by something that may be missing, or that can
match the same characters.

## Why it matters
A text of some hundred thousand characters blocks the process for minutes.

## What is safe
A limit on the length of the text; a pattern anchored to the start of the text, or one that starts with a character its
repetition cannot match.

## Limits
Severity is low because short texts do no harm. Patterns built at run time are not checked.
"""

from counterproof.analysis.ruleset import FlowRule, Impact, Severity

RULE = FlowRule(
    title="Polynomial regular expression (ReDoS)",
    kind="pattern",
    cwe=1333,
    severity=Severity.LOW,
    impact=Impact.LOCAL,
    consequence="A long crafted text blocks the process.",
    remedy="Limit the input length, or rewrite the pattern so that it cannot start inside its own repetition.",
    sink="slow-match",
    sanitisers=("measured",),
    openly=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sanitisers=("measured",),
    openly=True,
)
