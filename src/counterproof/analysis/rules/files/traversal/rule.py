"""File path built from untrusted data.

## What it finds
Request data in the path of a file that is opened, sent, deleted, moved or extracted to.

## Why it matters
With `../` or an absolute path the sender reaches files outside the intended folder: secrets, source code, other users' files.

## What is safe
`os.path.basename`, `werkzeug.utils.secure_filename`, `send_from_directory`, and a check that the normalised path is still in
the folder (`realpath` then `startswith` or `commonpath`, `Path.resolve` then `is_relative_to`). Rejecting `..` is enough if
the name follows other text or is also checked for a leading slash; otherwise `os.path.join`, `Path(folder) / name` and
`path.resolve` discard the folder for a name such as `/etc/passwd`. A route parameter that cannot contain a slash is safe as
the last part of a file path: it can only be `..`, which is a folder. It is reported where a whole folder is listed, deleted
or served, and where more path parts follow it. In JavaScript `path.basename` and `sendFile` with a root.

## Limits
Testing whether a file exists, or how large it is, is reported by `path-probe`. Links inside the folder are not checked, nor
are backslashes, which separate path parts on Windows. An external function whose name says that it checks or cleans is
trusted, because its code is not available. Paths that the caller of a published package passes are the caller's choice and
are not reported.
"""

from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    id="path-traversal",
    title="Path traversal",
    kind="path",
    cwe=22,
    severity=Severity.HIGH,
    consequence="The sender can reach files outside the intended folder.",
    remedy="Use only the base name, or resolve the path and check that it is still inside the intended folder.",
    sink="file-access",
    safe=("path", "file-name"),
    sanitisers=(
        "prefix check",
        "file extension",
        "without ..",
        "without ../",
        "file content",
    ),
    poc="../../../../etc/passwd",
    openly=True,
    documents=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sanitisers=("prefix check", "without ..", "without ../"),
    poc="../../etc/passwd",
    openly=True,
    documents=True,
)
