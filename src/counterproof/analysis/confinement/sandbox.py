"""Runs one foreign program to its end, within bounds, and tells what became of it.

Layers, each used where the system has it: an environment of exactly what the caller names; no standard input but the caller's;
a session of its own, killed as a whole; limits on processor time, memory, files and processes; Landlock, so that only the
named paths can be read and only the program itself can be executed, and no network.

Invariant: `run` returns, with at most `output_bytes` of output, not long after `seconds`, and nothing it started is left; our
own memory stays within the bound however much the program says, and one that neither reads nor writes cannot hold us up. Not
handled here: what the output means.
"""

import os
import selectors
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from subprocess import Popen

from counterproof.analysis.confinement import landlock, limits
from counterproof.analysis.confinement.limits import Bounds
from counterproof.analysis.confinement.program import interpreter_of

_CHUNK = 1 << 16
MAX_ERRORS = 16_384

_LIBRARIES = ("/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/nix/store", "/gnu/store")


class Cut(StrEnum):
    """Which bound stopped a program."""

    NONE = ""
    TIME = "it took too long"
    OUTPUT = "it printed too much"


@dataclass(frozen=True, slots=True)
class Command:
    """A program and what it may touch. `executable` are further programs, or folders of them, that it may start; `online` lets it
    use the network, which only a fetch needs."""

    program: Path
    arguments: tuple[str, ...]
    folder: Path
    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    executable: tuple[Path, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    online: bool = False


@dataclass(frozen=True, slots=True)
class Ended:
    """`code` is the exit code, negative for a signal. `cut` says which bound stopped it, if one did."""

    code: int
    output: bytes
    errors: bytes
    cut: Cut = Cut.NONE


class Layer(StrEnum):
    """What can be in force."""

    LANDLOCK = "only named paths readable (Landlock)"
    NETWORK = "no network (Landlock)"
    LIMITS = "limits on time, memory, files and processes"
    ENVIRONMENT = "empty environment"


@dataclass(frozen=True, slots=True)
class SandboxLevel:
    """What is in force on this machine, tried and not assumed. `missing` names what a stronger system would add."""

    active: tuple[Layer, ...]
    missing: tuple[Layer, ...]

    def __str__(self) -> str:
        lacking = f"; not available here: {', '.join(self.missing)}" if self.missing else ""
        return ", ".join(self.active) + lacking


def run(command: Command, bounds: Bounds = Bounds(), feed: Iterable[bytes] = ()) -> Ended:  # noqa: B008 (frozen)
    """Start it, feed it, collect what it says, and make sure that it is gone."""
    deadline = time.monotonic() + bounds.seconds
    process = _started(command, bounds)
    try:
        output, errors, cut = exchange(process, feed, deadline, bounds.output_bytes)
    finally:
        _end_group(process)
    return Ended(process.returncode, output, errors, cut)


def _started(command: Command, bounds: Bounds) -> "subprocess.Popen[bytes]":
    """The program, started from a thread that confines itself first."""
    outcome: list[subprocess.Popen[bytes] | BaseException] = []
    rules = _rules(command)
    confined = can_confine()

    def body() -> None:
        try:
            if confined:
                landlock.confine_thread(rules, command.online)
            outcome.append(_spawn(command, bounds))
        except BaseException as error:
            outcome.append(error)

    starter = threading.Thread(target=body, name="counterproof-confined-start")
    starter.start()
    starter.join()
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


def _spawn(command: Command, bounds: Bounds) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        (*limits.prefix(bounds), str(command.program), *command.arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=command.folder,
        env=dict(command.environment),
        start_new_session=True,
    )
    limits.impose(process.pid, bounds)
    return process


def _rules(command: Command) -> tuple[landlock.Rule, ...]:
    loader = interpreter_of(command.program)
    programs = (command.program, *((loader,) if loader else ()), *command.executable)
    return (
        *(landlock.Rule(path, execute=True) for path in programs),
        *(landlock.Rule(path) for path in command.readable),
        *(landlock.Rule(path, write=True) for path in command.writable),
        *(landlock.Rule(Path(path)) for path in _LIBRARIES),
        landlock.Rule(Path("/dev/null"), write=True),
    )


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """Kill the whole session before the leader is reaped, while its number cannot belong to anyone else."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # macOS answers EPERM for a group of zombies
        process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            try:
                stream.close()
            except OSError:
                continue  # what was left to write has no reader any more


@cache
def can_confine() -> bool:
    """Whether Landlock holds here: a confined thread is tried on a file that it must not be able to open."""
    if not landlock.abi():
        return False
    held: list[bool] = []
    with tempfile.NamedTemporaryFile() as probe:

        def body() -> None:
            try:
                landlock.confine_thread((landlock.Rule(Path("/dev/null")),))
            except OSError:
                return
            try:
                os.close(os.open(probe.name, os.O_RDONLY | os.O_CLOEXEC))
            except PermissionError:
                held.append(True)

        thread = threading.Thread(target=body, name="counterproof-confinement-probe")
        thread.start()
        thread.join()
    return bool(held)


def level() -> SandboxLevel:
    """What protects the machine from the programs we run."""
    active = [Layer.ENVIRONMENT, Layer.LIMITS]
    if can_confine():
        active.append(Layer.LANDLOCK)
        if landlock.abi() >= 4:
            active.append(Layer.NETWORK)
    return SandboxLevel(tuple(active), tuple(layer for layer in Layer if layer not in active))


def exchange(process: "Popen[bytes]", feed: Iterable[bytes], deadline: float, limit: int) -> tuple[bytes, bytes, Cut]:
    """Output, errors (only their beginning) and the bound that was met."""
    feeder = threading.Thread(target=_feed, args=(process, feed), daemon=True, name="counterproof-feed")
    feeder.start()
    collected: dict[int, list[bytes]] = {1: [], 2: []}
    cut = _collect(process, collected, deadline, limit)
    if cut is Cut.NONE and not _ended_by(process, deadline):
        cut = Cut.TIME
    return b"".join(collected[1])[:limit], b"".join(collected[2])[:MAX_ERRORS], cut


def _feed(process: "Popen[bytes]", feed: Iterable[bytes]) -> None:
    stream = process.stdin
    if stream is None:
        return
    try:
        with stream:
            for chunk in feed:
                stream.write(chunk)
    except (OSError, ValueError):
        return  # the program stopped reading, or was ended; what it did say still counts


def _collect(process: "Popen[bytes]", collected: dict[int, list[bytes]], deadline: float, limit: int) -> Cut:
    left = {1: limit, 2: MAX_ERRORS}
    with selectors.DefaultSelector() as selector:
        for number, stream in ((1, process.stdout), (2, process.stderr)):
            if stream:
                selector.register(stream, selectors.EVENT_READ, number)
        while selector.get_map():
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return Cut.TIME
            for key, _ in selector.select(remaining):
                chunk = os.read(key.fd, _CHUNK)
                number = int(key.data)
                if not chunk:
                    selector.unregister(key.fileobj)
                elif left[number] > 0:
                    collected[number].append(chunk)
                left[number] -= len(chunk)
                if left[1] < 0:
                    return Cut.OUTPUT
    return Cut.NONE


def _ended_by(process: "Popen[bytes]", deadline: float) -> bool:
    """Wait for the end without reaping: the group is killed first, while the number is still ours."""
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.001)
    return True
