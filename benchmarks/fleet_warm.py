"""Machines whose processes are forked from one that has imported everything, so that a campaign spends its time on audits.

The program is the shipped one, and so are the processes: a worker, and for each run a process of its own in a session of its own
that ends with its worker. Only that nobody imports: the machine's first process forks them where the worker would start one.
"""

import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg  # noqa: F401

from counterproof.app import audit, leased
from counterproof.app.standing import Standing
from counterproof.app.team import AUDIT_SEATS, terms_of
from counterproof.batch import runner
from counterproof.cli import main as program
from counterproof.cli.console import SilentObserver
from counterproof.fleet import health as _health  # noqa: F401 (it and its like for those who are forked)
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime.home import Home
from counterproof.runtime.postgres import budget as _budget  # noqa: F401

_MOST = 1 << 16
_DESCRIPTORS = 256


def warmed_up(folder: Path, target: Path, agents: str) -> None:
    """Import everything and fill every cache by doing one audit in this process."""
    os.environ["COUNTERPROOF_HOME"] = str(folder)
    home = Home(folder)
    terms = terms_of(AUDIT_SEATS, agents, 1_000_000, "", folder)
    roles = tuple(role for role, _ in terms.players) if terms else ()
    audit.start(AuditRequest(str(target), Mode.QUICK, models=roles, terms=terms), Standing(), SilentObserver(), home)
    leased.held.cache_clear()
    if threading.active_count() != 1:
        raise SystemExit(f"the warm-up left threads behind: {threading.enumerate()}")


class Forge:
    """Forks machines from this process, from another process that has threads."""

    def __init__(self, folder: Path, target: Path, agents: str) -> None:
        self._line, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork() == 0:
            self._line.close()
            with suppress(BaseException):
                warmed_up(folder, target, agents)
                far.sendall(b"1\n")
                _forge(far)
            os._exit(0)
        far.close()
        if not self._line.recv(16):
            raise SystemExit("the warm-up failed")

    def machine(self, words: list[str], environment: dict[str, str], disk: Path) -> int:
        """The first process of a machine, whose child is the worker."""
        self._line.sendall(json.dumps([words, environment, str(disk)]).encode())
        return int(self._line.recv(16))

    def close(self) -> None:
        self._line.close()


def _forge(line: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while told := line.recv(_MOST):
        process = os.fork()
        if process == 0:
            words, environment, disk = json.loads(told)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            with suppress(BaseException):
                _machine(words, environment, Path(disk))
            os._exit(0)
        line.sendall(str(process).encode())


def _machine(words: list[str], environment: dict[str, str], disk: Path) -> None:
    """Fork the worker, then a process for each run that it asks for, until the worker ends."""
    door = socket.socket(socket.AF_UNIX)
    door.bind(str(disk / "door"))
    door.listen()
    log = os.open(disk / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    worker = os.fork()
    if worker == 0:
        runner.subprocess = SimpleNamespace(  # pyright: ignore[reportPrivateImportUsage, reportAttributeAccessIssue]
            Popen=lambda *words, **more: Process(disk / "door", *words, **more),
            PIPE=subprocess.PIPE, DEVNULL=subprocess.DEVNULL, TimeoutExpired=subprocess.TimeoutExpired,
        )  # fmt: skip
        _become(words, environment, [os.open(os.devnull, os.O_RDONLY), log, log])
    (disk / "worker").write_text(str(worker))
    ends = {os.pidfd_open(worker): (worker, None)}
    while True:
        for ready in select.select([door, *ends], [], [])[0]:
            if ready is door:
                line = door.accept()[0]
                process = _forked(line)
                ends[os.pidfd_open(process)] = (process, line)
                line.sendall(f"{process}\n".encode())
                continue
            process, line = ends.pop(ready)
            os.close(ready)
            code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            if line is None:
                return
            with suppress(OSError):
                line.sendall(f"{code}\n".encode())
            line.close()


def _forked(line: socket.socket) -> int:
    told, descriptors, _, _ = socket.recv_fds(line, _MOST, 2)
    process = os.fork()
    if process == 0:
        os.setsid()
        words, environment = json.loads(told)
        _become(words, environment, [descriptors[0], os.open(os.devnull, os.O_WRONLY), descriptors[1]])
    for each in descriptors:
        os.close(each)
    return process


def _become(words: list[str], environment: dict[str, str], streams: list[int]) -> None:
    """Be the program, with these words, this environment and these streams, and end."""
    code = 70
    try:
        kept = [os.dup(each) for each in streams]
        for number, each in enumerate(kept):
            os.dup2(each, number)
        os.closerange(3, _DESCRIPTORS)
        os.environ.clear()
        os.environ.update(environment)
        random.seed()
        sys.stdin = os.fdopen(0, "r")
        sys.argv = ["counterproof", *words]
        program.main()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    finally:
        with suppress(BaseException):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


class Process:
    """What the worker sees of a process that its machine forked."""

    def __init__(self, door: Path, command: tuple[str, ...], *, env: dict[str, str], stderr: int, **_: Any) -> None:
        near, far = os.pipe()
        self.stdin = os.fdopen(far, "wb")
        self.returncode: int | None = None
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(door))
        socket.send_fds(self._line, [json.dumps([command[3:], env]).encode()], [near, stderr])
        os.close(near)
        self._said = self._line.makefile("r")
        self.pid = int(self._said.readline())

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float) -> int:
        if self.returncode is None:
            if not select.select([self._line], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("counterproof", timeout)
            self.returncode = int(self._said.readline() or -9)
            self._line.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)
