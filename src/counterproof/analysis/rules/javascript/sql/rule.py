"""Database statement built from untrusted data, in JavaScript and TypeScript.

## What it finds
Request data put into the text of a statement that a database driver, a query builder or an object-relational mapper runs.

## Why it matters
The sender reads, changes or deletes whatever the application's database account may.

## What is safe
Placeholders with the values passed beside the statement; `Prisma.sql` and tagged templates; numbers; values from a fixed list.

## Limits
A method called `query` or `execute` on something unknown counts only where its first argument starts like a statement.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-sql-injection",
        title="SQL injection",
        dimension=Dimension.D1,
        kind="sql",
        cwe=89,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can read and change data in the database.",
        remedy="Write placeholders into the statement and pass the values beside it.",
    ),
    sinks=sinks("sql", Language.JAVASCRIPT),
    sanitisers=(*names("sanitiser", "sql", Language.JAVASCRIPT),),
    poc="' OR '1'='1",
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
