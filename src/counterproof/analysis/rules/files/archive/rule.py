"""Untrusted archive extracted without checking member names.

## What it finds
A tar archive from a request that is extracted without a filter: `extractall`, `extract`, `shutil.unpack_archive`.

## Why it matters
Names and links inside an archive can point outside the folder, so the sender can write files anywhere the program may.

## What is safe
`filter="data"`, a list of checked members, ZIP files (`zipfile` strips path parts that lead out of the folder).

## Limits
Whether a list of members was checked well is not determined. Members written one by one are covered by the `path-traversal`
rule.
"""

from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    id="archive-traversal",
    title="Path traversal in archive extraction (Zip Slip)",
    kind="archive",
    cwe=22,
    severity=Severity.HIGH,
    consequence="The sender can write files outside the intended folder.",
    remedy='Pass filter="data", or check that every member stays in the folder before it is written.',
    sink="archive-extraction",
    openly=True,
)
