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

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_UPLOAD = ("web request.files", "web request.FILES", "web request.form", "fastapi.UploadFile")

RULE = FlowRule(
    RuleInfo(
        id="unrestricted-upload",
        title="Uploaded file stored under the client's name",
        dimension=Dimension.D5,
        kind="upload",
        cwe=434,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender chooses where a file lands and what kind it is.",
        remedy="Give the file a name of your own, keep it outside the web root, and check its type.",
    ),
    sinks=(
        Sink("*.save", (0, "dst"), receiver_from=_UPLOAD, only_certain=True),
        Sink("*.save", (0, "name"), receiver_from=("django.core.files.",), channels=("file",)),
        Sink("django.core.files.storage.default_storage.save", (0, "name")),
    ),
    sanitisers=("werkzeug.utils.secure_filename", "werkzeug.secure_filename", "*.get_valid_filename", "file content"),
    poc="shell.py",
)
