"""Polynomial regular expression (ReDoS).

## What it finds
A pattern that takes time as the square of the length of a text, or more, applied to what a request, or the caller of a published
function, brings: repetitions that begin anywhere and end with something that may be missing, or that take the same characters.

## Why it matters
A text of some hundred thousand characters keeps the process busy for minutes.

## What is safe
A bound on the length of the text; a pattern that begins at the start of the text, or with a sign that its repetition cannot take.

## Limits
Low by nature: short texts do no harm. Patterns that are put together at run time are not judged.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, Impact, Language, Severity

RULE = FlowRule(
    title="Polynomial regular expression (ReDoS)",
    kind="pattern",
    cwe=1333,
    severity=Severity.LOW,
    impact=Impact.LOCAL,
    consequence="A long crafted text keeps the process busy.",
    remedy="Limit the input length, or rewrite the pattern so that it cannot start inside its own repetition.",
    sinks=sinks("slow-match"),
    sanitisers=("measured",),
    openly=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sinks=sinks("slow-match", Language.JAVASCRIPT),
    sanitisers=("measured",),
    openly=True,
)
