"""Objects rebuilt from untrusted data, in JavaScript and TypeScript.

## What it finds
Request data given to a library that rebuilds functions or arbitrary objects from text.

## Why it matters
The text can hold functions that run while it is read.

## What is safe
`JSON.parse`; `js-yaml` from version 4 or with a safe schema.

## Limits
Which version of `js-yaml` is installed is not looked up: `load` counts unless a schema is named.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-deserialisation",
        title="Insecure deserialization",
        dimension=Dimension.D4,
        kind="objects",
        cwe=502,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can run code while the data is read.",
        remedy="Exchange data as JSON and check its shape.",
    ),
    sinks=sinks("deserialisation", Language.JAVASCRIPT),
    poc='{"x":"_$$ND_FUNC$$_function(){process.exit()}()"}',
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
