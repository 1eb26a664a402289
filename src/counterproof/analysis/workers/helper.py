"""Starting a helper, asking it for results, and being rid of it.

Invariant: the helper gets no environment but what Python needs, imports nothing from the current folder, and is ended with
this process or before. Not handled here: what is done when a result does not come; the caller then does the work itself.
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
"""The environment variable that says how many processes may be used; 1 means no helper."""

MIN_LINES = 20_000
"""Lines of Python from which a helper saves more time than its start takes."""

MAX_LINES = 500_000
"""Lines of Python up to which two processes with a tree each stay within the memory that one run may take."""

LAST_WORDS = 5.0
"""Seconds that a helper has to hand in what it has once time is over."""

_LOOKS = 5
_BETWEEN = 0.004
"""Seconds from one look at who is at work to the next: long enough for a process that only woke up to be asleep again."""

_KEPT = ("PATH", "PYTHONPATH", "PYTHONHASHSEED", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "LD_LIBRARY_PATH")


class Helper:
    """One process at work on some families of checks, in the order given."""

    def __init__(self, project: "Project", families: tuple[str, ...]) -> None:
        self._waiting = list(families)
        own, other = nameless(), nameless()
        self.modules = Together(project, own, other)
        """What this process and the helper lower together, for the project that is to use it."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "counterproof.analysis.workers.serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
            pass_fds=(own, other),
            start_new_session=True,  # an interrupt from the keyboard is this process's business
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
        """What the helper found; None if it cannot be had from it. Waits, asking the clock meanwhile."""
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
        return examination  # after the last one it keeps what it parsed for the next run, and ends by itself

    def _count(self, used: object) -> None:
        """What the helper took over from earlier runs counts for the receipt like what this process did."""
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
        with contextlib.suppress(OSError):  # a helper that is gone shows when its result is asked for
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
    """A helper at work on this project; None where it would not pay, is not wanted or cannot be had."""
    lines = sum(file.lines for file in project.survey.files if file.language is Language.PYTHON)
    if not families or os.name != "posix" or not sys.executable or not MIN_LINES <= lines <= MAX_LINES or _allowed() < 2:
        return None
    try:
        return Helper(project, families)
    except OSError:
        return None


def _allowed() -> int:
    """How many processes may be used: what the user says, or else as many as find a processor with nothing to do."""
    wanted = os.environ.get(SWITCH, "")
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 5:
        return int(wanted)
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return idle(processors, others_at_work())


def idle(processors: int, others: int) -> int:
    """Processors that nobody but this process wants. Two processes take more time together than one, which pays only where the
    second has a processor to itself; on a busy machine it makes everybody wait longer."""
    return max(0, processors - others)


def others_at_work(table: Path = Path("/proc/loadavg")) -> int:
    """How many others want a processor right now, by the middle one of a few looks; where the system does not tell, how many
    did in the last minute. That is the worse answer: after any work of ours it counts us, though we are done with it."""
    seen: list[int] = []
    for _ in range(_LOOKS):
        try:
            runnable = table.read_text("ascii").split()[3].partition("/")[0]
            seen.append(int(runnable) - 1)  # without this process, which is running while it asks
        except (OSError, ValueError, IndexError):
            return round(os.getloadavg()[0])
        time.sleep(_BETWEEN)
    return max(0, sorted(seen)[_LOOKS // 2])
