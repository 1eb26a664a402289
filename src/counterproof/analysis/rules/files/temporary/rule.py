"""Temporary file with a predictable name.

## What it finds
`tempfile.mktemp`, `os.tempnam` and `os.tmpnam`, which only return a name.

## Why it matters
Before the file is created, another user of the machine can put a file or a link at that name, and so read the written data or
have other files overwritten.

## What is safe
`tempfile.NamedTemporaryFile`, `mkstemp`, `TemporaryDirectory`, which create the file themselves.

## Limits
Files written under a fixed name in a shared folder are not checked.
"""

from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import always
from counterproof.analysis.libraries import names
from counterproof.analysis.ruleset import CheckRule, Impact, Severity

RULE = CheckRule(
    id="temporary-file",
    title="Insecure temporary file",
    kind="temporary",
    cwe=377,
    severity=Severity.LOW,
    impact=Impact.LOCAL,
    consequence="Another user of the machine can put a file or a link at the predictable name.",
    remedy="Use tempfile.NamedTemporaryFile or mkstemp, which create the file themselves.",
    check=Matching(
        Calls(names("code", "temporary-name"), bad=Bad(always, "{name} returns a name without creating the file")),
        Calls(names("code", "temporary-file"), good="made together with its name"),
        item="temporary file",
    ),
    query="calls that name or make temporary files",
)
