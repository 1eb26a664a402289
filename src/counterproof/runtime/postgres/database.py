"""A connection to the fleet's database that survives interruptions.

Invariant: a call is one transaction; after a lost connection it is repeated on a new one, so every call must be idempotent.
The database's name, the login and the password appear in no message.
"""

import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from counterproof.model.errors import StorageError, UserError

PATIENCE = 60.0
"""Seconds to wait for a database that does not respond."""
_CONNECTION = {
    "connect_timeout": 5, "keepalives_idle": 20, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000
}  # fmt: skip
"""Lets a machine notice that it is cut off; the address may override these. Without them a lost packet would block forever."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0
AWAY = "the fleet's database does not answer"
NO_DRIVER = ("the library for PostgreSQL is not installed", "install it with `pip install 'counterproof[fleet]'`")


class Database:
    """A connection opened on demand. Several threads may call; calls run one at a time."""

    def __init__(self, url: str, patience: float = PATIENCE, name: str = "counterproof") -> None:
        try:
            import psycopg
        except ImportError as error:
            raise UserError(*NO_DRIVER) from error
        self._library = psycopg
        self._url, self._patience, self._name = url, patience, name
        self._turn = threading.Lock()
        self._connection: psycopg.Connection[Any] | None = None

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """The result of a statement, retried after lost connections. Raises `StorageError` after the waiting time."""
        until, pause = time.monotonic() + self._patience, _FIRST_PAUSE
        with self._turn:
            while True:
                try:
                    return self._once(statement, values)
                except (self._library.OperationalError, self._library.InterfaceError) as error:
                    self._forget()
                    if time.monotonic() + pause > until or _hopeless(error):
                        raise _unreachable(error) from error
                    time.sleep(pause)
                    pause = min(_LONGEST_PAUSE, pause * 2)
                except self._library.Error as error:
                    raise _refused(error) from error

    def value(self, statement: str, *values: object) -> Any:
        """The first value of the first row; None if there is none."""
        found = self.rows(statement, *values)
        return found[0][0] if found else None

    def _once(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        if self._connection is None:
            self._connection = self._library.connect(_with_defaults(self._url, self._name), autocommit=True)
        cursor = self._connection.execute(statement, values or None, binary=True)  # pyright: ignore[reportArgumentType]
        return cursor.fetchall() if cursor.description else []

    def _forget(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def close(self) -> None:
        with self._turn:
            self._forget()


def _with_defaults(url: str, name: str) -> str:
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    return make_conninfo("", **{**_CONNECTION, "application_name": name, **conninfo_to_dict(url)})


def _hopeless(error: Exception) -> bool:
    """True for errors that waiting does not fix: a wrong password, a missing database, an invalid address."""
    said = str(error)
    return any(word in said for word in ("authentication failed", "does not exist", "no password supplied", "pg_hba.conf"))


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


def _unreachable(error: Exception) -> StorageError:
    return StorageError(
        f"{AWAY}: {_first_line(error)}",
        "check that PostgreSQL is running and that COUNTERPROOF_FLEET is right; everything written so far is safe",
    )


def _refused(error: Exception) -> StorageError | UserError:
    state = str(getattr(error, "sqlstate", "") or "")
    if state in ("42P01", "3F000", "42883", "42703"):
        return UserError("the fleet's database has no schema, or an older one", "`counterproof fleet migrate` creates it")
    if state == "42501":
        return UserError(
            f"the fleet's database refuses this user: {_first_line(error)}",
            "workers log in as a member of counterproof_worker, `batch` and `fleet` as one of counterproof_operator",
        )
    return StorageError(f"the fleet's database refused a statement: {_first_line(error)}")
