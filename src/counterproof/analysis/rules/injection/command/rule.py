"""Operating-system command built from untrusted data.

## What it finds
Request data, or what a language model answers, in the text of a command that a shell interprets, on this machine or on one that
is reached over SSH, or as the program of a command. In JavaScript and TypeScript also what the caller of a published package
passes.

## Why it matters
The sender runs programs of their choice with the rights of the server.

## What is safe
A list of arguments without a shell, with a fixed program; `shlex.quote` around each value; numbers; values from a fixed list.
In scripts `execFile` and `spawn` without a shell.

## Limits
Arguments that a program itself interprets as options are not judged.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, Impact, Language, Severity

RULE = FlowRule(
    id="command-injection",
    title="OS command injection",
    kind="shell",
    cwe=78,
    severity=Severity.CRITICAL,
    impact=Impact.FULL,
    consequence="The sender can run programs on the server with the rights of the application.",
    remedy="Call the program with a list of arguments and without a shell, and take its name from the code.",
    sinks=sinks("command-execution"),
    sanitisers=(*names("sanitiser", "command-execution"), "quoted for a shell"),
    poc="; id",
    local_users=True,
    models=True,
    openly=True,
    documents=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sinks=sinks("command-execution", Language.JAVASCRIPT),
    sanitisers=(*names("sanitiser", "command-execution", Language.JAVASCRIPT), "quoted for a shell"),
    remedy="Call the program with execFile or spawn, a list of arguments and no shell, and take its name from the code.",
    local_users=True,
    callers=True,
    documents=True,
)
