"""Archive of an outsider unpacked without a check of its members' names.

## What it finds
A tar archive from a request that is unpacked as it is: `extractall`, `extract`, `shutil.unpack_archive`.

## Why it matters
The names and links inside an archive lead out of the folder, so the sender writes files anywhere the program may.

## What is safe
`filter="data"`, a list of members that was checked, ZIP files (`zipfile` removes what leads out of the folder).

## Limits
Whether a list of members was checked well is not judged. Members written one by one are the business of the rule about paths.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    id="archive-traversal",
    title="Path traversal in archive extraction (Zip Slip)",
    kind="archive",
    cwe=22,
    severity=Severity.HIGH,
    consequence="The sender can write files outside the intended folder.",
    remedy='Pass filter="data", or check that every member stays in the folder before it is written.',
    sinks=sinks("archive-extraction"),
    openly=True,
)
