"""Code evaluated from untrusted data.

## What it finds
Request data, or the output of a language model, passed to `eval`, `exec`, `compile`, dynamic imports, lookups of functions by
name in `globals()`, and similar. In JavaScript and TypeScript `Function`, `vm` and timers with a string argument, also with
arguments that callers of a published package pass.

## Why it matters
The sender's text becomes part of the program and can do whatever the program can. A language model follows instructions in
any text it reads, including web pages and e-mails, so the author of such a text decides what code runs.

## What is safe
`ast.literal_eval`, `json.loads`, a table from names to functions, values from a fixed list. In JavaScript `JSON.parse`.

## Limits
A sandbox passed as the second argument is not trusted, because such sandboxes are regularly escaped. The same holds for a
context of the `vm` module, which is not a sandbox.
"""

from counterproof.analysis.ruleset import FlowRule, Impact, Severity

RULE = FlowRule(
    id="code-injection",
    title="Code injection",
    kind="code",
    cwe=94,
    severity=Severity.CRITICAL,
    impact=Impact.FULL,
    consequence="The sender can run code of their choice inside the application.",
    remedy="Parse the data (`json.loads`, `ast.literal_eval`) or map names to functions; never evaluate it.",
    sink="code-execution",
    sanitisers=("quoted literal",),
    poc="__import__('os').system('id')",
    local_users=True,
    models=True,
    openly=True,
    documents=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    remedy="Parse data with JSON.parse and choose functions by name from a fixed table instead of running text.",
    poc="process.exit()",
    callers=True,
    documents=True,
)
