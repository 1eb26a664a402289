"""Operating-system command built from untrusted data.

## What it finds
Request data, or the output of a language model, in a command that a shell interprets, on this machine or over SSH, or as the
program name of a command. In JavaScript and TypeScript also arguments that callers of a published package pass.

## Why it matters
The sender runs programs of their choice with the server's privileges.

## What is safe
A list of arguments without a shell, with a fixed program; `shlex.quote` around each value; numbers; values from a fixed list.
In JavaScript `execFile` and `spawn` without a shell.

## Limits
Arguments that a program itself interprets as options are not checked.
"""

from counterproof.analysis.ruleset import FlowRule, Impact, Severity

RULE = FlowRule(
    id="command-injection",
    title="OS command injection",
    kind="shell",
    cwe=78,
    severity=Severity.CRITICAL,
    impact=Impact.FULL,
    consequence="The sender can run programs on the server with the privileges of the application.",
    remedy="Call a fixed program with a list of arguments and without a shell.",
    sink="command-execution",
    sanitisers=("quoted for a shell",),
    poc="; id",
    local_users=True,
    models=True,
    openly=True,
    documents=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sanitisers=("quoted for a shell",),
    remedy="Call a fixed program with execFile or spawn, a list of arguments and no shell.",
    local_users=True,
    callers=True,
    documents=True,
)
