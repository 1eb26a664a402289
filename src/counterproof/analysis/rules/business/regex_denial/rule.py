"""Regular expressions that can take exponential time on request data.

## What it finds
A pattern with a repeated part that can match the same text in two ways, applied to request text of unlimited length, and in
JavaScript also to arguments that callers of a published package pass.

## Why it matters
A text of some thirty characters blocks the process for minutes, so no other request is served.

## What is safe
Patterns whose repeated parts cannot overlap, and text whose length is limited first.

## Limits
Patterns with look-around or back references, and patterns built at run time, are not checked. Quadratic patterns are not
reported.
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
