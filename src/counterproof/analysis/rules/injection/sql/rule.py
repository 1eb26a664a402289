"""SQL built from untrusted data.

## What it finds
Request data that becomes part of the text of an SQL statement: by `+`, `%`, `format`, f-strings or `join`, directly or through
variables, fields, containers and functions of the project. In JavaScript and TypeScript also by template literals.

## Why it matters
The sender can change what the statement does: read every table, change or delete data and, on some servers, run programs.

## What is safe
Values passed in the parameters argument (`execute("… WHERE id = ?", (id,))`), numbers (`int(x)`), and names chosen from a fixed
list, or quoted with the quotes in them doubled (`name.replace('"', '""')`). Object-relational mappers are safe as long as no
raw text is given to them. In scripts placeholders, `Prisma.sql` and tagged templates.

## Limits
A receiver that could not be identified as a database connection lowers confidence. Stored procedures that build SQL themselves
are not seen. In scripts a method called `query` or `execute` on something unknown counts only where its first argument starts
like a statement.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, Impact, Language, Severity

RULE = FlowRule(
    id="sql-injection",
    title="SQL injection",
    kind="sql",
    cwe=89,
    severity=Severity.CRITICAL,
    impact=Impact.FULL,
    consequence="The sender can read, change or delete any data that the database account reaches.",
    remedy="Pass the value as a query parameter instead of putting it into the statement's text.",
    sinks=sinks("sql"),
    sanitisers=(
        *names("sanitiser", "sql"),
        "doubled quotes",
    ),
    poc="' OR '1'='1",
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sinks=sinks("sql", Language.JAVASCRIPT),
    sanitisers=(*names("sanitiser", "sql", Language.JAVASCRIPT),),
    openly=True,
)
