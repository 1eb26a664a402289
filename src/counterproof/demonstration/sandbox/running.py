"""One running sandbox, from the engine's side: start it, ask its harness, observe the effects, end it.

Invariant: decisive observations are made from outside (a folder's descriptor, a listener, this process's clock); the target is
trusted only for its own answer; every wait is bounded; leaving the context ends every process inside.
"""

import contextlib
import json
import os
import resource
import secrets
import select
import signal
import socket
import struct
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from counterproof.demonstration.sandbox.copying import packed
from counterproof.supervision.supervisor import resident

MEGABYTE: Final = 1 << 20
MAX_ANSWER: Final = 4 * MEGABYTE
_CANARIES = 400
_LOOK = 0.2
_MOST_CONNECTIONS = 16
_TEXTS = ("body", "error", "failed", "name")
_PAIR = 2


class NoSandbox(Exception):
    """The sandbox is unavailable on this machine, with the reason."""


class Silent(Exception):
    """The harness gave no answer: the time limit was reached, it ended, or it printed too much."""


class TimedOut(Silent):
    """The harness gave no answer within the time limit."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A sandboxed process: a program with its arguments, host paths that it reads, and the target to copy. `memory` is
    the limit for all its processes together; `address_space` for each, 0 if the program reserves more than it uses."""

    command: tuple[str, ...]
    readable: tuple[Path, ...]
    target: Path
    beside: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    memory: int = 1_536 * MEGABYTE
    address_space: int = 2_048 * MEGABYTE
    processor_seconds: int = 120
    processes: int = 128


@dataclass(slots=True)
class Sandbox:
    """A started sandbox. `canaries` are files inside that only this engine knows, with their content; `port` is on its
    loopback."""

    process: "subprocess.Popen[bytes]"
    asks: int
    answers: int
    marks: int
    listener: socket.socket
    canaries: list[tuple[str, str]]
    kept: set[str] = field(default_factory=set[str])
    _rest: bytes = b""
    _heard: list[str] = field(default_factory=list[str])

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def take_canary(self) -> tuple[str, str]:
        """(path inside, content) of a file that no earlier try used."""
        name, content = self.canaries.pop()
        return f"/canaries/{name}", content

    def is_marked(self, name: str) -> bool:
        """True if something with this name was created in the folder of marks. No link is followed."""
        try:
            os.stat(name, dir_fd=self.marks, follow_symlinks=False)
        except OSError:
            return False
        return True

    def keep(self, name: str) -> None:
        """Create a file in the folder of marks that can be removed by name."""
        if name in self.kept:
            return
        try:
            os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=self.marks))
        except OSError as error:
            raise Silent("it filled the disk") from error
        self.kept.add(name)

    def heard(self, token: str) -> bool:
        """True if a request with this token arrived at the listener."""
        for _ in range(_MOST_CONNECTIONS):
            if not select.select([self.listener], [], [], 0)[0]:
                break
            self._take()
        return any(token in each for each in self._heard)

    def ask(self, question: Mapping[str, Any], seconds: float) -> tuple[dict[str, Any], float]:
        """The harness's answer, and its duration by this process's clock. Raises `Silent`."""
        started = time.monotonic()
        self._send(json.dumps(question).encode() + b"\n", started + seconds)
        while b"\n" not in self._rest:
            self._rest += self._read(started + seconds)
            if len(self._rest) > MAX_ANSWER:
                raise Silent("it printed too much")
        line, _, self._rest = self._rest.partition(b"\n")
        try:
            answer: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise Silent("its output could not be read") from error
        if not isinstance(answer, dict):
            raise Silent("its output could not be read")
        return typed(cast("dict[str, Any]", answer)), time.monotonic() - started

    def _send(self, data: bytes, deadline: float) -> None:
        while data:
            if not select.select([], [self.asks], [], max(0.0, deadline - time.monotonic()))[1]:
                raise TimedOut("the time limit was reached")
            try:
                data = data[os.write(self.asks, data[:65_536]) :]
            except OSError as error:
                raise Silent("it ended") from error

    def _read(self, deadline: float) -> bytes:
        """Read a part of the answer; connections to the listener are accepted meanwhile."""
        while True:
            left = deadline - time.monotonic()
            ready = select.select([self.answers, self.listener], [], [], max(0.0, left))[0] if left > 0 else []
            if not ready:
                raise TimedOut("the time limit was reached")
            if self.listener in ready:
                self._take()
            if self.answers in ready:
                if data := os.read(self.answers, 65_536):
                    return data
                raise Silent("it ended")

    def _take(self) -> None:
        """Accept one connection, record its request and answer it. Its peer can delay us only briefly."""
        with contextlib.suppress(OSError):
            connection, _ = self.listener.accept()
            with connection:
                connection.settimeout(0.2)
                self._heard.append(connection.recv(4_096).decode("latin-1"))
                connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")


def typed(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer with type-checked fields: the target can forge one."""
    kept: dict[str, Any] = {name: str(answer[name]) for name in _TEXTS if answer.get(name)}
    if isinstance(answer.get("status"), int):
        kept["status"] = answer["status"]
    if isinstance(answer.get("headers"), list):
        pairs = (cast("list[Any]", each) for each in answer["headers"] if isinstance(each, list))
        kept["headers"] = [[str(pair[0]), str(pair[1])] for pair in pairs if len(pair) == _PAIR]
    if isinstance(answer.get("found"), list):
        kept["found"] = answer["found"]
    return kept


@contextlib.contextmanager
def started(plan: Plan) -> Generator[Sandbox]:
    """A sandbox with the plan's program. Raises `NoSandbox` if it cannot be built."""
    canaries = [(secrets.token_hex(8), secrets.token_hex(16)) for _ in range(_CANARIES)]
    ours, theirs = socket.socketpair()
    asks, question = os.pipe()
    answer, answers = os.pipe()
    copy, filling = os.pipe()
    process = _launched(theirs, (asks, answers, copy))
    for each in (asks, answers, copy):
        os.close(each)
    theirs.close()
    with contextlib.ExitStack() as stack:
        stack.callback(_end, process)
        stack.callback(os.close, question)
        stack.callback(os.close, answer)
        stack.enter_context(ours)
        filler = threading.Thread(target=_fill, args=(filling, plan), daemon=True, name="counterproof-copy")
        filler.start()
        ours.settimeout(30.0)
        _tell(ours, plan, canaries, (asks, answers, copy))
        listener, marks = _received(ours)
        stack.enter_context(listener)
        stack.callback(os.close, marks)
        listener.setblocking(False)
        os.set_blocking(question, False)
        stack.enter_context(_watched(process, plan.memory))
        yield Sandbox(process, question, answer, marks, listener, canaries)


def _launched(control: socket.socket, descriptors: tuple[int, ...]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        (sys.executable, "-I", str(Path(__file__).with_name("launcher.py")), str(control.fileno())),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={},
        cwd="/",
        pass_fds=(control.fileno(), *descriptors),
        start_new_session=True,
    )


def _tell(control: socket.socket, plan: Plan, canaries: list[tuple[str, str]], descriptors: tuple[int, int, int]) -> None:
    readable, links = _paths(plan.readable)
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", **dict(plan.environment)}  # noqa: S108 (inside)
    body = json.dumps(
        {
            "engine": os.getpid(),
            "readable": readable,
            "links": links,
            "canaries": canaries,
            "command": plan.command,
            "environment": environment,
            "limits": _limits(plan),
            "asks": descriptors[0],
            "answers": descriptors[1],
            "copy": descriptors[2],
        }
    ).encode()
    try:
        control.sendall(struct.pack("<I", len(body)) + body)
    except OSError as error:
        raise NoSandbox("its launcher exited immediately") from error


def _limits(plan: Plan) -> list[tuple[int, int]]:
    limits = [
        (resource.RLIMIT_CPU, plan.processor_seconds),
        (resource.RLIMIT_FSIZE, 64 * MEGABYTE),
        (resource.RLIMIT_NPROC, plan.processes),
        (resource.RLIMIT_NOFILE, 512),
        (resource.RLIMIT_CORE, 0),
    ]
    return [*limits, (resource.RLIMIT_AS, plan.address_space)] if plan.address_space else limits


_SYSTEM = ("/usr", "/etc/ld.so.cache", "/etc/alternatives", "/etc/ssl/certs", "/nix/store", "/gnu/store")
_LINKED = ("/bin", "/sbin", "/lib", "/lib64", "/lib32")


def _paths(wanted: tuple[Path, ...]) -> tuple[list[str], list[tuple[str, str]]]:
    """Host paths to bind read-only, none inside another; and the links at the top of the host's root."""
    paths = [Path(each) for each in _SYSTEM] + [Path(each).resolve() for each in wanted]
    links: list[tuple[str, str]] = []
    for name in _LINKED:
        if os.path.islink(name):
            links.append((name, os.readlink(name)))
        else:
            paths.append(Path(name))
    present = sorted({str(each) for each in paths if each.exists()})
    return [each for each in present if not any(each.startswith(f"{other}/") for other in present)], links


def _fill(descriptor: int, plan: Plan) -> None:
    with contextlib.suppress(OSError, tarfile.TarError), os.fdopen(descriptor, "wb") as stream:
        packed(plan.target, plan.beside, stream)


def _received(control: socket.socket) -> tuple[socket.socket, int]:
    try:
        said, descriptors, _, _ = socket.recv_fds(control, 1_024, 2)
    except OSError as error:
        raise NoSandbox("it was not built within the time limit") from error
    if said != b"+" or len(descriptors) != 2:
        for each in descriptors:
            os.close(each)
        raise NoSandbox(said[1:].decode("utf-8", "replace") or "its launcher ended")
    return socket.socket(fileno=descriptors[0]), descriptors[1]


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill the group of launcher, its child and the first process inside; with the latter all others inside end."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def _watched(process: "subprocess.Popen[bytes]", memory: int) -> Generator[None]:
    """End the process if all its processes together exceed the memory limit."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_LOOK):
            if sum(resident(each) for each in _family(process.pid)) > memory:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)

    watcher = threading.Thread(target=watch, daemon=True, name="counterproof-sandbox-watch")
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _family(pid: int) -> list[int]:
    """A process and all its descendants."""
    found = [pid]
    for each in found:
        with contextlib.suppress(OSError, ValueError):
            for task in os.listdir(f"/proc/{each}/task"):
                with open(f"/proc/{each}/task/{task}/children", encoding="ascii") as listed:
                    found += [int(child) for child in listed.read().split()]
    return found
