"""SQL built from untrusted data.

## What it finds
Request data that becomes part of an SQL statement: by `+`, `%`, `format`, f-strings or `join`, directly or through variables,
fields, containers and functions of the project. In JavaScript and TypeScript also by template literals.

## Why it matters
The sender can change what the statement does: read every table, change or delete data and, on some servers, run programs.

## What is safe
Values passed in the parameters argument (`execute("… WHERE id = ?", (id,))`), numbers (`int(x)`), names chosen from a fixed
list, and quoted values in which quotes are doubled (`name.replace('"', '""')`). Object-relational mappers are safe as long as
they receive no raw SQL. In JavaScript placeholders, `Prisma.sql` and tagged templates.

## Limits
A receiver that is not identified as a database connection lowers confidence. Stored procedures that build SQL themselves are
not seen. In JavaScript a method called `query` or `execute` on an unknown object counts only if its first argument starts
like a statement.
"""

from counterproof.analysis.ruleset import FlowRule, Impact, Severity

RULE = FlowRule(
    id="sql-injection",
    title="SQL injection",
    kind="sql",
    cwe=89,
    severity=Severity.CRITICAL,
    impact=Impact.FULL,
    consequence="The sender can read, change or delete any data that the database account can reach.",
    remedy="Pass the value as a query parameter instead of concatenating it into the statement.",
    sink="sql",
    sanitisers=("doubled quotes",),
    poc="' OR '1'='1",
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    openly=True,
)
