"""The schema of a fleet's database, in forward-only steps.

Invariant: a step is applied completely or not at all, once, in order, by one process at a time; an applied step never changes
afterwards, and a database newer than this program is rejected.
"""

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from counterproof.model.errors import UserError

if TYPE_CHECKING:
    from psycopg import Connection

ROLES = ("counterproof_worker", "counterproof_operator", "counterproof_reader")
_NAME = re.compile(r"([0-9]{4})-[a-z-]+\.sql")
_LOCK = 7_203_114_511_620_417
"""Identifies this program among users of advisory locks in the same database."""
_TABLE = """
CREATE TABLE IF NOT EXISTS counterproof.migrations (
    version integer PRIMARY KEY, digest text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp()
)"""


@dataclass(frozen=True, slots=True)
class Step:
    """One schema migration: a numbered SQL file of the folder `schema`."""

    version: int
    text: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def steps() -> tuple[Step, ...]:
    """All steps of this version, in order."""
    folder = files("counterproof.runtime.postgres") / "schema"
    names = sorted(each.name for each in folder.iterdir() if _NAME.fullmatch(each.name))
    return tuple(Step(int(name[:4]), (folder / name).read_text(encoding="utf-8")) for name in names)


def migrate(url: str, upto: int | None = None) -> tuple[int, ...]:
    """Update the schema to this version as the database's owner; return the applied steps."""
    import psycopg

    try:
        with psycopg.connect(url, connect_timeout=10) as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            _prepare(connection)
            return _applied(connection, upto)
    except psycopg.errors.InsufficientPrivilege as error:
        raise UserError(
            f"the schema cannot be created: {str(error).splitlines()[0]}", "migrate as a user that may create schemas and roles"
        ) from error
    except psycopg.OperationalError as error:
        raise UserError(f"the fleet's database does not answer: {str(error).splitlines()[0][:200]}") from error


def _prepare(connection: "Connection") -> None:
    connection.execute("CREATE SCHEMA IF NOT EXISTS counterproof")
    connection.execute(_TABLE)
    known = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles WHERE rolname = ANY(%s)", (list(ROLES),))}
    for role in ROLES:
        if role not in known:
            connection.execute(f"CREATE ROLE {role} NOLOGIN")  # pyright: ignore[reportArgumentType, reportCallIssue]
        connection.execute(f"GRANT USAGE ON SCHEMA counterproof TO {role}")  # pyright: ignore[reportArgumentType, reportCallIssue]


def _applied(connection: "Connection", upto: int | None) -> tuple[int, ...]:
    before = dict(connection.execute("SELECT version, digest FROM counterproof.migrations").fetchall())
    known = {step.version: step.digest for step in steps()}
    for version, digest in before.items():
        if known.get(version) != digest:
            raise UserError(
                f"step {version} of the database's schema is not that of this version",
                "use the version that made it, or a newer one",
            )
    fresh = [step for step in steps() if step.version not in before and (upto is None or step.version <= upto)]
    for step in fresh:
        connection.execute(step.text)  # pyright: ignore[reportArgumentType, reportCallIssue]
        connection.execute("INSERT INTO counterproof.migrations VALUES (%s, %s)", (step.version, step.digest))
    return tuple(step.version for step in fresh)
