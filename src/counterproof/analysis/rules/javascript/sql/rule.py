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

from counterproof.analysis.ruleset import BODY, SQL_TEXT, FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

_METHODS = ("query", "execute", "raw", "$queryRawUnsafe", "$executeRawUnsafe", "all", "get", "run", "each", "prepare", "unsafe")

_PROMISING = ("one", "oneOrNone", "many", "manyOrNone", "any", "none", "result", "query", "each", "map", "multi", "func")
_DRIVERS = ("mysql", "mysql2", "mysql2/promise", "promise-mysql", "mariadb")
_CONNECTIONS = (
    *(f"{driver}.{made}()" for driver in _DRIVERS for made in ("createConnection", "createPool")),
    *(f"{driver}.createPool().getConnection()" for driver in _DRIVERS),
    "pg.Pool()",
    "pg.Client()",
    "pg.Pool().connect()",
    "mssql.Request()",
    "mssql",
)

RULE = FlowRule(
    RuleInfo(
        id="javascript-sql-injection",
        title="Database statement built from untrusted data",
        dimension=Dimension.D1,
        kind="sql",
        cwe=89,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can read and change data in the database.",
        remedy="Write placeholders into the statement and pass the values beside it.",
    ),
    sinks=(
        *(Sink(f"*.{name}", (0,), when=(SQL_TEXT,)) for name in _METHODS),
        *(Sink(f"{home}.{name}", (0,)) for home in _CONNECTIONS for name in ("query", "execute")),
        *(Sink(f"sqlite3.Database().{name}", (0,)) for name in ("all", "get", "run", "exec", "each", "prepare")),
        *(Sink(f"pg-promise()().{name}", (0,)) for name in _PROMISING),
        *(Sink(f"better-sqlite3().{name}", (0,)) for name in ("prepare", "exec")),
        Sink("sequelize.Sequelize().query", (0,)),
        Sink("sequelize().query", (0,)),
        Sink("knex().raw", (0,)),
        *(Sink(f"*.{name}", (0,)) for name in ("whereRaw", "havingRaw", "orderByRaw", "joinRaw", "fromRaw", "groupByRaw")),
        *(Sink(f"*.{name}", (BODY,)) for name in ("andWhere", "orWhere")),
        *(Sink(f"{home}.literal", (0,)) for home in ("sequelize", "sequelize.Sequelize", "sequelize.Sequelize()", "sequelize()")),
        *(
            Sink(f"typeorm.{home}.query", (0,))
            for home in ("getConnection()", "getManager()", "DataSource()", "createConnection()")
        ),
    ),
    sanitisers=("mysql.escape", "mysql2.escape", "sqlstring.escape", "*.escapeId", "*.escapeLiteral", "pg-format"),
    poc="' OR '1'='1",
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
