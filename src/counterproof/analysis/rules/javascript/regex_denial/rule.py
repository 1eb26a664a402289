"""Regular expression that takes exponential time, in JavaScript and TypeScript.

## What it finds
A pattern with nested repetition applied to request data, or to what the caller of a published package passes.

## Why it matters
A text of fifty characters keeps the only thread busy for minutes, so that nobody else is served.

## What is safe
A pattern without nested repetition; a length that is tested first; the `re2` package.

## Limits
Patterns that take quadratic time are not reported, nor patterns that are put together at run time.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-regex-denial",
        title="Regular expression denial of service (ReDoS)",
        dimension=Dimension.D9,
        kind="pattern",
        cwe=1333,
        severity=Severity.MEDIUM,
        impact=Impact.LOCAL,
        consequence="The sender can keep the process busy so that it serves nobody else.",
        remedy="Rewrite the pattern without nested repetition, or limit the length first.",
    ),
    sinks=sinks("pattern-match", Language.JAVASCRIPT),
    sanitisers=("measured",),
    poc="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
    callers=True,
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
