"""Code made from untrusted data.

## What it finds
Request data given to `eval`, `exec`, `compile`, dynamic imports, functions looked up by
name in `globals()`, and similar.

## Why it matters
The sender's text becomes part of the program and can do whatever the program can.

## What is safe
`ast.literal_eval`, `json.loads`, a table from names to functions, values from a fixed list.

## Limits
A sandbox given as second argument is not trusted: they are escaped regularly.
"""

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = FlowRule(
    RuleInfo(
        id="code-injection",
        title="Program code made from untrusted data",
        dimension=Dimension.D1,
        kind="code",
        cwe=94,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can run code of their choice inside the application.",
        remedy="Parse the data (`json.loads`, `ast.literal_eval`) or map names to functions; never evaluate it.",
    ),
    sinks=(
        Sink("eval", (0,)),
        Sink("exec", (0,)),
        Sink("execfile", (0,)),
        Sink("compile", (0, "source")),
        Sink("builtins.eval", (0,)),
        Sink("builtins.exec", (0,)),
        Sink("__import__", (0,), only_remote=True),
        Sink("importlib.import_module", (0, "name"), only_remote=True),
        Sink("code.InteractiveInterpreter().runsource", (0,)),
        *(Sink(f"{names}().get", (0,), only_remote=True) for names in ("globals", "locals", "vars")),
        Sink("pandas.eval", (0,)),
        Sink("PIL.ImageMath.eval", (0, "expression")),
        Sink("PIL.ImageMath.unsafe_eval", (0, "expression")),
        Sink("numexpr.evaluate", (0,)),
        Sink("timeit.timeit", (0, "stmt")),
    ),
    sanitisers=("ast.literal_eval", "json.loads", "quoted literal"),
    poc="__import__('os').system('id')",
    local_users=True,
)
