"""Temporary file whose name others know before the file is made.

## What it finds
`tempfile.mktemp`, `os.tempnam` and `os.tmpnam`, which only give a name.

## Why it matters
Between the choice of the name and the making of the file another user of the machine can put a file or a link there, and so
read what is written or have other files overwritten.

## What is safe
`tempfile.NamedTemporaryFile`, `mkstemp`, `TemporaryDirectory`, which make the file themselves.

## Limits
Files that are written under a fixed name in a shared folder are not judged.
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
    consequence="Another user of the machine can plant a file or a link under the predictable name.",
    remedy="Use tempfile.NamedTemporaryFile or mkstemp, which make the file themselves.",
    check=Matching(
        Calls(names("code", "temporary-name"), bad=Bad(always, "{name} gives a name and makes no file")),
        Calls(names("code", "temporary-file"), good="made together with its name"),
        item="temporary file",
    ),
    query="calls that name or make temporary files",
)
