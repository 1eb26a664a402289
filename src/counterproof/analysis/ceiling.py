"""Time and memory of one run, asked between files.

Invariant: the question costs next to nothing, because the system is asked a few times a second at most; once a limit was
reached it stays reached, so that whoever works hands in. It is reached a little before the limit at which the process is
ended, so that a large tree hands in and only a file that grows between two questions is cut off. Where the system does not
tell, there is no ceiling. Not handled here: bounds on foreign programs, which the system holds them to.
"""

import threading
import time

from counterproof.model.errors import OutOfTime
from counterproof.supervision import progress
from counterproof.supervision.collector import COLLECTOR
from counterproof.supervision.supervisor import memory_limit, resident

_EVERY = 0.25


class Ceiling:
    """One for each run."""

    def __init__(self) -> None:
        self.limit = memory_limit()
        self._hand_in = self.limit - self.limit // 8
        self._next = 0.0
        self._reached = ""
        self._expired = threading.Event()
        COLLECTOR.make_room(self.limit)

    def expire(self) -> None:
        """Every analysis hands in at its next question."""
        self._expired.set()

    def checkpoint(self) -> None:
        """Raises `OutOfTime` where a limit was reached."""
        progress.beat()
        if self._expired.is_set():
            raise OutOfTime("the time limit was reached")
        if reached := self._reached or self._look():
            raise OutOfTime(reached)

    def memory(self) -> str:
        """The limit other than the clock's that was reached, in words; "" while none is."""
        return self._reached

    def _look(self) -> str:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _EVERY
            full = self.limit and resident("self") > self._hand_in
            self._reached = progress.over() or (f"the memory limit of {self.limit >> 20} MiB was reached" if full else "")
        return self._reached
