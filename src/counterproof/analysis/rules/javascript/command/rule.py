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

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-command-injection",
        title="OS command injection",
        dimension=Dimension.D1,
        kind="shell",
        cwe=78,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can run programs with the rights of the application.",
        remedy="Call the program with execFile or spawn, a list of arguments and no shell, and take its name from the code.",
    ),
    sinks=sinks("command-execution", Language.JAVASCRIPT),
    sanitisers=(*names("sanitiser", "command-execution", Language.JAVASCRIPT),),
    poc="; id",
    local_users=True,
    callers=True,
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
