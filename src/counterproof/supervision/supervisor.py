"""Watching a child: how long, how much memory, how much work without a sign of life; ending it and starting the next.

Invariant: what was signalled to this process reaches the child, and the child's end is this process's end, with the same
code or signal; a file costs at most two children, a run at most `MAX_CHILDREN`, and the last of them only hands in.
"""

import fcntl
import gc
import os
import select
import signal
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

from counterproof.supervision.progress import Page, Spared, watched_by

SWITCH = "COUNTERPROOF_MAX_MEMORY"
"""The environment variable that says how many MiB a run may take; 0 means no limit."""
TIED = "COUNTERPROOF_TIED"
"""The environment variable that says that standard input is a line to the process that started this one, and to end with it."""
DEFAULT_MEMORY = 1_536 << 20

MAX_CHILDREN = 8
STALL = 60.0
"""Seconds of processor time without a sign of life: no file and no function takes that long."""
SHORTEST_STALL = 3.0
SHARE = 30
"""Of a time limit, the part that one file may take."""
GRACE = 10.0
"""Seconds past the time limit in which a run hands in, or a quarter of the limit where that is more."""
LAST_WORDS = 120.0
"""Seconds for the last child, which analyses nothing."""

_LOOK = 0.1
_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
_CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGILL)
_SENT_BY_A_PROCESS = 0
_F_SETSIG = 10
_INCOMPLETE = 3


class Past(Enum):
    """The limit that a child is past."""

    MEMORY = "memory"
    STALL = "stall"
    TIME = "time"
    CRASH = "crash"


def memory_limit() -> int:
    """Bytes that one run may take; 0 means no limit."""
    wanted = os.environ.get(SWITCH, "")
    return int(wanted) << 20 if wanted.isascii() and wanted.isdigit() and len(wanted) < 9 else DEFAULT_MEMORY


def supervise() -> None:
    """Fork, and watch. Returns in the child alone, which is to do the command's work; the parent ends with it."""
    if not sys.platform.startswith("linux"):
        return
    if os.environ.pop(TIED, ""):
        _end_with(sys.stdin.fileno())
        if select.select([sys.stdin], [], [], 0)[0]:
            os._exit(_INCOMPLETE)
    page = Page()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*_PASSED_ON, signal.SIGCHLD})
    for _ in range(MAX_CHILDREN):
        pid, line = _forked(before)
        if not pid:
            watched_by(page)
            return
        past = _Watch(pid, page).past()
        os.close(line)
        if past is None:
            _end_alike(pid, before)
        _learn(page, past)
        if page.over and not page.run:
            _say(page.over)
            os._exit(_INCOMPLETE)
    _say("the analysis could not finish within its limits")
    os._exit(_INCOMPLETE)


def _forked(mask: Iterable[int]) -> tuple[int, int]:
    """The child's id and this end of the line that it dies with; (0, 0) in the child."""
    ours, theirs = os.pipe()
    parent = os.getpid()
    gc.freeze()  # or the child's first collection would copy every page that the two share
    pid = os.fork()
    if pid:
        os.close(ours)
        return pid, theirs
    os.close(theirs)
    _end_with(ours)
    if os.getppid() != parent:
        os._exit(_INCOMPLETE)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return 0, 0


def _end_with(line: int) -> None:
    """From here on this process is killed when the other end of the line closes."""
    fcntl.fcntl(line, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(line, _F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(line, fcntl.F_SETFL, fcntl.fcntl(line, fcntl.F_GETFL) | os.O_ASYNC)


@dataclass(slots=True)
class _Watch:
    """One child, watched to its end."""

    pid: int
    page: Page
    beats: int = -1
    worked: float = 0.0
    """Processor time at the last sign of life."""

    def past(self) -> Past | None:
        """The limit for which the child was ended; None once it ended by itself, and waits to be asked how."""
        started, memory = time.monotonic(), memory_limit()
        while True:
            got = signal.sigtimedwait({*_PASSED_ON, signal.SIGCHLD}, _LOOK)
            # Stopped and woken while it waits, this call answers with whatever lay in memory: no signal's number, most likely.
            if got is not None and got.si_signo in _PASSED_ON:
                self._pass_on(got)
            ended = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is not None:
                return self._crash(ended)
            past = self._limit(started, memory)
            if past is not None:
                _kill(self.pid)
                return past

    def _pass_on(self, got: "signal.struct_siginfo") -> None:
        """What came from a terminal, the child has got already."""
        if got.si_code == _SENT_BY_A_PROCESS or got.si_signo not in (signal.SIGINT, signal.SIGQUIT):
            os.kill(self.pid, got.si_signo)

    def _crash(self, ended: "os.waitid_result") -> Past | None:
        if ended.si_code == os.CLD_EXITED or ended.si_status not in _CRASHES or not self.page.path or self.page.over:
            return None
        os.waitpid(self.pid, 0)
        return Past.CRASH

    def _limit(self, started: float, memory: int) -> Past | None:
        if self.page.over:
            return Past.TIME if time.monotonic() - started > LAST_WORDS else None
        seconds = self.page.seconds
        if seconds and time.monotonic() - self.page.began > seconds + max(GRACE, seconds / 4):
            return Past.TIME
        if memory and resident(self.pid) > memory:
            return Past.MEMORY
        return Past.STALL if self._stalled(seconds) else None

    def _stalled(self, seconds: float) -> bool:
        beats = self.page.beats
        if beats == self.beats and self.page.path:
            return _worked(self.pid) - self.worked > stall(seconds)
        self.beats, self.worked = beats, _worked(self.pid)
        return False


def stall(seconds: float) -> float:
    """Seconds of processor time that a run with this time limit may go on without a sign of life."""
    return min(STALL, max(SHORTEST_STALL, seconds / SHARE)) if seconds else STALL


def _learn(page: Page, past: Past) -> None:
    """What the next child is told: a file to be spared, or that it is only to hand in."""
    path = page.path
    known = page.spared.get(path)
    if page.over:
        _say("the run could not report its results so far")
        os._exit(_INCOMPLETE)
    if past is Past.TIME:
        page.over = f"the time limit of {page.seconds:.0f} s was reached"
    elif not path or (known and known.times > 1) or sum(each.times for each in page.spared.values()) >= MAX_CHILDREN - 2:
        page.over = f"the analysis was stopped: {_reason(past, page.seconds)}"
    else:
        why = f"reading it was stopped: {_reason(past, page.seconds)}"
        page.spared[path] = Spared(why, known.times + 1 if known else 1, page.surveying)


def _reason(past: Past, seconds: float) -> str:
    if past is Past.MEMORY:
        return f"the memory limit of {memory_limit() >> 20} MiB was reached"
    if past is Past.STALL:
        return f"one step took more than {stall(seconds):.0f} s"
    return "the program crashed while reading it"


def _kill(pid: int) -> None:
    """The child, and the programs that it started."""
    for each in (*_children(pid), pid):
        try:
            os.kill(each, signal.SIGKILL)
        except ProcessLookupError:
            continue
    os.waitpid(pid, 0)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as listed:
                found += [int(each) for each in listed.read().split()]
    except (OSError, ValueError):
        return found
    return found


def resident(pid: int | str) -> int:
    """Bytes of a process that are in memory now; 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/statm", "rb", buffering=0) as table:
            return int(table.read(200).split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _worked(pid: int) -> float:
    """Seconds of processor time that a process has taken."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as table:
            fields = table.read(2_000).rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def _end_alike(pid: int, mask: Iterable[int]) -> NoReturn:
    """End as the child did."""
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code >= 0:
        os._exit(code)
    number = signal.Signals(-code)
    if number is not signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)
    os._exit(128 + number)


def _say(text: str) -> None:
    show_cursor = "\x1b[?25h" if sys.stderr.isatty() else ""
    sys.stderr.write(f"{show_cursor}counterproof: {text}\n")
    sys.stderr.flush()
