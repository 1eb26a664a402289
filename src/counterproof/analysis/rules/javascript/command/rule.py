"""Operating-system command built from untrusted data, in JavaScript and TypeScript.

## What it finds
Request data, or what the caller of a published package passes, in the text of a command that a shell interprets.

## Why it matters
The sender runs programs of their choice with the rights of the process.

## What is safe
`execFile` and `spawn` with a list of arguments, a fixed program and no shell; numbers; values from a fixed list.

## Limits
Arguments that a program itself interprets as options are not judged.
"""

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

_HOMES = ("child_process", "mz.child_process", "mz/child_process", "child-process-promise", "child_process-promise")
_LISTS = ("spawn", "spawnSync", "execFile", "execFileSync")

RULE = FlowRule(
    RuleInfo(
        id="javascript-command-injection",
        title="Operating-system command built from untrusted data",
        dimension=Dimension.D1,
        kind="shell",
        cwe=78,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can run programs with the rights of the application.",
        remedy="Call the program with execFile or spawn, a list of arguments and no shell, and take its name from the code.",
    ),
    sinks=(
        *(Sink(f"{home}.{name}", (0,)) for home in _HOMES for name in ("exec", "execSync")),
        *(Sink(f"child_process.{name}", (0, 1), when=(("2.shell", "True"),)) for name in _LISTS),
        *(Sink(f"child_process.{name}", (0,), only_remote=True) for name in _LISTS),
        Sink("shelljs.exec", (0,)),
        Sink("cross-spawn", (0,)),
        Sink("execa.command", (0,)),
        Sink("execa.commandSync", (0,)),
        Sink("execa.shell", (0,)),
        Sink("execa", (0,)),
        Sink("exec", (0,)),
        Sink("execSync", (0,)),
        Sink("async-execute", (0,)),
        Sink("sync-exec", (0,)),
        Sink("exec-sync", (0,)),
        Sink("ssh2.Client().exec", (0,)),
    ),
    sanitisers=("shell-quote.quote", "shell-escape", "shellwords.escape", "shell-escape-tag.default", "puka.quoteForShell"),
    poc="; id",
    local_users=True,
    callers=True,
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
