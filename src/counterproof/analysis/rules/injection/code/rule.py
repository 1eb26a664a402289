"""Code made from untrusted data.

## What it finds
Request data, or what a language model answers, given to `eval`, `exec`, `compile`, dynamic imports, functions looked up by
name in `globals()`, and similar. In JavaScript and TypeScript `Function`, `vm` and timers that are given a text, also with what
the caller of a published package passes.

## Why it matters
The sender's text becomes part of the program and can do whatever the program can. A model follows whatever text it reads, a web
page or a mail as well as a question, so that whoever writes one of them decides what is run.

## What is safe
`ast.literal_eval`, `json.loads`, a table from names to functions, values from a fixed list. In scripts `JSON.parse`.

## Limits
A sandbox given as second argument is not trusted: they are escaped regularly. Nor is a context of the `vm` module, which is no
sandbox.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, Impact, Language, Severity

RULE = FlowRule(
    id="code-injection",
    title="Code injection",
    kind="code",
    cwe=94,
    severity=Severity.CRITICAL,
    impact=Impact.FULL,
    consequence="The sender can run code of their choice inside the application.",
    remedy="Parse the data (`json.loads`, `ast.literal_eval`) or map names to functions; never evaluate it.",
    sinks=sinks("code-execution"),
    sanitisers=(
        *names("sanitiser", "code-execution"),
        "quoted literal",
    ),
    poc="__import__('os').system('id')",
    local_users=True,
    models=True,
    openly=True,
    documents=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sinks=sinks("code-execution", Language.JAVASCRIPT),
    remedy="Parse data with JSON.parse and choose functions by name from a fixed table instead of running text.",
    poc="process.exit()",
    callers=True,
    documents=True,
)
