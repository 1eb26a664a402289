"""File path built from untrusted data.

## What it finds
Request data in the path of a file that is opened, sent, deleted, moved or extracted to.

## Why it matters
With `../` or an absolute path the sender reaches files outside the folder that was meant: secrets, source code, the files
of other users.

## What is safe
`os.path.basename`, `werkzeug.utils.secure_filename`, `send_from_directory`, and a check that the normalised path
is still in the folder (`realpath` then `startswith` or `commonpath`, `Path.resolve` then `is_relative_to`). A refusal of
`..`, where the name stands behind other text or was asked for a slash in front too: `os.path.join`, `Path(folder) / name` and
`path.resolve` begin anew with `/etc/passwd`. A parameter of a route that takes no slash, as the last part of a path: it can be
`..`, which is a folder and no file. It is reported where a whole folder is listed, deleted or served, and where more parts
follow it. In scripts `path.basename` and `sendFile` with a root.

## Limits
Asking whether a file exists, or how large it is, is reported by `path-probe`. Links inside the folder are not judged, nor are
backslashes, which part names on Windows. A function from outside that says by its name that it checks or cleans is believed,
because its code is not there to be read. What the caller of a published package passes as a path is the caller's own choice and
is not reported.
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
