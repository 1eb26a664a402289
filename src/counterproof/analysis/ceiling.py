"""Time and memory limits of one run, checked between files.

Invariant: the check is almost free, because the system is queried a few times a second at most; once a limit was reached it stays
reached, so that all analyses stop. The limit is slightly below the one at which the process is killed, so that a large tree still
returns results and only a file that grows between two checks is lost. If the system reports nothing, there is no limit. Not
handled here: limits on external programs, which the system enforces.
"""

import threading
import time

from counterproof.model.errors import OutOfTime
from counterproof.supervision import progress
from counterproof.supervision.collector import COLLECTOR
from counterproof.supervision.supervisor import memory_limit, resident

_EVERY = 0.25


class Ceiling:
    """The limits of one run."""

    def __init__(self) -> None:
        self.limit = memory_limit()
        self._hand_in = self.limit - self.limit // 8
        self._next = 0.0
        self._reached = ""
        self._expired = threading.Event()
        COLLECTOR.make_room(self.limit)

    def expire(self) -> None:
        """Make every analysis stop at its next check."""
        self._expired.set()

    def checkpoint(self) -> None:
        """Raise `OutOfTime` if a limit was reached."""
        progress.beat()
        if self._expired.is_set():
            raise OutOfTime("the time limit was reached")
        if reached := self._reached or self._look():
            raise OutOfTime(reached)

    def memory(self) -> str:
        """The limit other than time that was reached, in words; "" if none."""
        return self._reached

    def _look(self) -> str:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _EVERY
            full = self.limit and resident("self") > self._hand_in
            self._reached = progress.over() or (f"the memory limit of {self.limit >> 20} MiB was reached" if full else "")
        return self._reached
