"""SQL built from untrusted data.

## What it finds
Request data that becomes part of the text of an SQL statement: by `+`, `%`, `format`, f-strings or `join`, directly or through
variables, fields, containers and functions of the project.

## Why it matters
The sender can change what the statement does: read every table, change or delete data and, on some servers, run programs.

## What is safe
Values passed in the parameters argument (`execute("… WHERE id = ?", (id,))`), numbers (`int(x)`), and names chosen from a fixed
list, or quoted with the quotes in them doubled (`name.replace('"', '""')`). Object-relational mappers are safe as long as no
raw text is given to them.

## Limits
A receiver that could not be identified as a database connection lowers confidence. Stored procedures that build SQL themselves
are not seen.
"""

from counterproof.analysis.ruleset import SQL_TEXT, FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_DRIVERS = (
    "sqlite3.",
    "psycopg2.",
    "psycopg.",
    "pymysql.",
    "MySQLdb.",
    "mysql.",
    "cx_Oracle.",
    "oracledb.",
    "pyodbc.",
    "pymssql.",
    "asyncpg.",
    "aiosqlite.",
    "aiomysql.",
    "aiopg.",
    "sqlalchemy.",
    "flask_sqlalchemy.",
    "django.db.",
    "databases.",
    "peewee.",
    "duckdb.",
    "records.",
    "pg8000.",
    "aioodbc.",
    "snowflake.",
    "clickhouse_driver.",
    "trino.",
    "sqlmodel.",
    "tortoise.",
)

_STATEMENTS = (
    "command",
    "copy_expert",
    "exec_driver_sql",
    "execute_insert",
    "execute_query",
    "execute_query_dict",
    "execute_script",
    "execute_sql",
    "fetch",
    "fetch_all",
    "fetch_one",
    "fetch_val",
    "iterate",
    "prepare",
    "query",
    "raw",
    "run_query",
    "sql",
)
"""Methods that many things have: they run SQL where what they are given starts like it."""


def _statement(name: str) -> Sink:
    return Sink(f"*.{name}", (0, "sql", "query", "statement", "operation"), receiver_from=_DRIVERS)


_TEXT_MODULES = ("sqlalchemy", "sqlalchemy.sql", "sqlalchemy.sql.expression", "sqlmodel")

RULE = FlowRule(
    RuleInfo(
        id="sql-injection",
        title="SQL statement built from untrusted data",
        dimension=Dimension.D1,
        kind="sql",
        cwe=89,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can read, change or delete any data that the database account reaches.",
        remedy="Pass the value in the parameters of the query instead of putting it into the statement's text.",
    ),
    sinks=(
        _statement("execute"),
        _statement("executemany"),
        _statement("executescript"),
        Sink("*.raw", (0, "raw_query"), receiver_from=("django.",), only_certain=True),
        Sink("*.fetch", (0,), receiver_from=("asyncpg.",), only_certain=True),
        Sink("*.fetchrow", (0,), receiver_from=("asyncpg.",)),
        Sink("*.fetchval", (0,), receiver_from=("asyncpg.",)),
        Sink("*.fetch_all", (0, "query"), receiver_from=("databases.",), only_certain=True),
        Sink("*.fetch_one", (0, "query"), receiver_from=("databases.",), only_certain=True),
        Sink("*.extra", ("where", "select", "tables", "order_by"), receiver_from=("django.",), only_certain=True),
        Sink("*.raw", (0, "sql"), receiver_from=("peewee.",), only_certain=True),
        *(Sink(f"*.{name}", (0, "query", "sql"), when=(SQL_TEXT,)) for name in _STATEMENTS),
        Sink("*.text", (0, "text"), receiver_from=("flask_sqlalchemy.",), only_certain=True),
        Sink("*.select_by_sql", (0, "sql"), receiver_from=("pony.",)),
        Sink("*.read_sql_query", (0, "sql")),
        *(Sink(f"{module}.{name}", (0, "text")) for module in _TEXT_MODULES for name in ("text", "literal_column", "TextClause")),
        Sink("sqlalchemy.DDL", (0, "statement")),
        Sink("psycopg.sql.SQL", (0, "obj")),
        Sink("psycopg2.sql.SQL", (0, "string")),
        Sink("peewee.SQL", (0, "sql")),
        Sink("django.db.models.expressions.RawSQL", (0, "sql")),
        Sink("pandas.read_sql", (0, "sql")),
        Sink("pandas.read_sql_query", (0, "sql")),
    ),
    sanitisers=(
        "doubled quotes",
        "*.escape_string",
        "*.quote_ident",
        "psycopg2.sql.Identifier",
        "psycopg.sql.Identifier",
        "*.mogrify",
        "*.select",
    ),
    poc="' OR '1'='1",
    local_users=False,
)
