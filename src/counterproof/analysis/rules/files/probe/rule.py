"""Existence check on a path that untrusted data chooses.

## What it finds
Request data in a path that the program only tests for existence, type or size.

## Why it matters
With `../` or an absolute path the sender learns which files exist on the machine, if the response shows it. That helps in
combination with another weakness and does little alone.

## What is safe
The same checks as for a path that is opened: the base name alone, or a check that the resolved path is still in the folder.

## Limits
Reported only where the function does nothing else with the path, and where the program does not append a fixed file name to
the request data. Whether the sender sees the result is not determined.
"""

from counterproof.analysis.rules.files.traversal.rule import RULE as TRAVERSAL
from counterproof.analysis.ruleset import FlowRule, Impact, Severity

RULE = FlowRule(
    id="path-probe",
    title="Path traversal: untrusted path probed",
    kind="path",
    cwe=22,
    severity=Severity.LOW,
    impact=Impact.LOCAL,
    consequence="The sender may learn which files exist outside the intended folder.",
    remedy="Use only the base name, or resolve the path and check that it is still inside the intended folder.",
    sink="file-probe",
    safe=TRAVERSAL.safe,
    sanitisers=TRAVERSAL.sanitisers,
    poc="../../../../etc/passwd",
)
