"""File path built from untrusted data, in JavaScript and TypeScript.

## What it finds
Request data in the path of a file that is read, written, sent or deleted.

## Why it matters
With `../` or an absolute path the sender reaches files outside the folder that was meant: secrets, source code, the files
of other users.

## What is safe
`path.basename`, `sendFile` with a root, and a check that the resolved path still lies in the folder.

## Limits
What the caller of a published package passes as a path is the caller's own choice and is not reported. A search for `..`
is accepted as a guard; links inside the folder are not judged.
"""

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

_ONE = ("readFile", "readFileSync", "createReadStream", "writeFile", "writeFileSync", "createWriteStream", "appendFile",
        "appendFileSync", "unlink", "unlinkSync", "open", "openSync", "readdir", "readdirSync", "rm", "rmSync", "rmdir",
        "rmdirSync", "mkdir", "mkdirSync", "truncate", "chmod", "outputFile", "outputFileSync", "remove", "removeSync",
        "readJson", "readJSON", "writeJson", "writeJSON")  # fmt: skip
_TWO = ("rename", "renameSync", "copyFile", "copyFileSync", "link", "symlink", "copy", "move")
_HOMES = ("fs", "fs.promises", "fs-extra", "graceful-fs", "mz/fs", "original-fs")

RULE = FlowRule(
    RuleInfo(
        id="javascript-path-traversal",
        title="File path built from untrusted data",
        dimension=Dimension.D5,
        kind="path",
        cwe=22,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can reach files outside the intended folder.",
        remedy="Take only the base name, or resolve the path and check that it still lies in the intended folder.",
    ),
    sinks=(
        *(Sink(f"{home}.{name}", (0,)) for home in _HOMES for name in _ONE),
        *(Sink(f"{home}.{name}", (0, 1)) for home in _HOMES for name in _TWO),
        Sink("http.ServerResponse().sendFile", (0,), when=(("1.root", "-"),)),
        Sink("http.ServerResponse().sendfile", (0,), when=(("1.root", "-"),)),
        Sink("http.ServerResponse().download", (0,), when=(("1.root", "-"), ("2.root", "-"))),
        Sink("*.mv", (0,)),
    ),
    sanitisers=("path.basename", "prefix check", "without ..", "without ../", "sanitize-filename"),
    poc="../../etc/passwd",
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
