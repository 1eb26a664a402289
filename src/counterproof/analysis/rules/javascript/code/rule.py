"""Program text built from untrusted data, in JavaScript and TypeScript.

## What it finds
Request data, or what the caller of a published package passes, in text that `eval`, `Function`, `vm` or a timer runs.

## Why it matters
The sender's text runs inside the process, with everything the application may do.

## What is safe
`JSON.parse` for data; a fixed table of functions chosen by name; numbers.

## Limits
The `vm` module is no sandbox, so a context of its own counts for nothing.
"""

from counterproof.analysis.ruleset import ANY, FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-code-injection",
        title="Program text built from untrusted data",
        dimension=Dimension.D1,
        kind="code",
        cwe=94,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can run code inside the application.",
        remedy="Parse data with JSON.parse and choose functions by name from a fixed table instead of running text.",
    ),
    sinks=(
        Sink("eval", (0,)),
        Sink("global.eval", (0,)),
        Sink("globalThis.eval", (0,)),
        Sink("Function", (ANY,)),
        *(
            Sink(f"vm.{name}", (0,))
            for name in ("runInNewContext", "runInThisContext", "runInContext", "Script", "compileFunction")
        ),
        Sink("vm2.VM().run", (0,)),
        Sink("safe-eval", (0,)),
        Sink("static-eval", (0,)),
        Sink("notevil", (0,)),
        Sink("mathjs.eval", (0,)),
    ),
    poc="process.exit()",
    callers=True,
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
