"""Uploaded file stored under the name that the client chose.

## What it finds
The file name of an upload used as the path it is saved under.

## Why it matters
The client chooses the folder and the extension: an existing file is overwritten, or a script lands where the server runs it.

## What is safe
A name made by the server, `secure_filename` together with a check of the extension.

## Limits
What the stored file is used for is not followed.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    id="unrestricted-upload",
    title="Unrestricted file upload: client's file name",
    kind="upload",
    cwe=434,
    severity=Severity.HIGH,
    consequence="The sender chooses where a file lands and what kind it is.",
    remedy="Give the file a name of your own, keep it outside the web root, and check its type.",
    sinks=sinks("upload"),
    sanitisers=(
        *names("sanitiser", "file-name"),
        "file content",
    ),
    poc="shell.py",
)
