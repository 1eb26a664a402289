"""File path built from untrusted data, in JavaScript and TypeScript.

## What it finds
Request data in the path of a file that is read, written, sent or deleted.

## Why it matters
With `../` or an absolute path the sender reaches files outside the folder that was meant: secrets, source code, the files
of other users.

## What is safe
`path.basename`, `sendFile` with a root, and a check that the resolved path still lies in the folder.

## Limits
What the caller of a published package passes as a path is the caller's own choice and is not reported. A search for `..`
is accepted as a guard; links inside the folder are not judged.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-path-traversal",
        title="Path traversal",
        dimension=Dimension.D5,
        kind="path",
        cwe=22,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can reach files outside the intended folder.",
        remedy="Take only the base name, or resolve the path and check that it still lies in the intended folder.",
    ),
    sinks=sinks("file-access", Language.JAVASCRIPT),
    sanitisers=(
        *names("sanitiser", "path", Language.JAVASCRIPT),
        "prefix check",
        "without ..",
        "without ../",
    ),
    poc="../../etc/passwd",
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
