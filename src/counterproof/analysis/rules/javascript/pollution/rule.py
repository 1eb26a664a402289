"""Object keys chosen by the sender, in JavaScript and TypeScript.

## What it finds
Request data deep-merged into objects, or used as a path into them, by packages that follow `__proto__`.

## Why it matters
A key called `__proto__` changes every object in the process: checks pass, templates run code, the process crashes.

## What is safe
A shallow copy; a schema that names the keys; `Object.create(null)` and `Map`; current versions of `lodash` for `merge`.

## Limits
A declared version that is not exact is treated as an old version.
"""

from counterproof.analysis.ruleset import Complexity, FlowRule, Severity

RULE = FlowRule(
    id="javascript-prototype-pollution",
    title="Prototype pollution",
    kind="prototype",
    cwe=1321,
    severity=Severity.MEDIUM,
    complexity=Complexity.MULTI_STEP,
    consequence="The sender can change properties of every object in the process.",
    remedy="Merge named keys only, or drop __proto__, constructor and prototype first.",
    sink="prototype",
    poc='{"__proto__": {"isAdmin": true}}',
    openly=True,
)
