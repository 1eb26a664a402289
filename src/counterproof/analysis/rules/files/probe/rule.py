"""Question about a file whose path untrusted data chose.

## What it finds
Request data in a path of which the program only asks whether it exists, what it is or how large it is.

## Why it matters
With `../` or an absolute path the sender learns which files the machine holds, where the answer shows. That helps with a second
weakness and does little alone.

## What is safe
What is safe for a path that is opened: the base name alone, or a check that the resolved path is still in the folder.

## Limits
Reported only where the function does nothing else with such a path, and where the program does not name the file itself behind
what was sent; whether the sender sees the answer is not judged.
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
