"""Starting a helper, requesting results, and ending it.

Invariant: the helper gets only the environment that Python needs, imports nothing from the current folder, and ends with this
process or before. Not handled here: missing results; the caller then does the work itself.
"""

import contextlib
import os
import pickle
import select
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from counterproof.analysis.examination import Examination
from counterproof.analysis.project import OutOfTime
from counterproof.analysis.workers.together import Together, nameless
from counterproof.analysis.workers.wire import packed, received
from counterproof.installation import master_key
from counterproof.model.survey import Language

if TYPE_CHECKING:
    from counterproof.analysis.project import Project

SWITCH = "COUNTERPROOF_WORKERS"
"""The environment variable for the number of processes; 1 means no helper."""

MIN_LINES = 20_000
"""Lines of Python from which a helper saves more time than its start takes."""

MAX_LINES = 500_000
"""Lines of Python up to which two processes with a tree each stay within the memory limit of one run."""

LAST_WORDS = 5.0
"""Seconds for a helper to return its results after the time limit."""

_LOOKS = 5
_BETWEEN = 0.004
"""Seconds between two samples of running processes: long enough for a process that only woke up briefly to sleep again."""

_KEPT = ("PATH", "PYTHONPATH", "PYTHONHASHSEED", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "LD_LIBRARY_PATH")


class Helper:
    """One process that runs some families of checks, in the given order."""

    def __init__(self, project: "Project", families: tuple[str, ...]) -> None:
        self._waiting = list(families)
        own, other = nameless(), nameless()
        self.modules = Together(project, own, other)
        """The modules that this process and the helper lower in parallel, for the project that will use them."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "counterproof.analysis.workers.serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
            pass_fds=(own, other),
            start_new_session=True,  # this process handles keyboard interrupts
        )
        self._end = weakref.finalize(self, _ended, self._process)
        self._counted: dict[str, int] = {}
        self._store = project.results.store if project.results else None
        kept = (self._store.folder, self._store.secret) if self._store else (None, b"")
        self._send(packed((project.root.absolute(), project.survey, families, (*kept, master_key()), (other, own))))

    @property
    def pid(self) -> int:
        return self._process.pid

    def result(self, family: str, checkpoint: Callable[[], None]) -> Examination | None:
        """The helper's result; None if it is unavailable. Waits, checking the time limit."""
        if not self._waiting or self._waiting[0] != family:
            return None
        self._waiting.pop(0)
        assert self._process.stdout is not None
        line = self._process.stdout.fileno()
        try:
            self._wait(line, checkpoint)
            name, examination, used = received(lambda count: os.read(line, count))
        except (EOFError, OSError, ValueError, TypeError, pickle.UnpicklingError):
            name, examination, used = "", None, None
        if name != family or not isinstance(examination, Examination):
            self.stop()
            return None
        self._count(used)
        return examination  # after the last one it stores its parsed modules for the next run, and ends by itself

    def _count(self, used: object) -> None:
        """Count the helper's reuse of earlier results in the receipt, like this process's own."""
        if self._store is None or not isinstance(used, dict):
            return
        for kind, count in cast("dict[str, int]", used).items():
            self._store.used[kind] = self._store.used.get(kind, 0) + count - self._counted.get(kind, 0)
        self._counted = cast("dict[str, int]", used)

    def _wait(self, line: int, checkpoint: Callable[[], None]) -> None:
        try:
            while not select.select([line], [], [], 0.1)[0]:
                checkpoint()
        except OutOfTime:
            self._send(b"s")
            if not select.select([line], [], [], LAST_WORDS)[0]:
                raise EOFError from None

    def _send(self, message: bytes) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # a dead helper is noticed when its result is requested
            self._process.stdin.write(message)
            self._process.stdin.flush()

    def stop(self) -> None:
        self._waiting.clear()
        self._end()


def _ended(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def helper_for(project: "Project", families: tuple[str, ...]) -> Helper | None:
    """A helper for this project; None if it would not pay, is disabled or cannot be started."""
    lines = sum(file.lines for file in project.survey.files if file.language is Language.PYTHON)
    if not families or os.name != "posix" or not sys.executable or not MIN_LINES <= lines <= MAX_LINES or _allowed() < 2:
        return None
    try:
        return Helper(project, families)
    except OSError:
        return None


def _allowed() -> int:
    """The number of processes allowed: the user's setting, or the number of idle processors."""
    wanted = os.environ.get(SWITCH, "")
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 5:
        return int(wanted)
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return idle(processors, others_at_work())


def idle(processors: int, others: int) -> int:
    """Processors that no other process uses. Two processes take more total time than one, which pays only if the second has a
    processor to itself; on a busy machine it delays everyone."""
    return max(0, processors - others)


def others_at_work(table: Path = Path("/proc/loadavg")) -> int:
    """The number of other processes that currently need a processor: the median of a few samples; where the system does not
    report it, the average of the last minute, which is worse because it includes our own finished work."""
    seen: list[int] = []
    for _ in range(_LOOKS):
        try:
            runnable = table.read_text("ascii").split()[3].partition("/")[0]
            seen.append(int(runnable) - 1)  # without this process, which is running while it samples
        except (OSError, ValueError, IndexError):
            return round(os.getloadavg()[0])
        time.sleep(_BETWEEN)
    return max(0, sorted(seen)[_LOOKS // 2])
