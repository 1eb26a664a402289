"""Regular expressions that can take exponential time on request data.

## What it finds
A pattern with a repeated part that can match the same text in two ways, applied to text from a request of any length, and in
scripts to what the caller of a published package passes.

## Why it matters
A text of some thirty characters keeps the process busy for minutes, so that nobody else is served.

## What is safe
Patterns whose repeated parts cannot overlap, and texts whose length is bounded first.

## Limits
Patterns with look-around or back references, and patterns that are put together at run time, are not judged. Merely quadratic
patterns are not reported.
"""

from counterproof.analysis.ruleset import FlowRule, Impact, Severity

RULE = FlowRule(
    title="Regular expression denial of service (ReDoS)",
    kind="pattern",
    cwe=1333,
    severity=Severity.MEDIUM,
    impact=Impact.LOCAL,
    consequence="A short crafted text keeps the process busy for minutes or longer.",
    remedy="Rewrite the pattern so that repeated parts cannot match the same text in two ways, or limit the length first.",
    sink="pattern-match",
    sanitisers=("measured",),
    poc="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    remedy="Rewrite the pattern without nested repetition, or limit the length first.",
    sanitisers=("measured",),
    callers=True,
)
