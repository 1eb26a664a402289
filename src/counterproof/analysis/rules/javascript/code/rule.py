"""Program text built from untrusted data, in JavaScript and TypeScript.

## What it finds
Request data, or what the caller of a published package passes, in text that `eval`, `Function`, `vm` or a timer runs.

## Why it matters
The sender's text runs inside the process, with everything the application may do.

## What is safe
`JSON.parse` for data; a fixed table of functions chosen by name; numbers.

## Limits
The `vm` module is no sandbox, so a context of its own counts for nothing.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-code-injection",
        title="Code injection",
        dimension=Dimension.D1,
        kind="code",
        cwe=94,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can run code inside the application.",
        remedy="Parse data with JSON.parse and choose functions by name from a fixed table instead of running text.",
    ),
    sinks=sinks("code-execution", Language.JAVASCRIPT),
    poc="process.exit()",
    callers=True,
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
