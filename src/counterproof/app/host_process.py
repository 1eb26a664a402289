"""A run as seen by the server: a separate process, its messages so far, and its desk at the other end of the line.

Invariant: every call is answered, even if the process dies during it; a process that exceeds its time limit and the time to
submit is killed, on every system; when the server exits, the run gets a moment to pause.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Callable

from counterproof.agents.host.desk import Said, Shown
from counterproof.app.host_line import (
    CALL,
    ORDER,
    REPORTED,
    Answered,
    Assessed,
    Begun,
    Call,
    Hello,
    Left,
    Order,
    Over,
    Told,
    What,
)
from counterproof.model.errors import JournalError, UserError
from counterproof.supervision.supervisor import GRACE, LAST_WORDS

MAX_MARKERS = 200
ANSWER_SECONDS = 30.0
"""Seconds beyond a call's own waiting time: the process may be busy with a large file."""
COUNT_SECONDS = 5.0
COMMAND = (sys.executable, "-P", "-m", "counterproof.app.host_child")
"""-P: the working directory may be the target, and nothing may be imported from it."""
_INCOMPLETE = 3


class RunProcess:
    """One run. All its messages can be read at any time."""

    def __init__(self, order: Order, seconds: int = 0) -> None:
        self.markers: list[str] = []
        self.doing = ""
        self.run = ""
        self.finished: Left | None = None
        self.assessed: Assessed | None = None
        self.error = ""
        self.over = False
        self.changed = threading.Condition()
        self._ended = False
        self._era = ""
        self._calls = 0
        self._answers: dict[int, Answered | None] = {}
        self.late: list[Shown] = []
        """Tasks that arrived after their caller stopped waiting."""
        self._process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._write(ORDER.encode(order))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.desk = RemoteDesk(self)
        if seconds:
            patience = seconds + max(GRACE, seconds / 4) + 2 * LAST_WORDS
            threading.Thread(target=self._end_after, args=(patience,), daemon=True).start()

    @property
    def going(self) -> bool:
        return not self.over

    def wait(self, until: Callable[[], bool], seconds: float) -> bool:
        with self.changed:
            return self.changed.wait_for(until, seconds)

    def call(self, what: What, seconds: float, task: str = "", said: Said | None = None, context: str = "") -> Answered | None:
        """The desk's answer; None if the run has ended, another process took it over, or there is no answer in time."""
        until = time.monotonic() + seconds + (COUNT_SECONDS if what == "counts" else ANSWER_SECONDS)
        with self.changed:
            if not self.changed.wait_for(lambda: bool(self._era or self.over), until - time.monotonic()) or self.over:
                return None
            era = self._era
            self._calls += 1
            number = self._calls
            self._answers[number] = None
            self._write(CALL.encode(Call(era, number, what, seconds, task, said, context)))
            answered = lambda: bool(self._answers[number] or self._ended or self._era != era)  # noqa: E731
            self.changed.wait_for(answered, until - time.monotonic())
            return self._answers.pop(number)

    def leave(self) -> None:
        """The host has disconnected; the run pauses when it needs one."""
        with self.changed:
            try:
                if self._process.stdin:
                    self._process.stdin.close()
            except OSError:
                return

    def end(self, seconds: float) -> None:
        """Wait this long for the process, then kill it."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()  # its own child goes with it
        self._reader.join(seconds)

    def _end_after(self, seconds: float) -> None:
        self.wait(lambda: self.over, seconds)
        if not self.over:
            self._process.kill()

    def _write(self, text: str) -> None:
        stdin = self._process.stdin
        try:
            if stdin and not stdin.closed:
                stdin.write(text.encode("ascii") + b"\n")
                stdin.flush()
        except OSError:
            return  # the process has ended; the reader reports it

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                told = REPORTED.decode(line.decode("ascii", "replace")) if line.strip() else None
            except JournalError:
                continue  # the process was killed while writing this line
            with self.changed:
                self._take_note(told)
                self.changed.notify_all()
        code = self._process.wait()
        self._process.stdout.close()
        self.leave()
        with self.changed:
            if not (self.finished or self.assessed or self.error):
                self.error = (
                    "it could not finish within its limits" if code == _INCOMPLETE else f"its process was stopped (code {code})"
                )
            self.over = self._ended = True
            self.changed.notify_all()

    def _take_note(self, told: Hello | Begun | Told | Answered | Over | None) -> None:
        match told:
            case Hello():
                self._era, self.late = told.era, []
            case Begun():
                self.run = told.run
            case Told(passing=True):
                self.doing = told.text
            case Told():
                self.markers.append(told.text)
                del self.markers[:-MAX_MARKERS]
            case Answered() if told.number in self._answers:
                self._answers[told.number] = told
            case Answered(shown=Shown(system=system) as shown) if system:
                self.late.append(shown)
            case Over():
                self.finished, self.assessed, self.error, self.over = told.finished, told.assessed, told.error, True
            case _:
                pass


class RemoteDesk:
    """The host's side of a desk (`agents.host.desk`) in another process."""

    def __init__(self, process: RunProcess) -> None:
        self._process = process

    def take(self, seconds: float, context: str = "") -> Shown | None:
        if self._process.late:
            return self._process.late.pop()
        answered = self._process.call("take", seconds, context=context)
        return answered.shown if answered else None

    def again(self, task: str, seconds: float) -> Shown:
        return self._shown(self._process.call("again", seconds, task), task)

    def answer(self, task: str, said: Said, seconds: float) -> Shown:
        return self._shown(self._process.call("answer", seconds, task, said), task)

    def counts(self) -> tuple[int, int, int] | None:
        """The numbers of waiting, held and ended tasks; None if the process does not answer."""
        answered = self._process.call("counts", 0)
        return answered.counts if answered else None

    def _shown(self, answered: Answered | None, task: str) -> Shown:
        if answered and answered.error:
            raise UserError(answered.error, answered.hint)
        if answered and answered.shown:
            return answered.shown
        if self._process.over:
            raise UserError(f"task {task[:120]} accepts no more results: the run has ended", "audit_status shows how it ended")
        raise UserError(
            f"the process that worked on {task[:120]} exceeded a limit and was stopped; another process continues",
            "take the task with next_task",
        )
