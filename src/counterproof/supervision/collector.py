"""Controls the garbage collector of a process that analyses code once or repeatedly.

Invariant: the collector is paused during analyses, and restored after the last of overlapping ones; garbage of earlier
analyses is collected before it takes more than a quarter of the memory that a run may use, or a quarter of what was in use
after the last collection. Not handled here: scheduling analyses, and the memory limit.
"""

import gc
import threading

from counterproof.supervision.supervisor import resident

_RARELY = (2_000_000, 50, 50)
"""Thresholds during analysis. Syntax trees and values are millions of objects, almost none of which are freed before the
analysis ends; at the usual thresholds a fifth of the time is spent scanning them in vain."""
_ROOM = 200_000
"""Fewer new objects than this since the last collection are not worth another one, if the system does not report memory use."""


class _Collector:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holding = 0
        self._usual = gc.get_threshold()
        self._objects = 0
        self._memory = 0

    def hold_back(self) -> None:
        with self._lock:
            if not self._holding:
                self._usual = gc.get_threshold()
                gc.unfreeze()
                gc.set_threshold(*_RARELY)
            self._holding += 1

    def let_go(self) -> None:
        with self._lock:
            self._holding -= 1
            if not self._holding:
                gc.freeze()  # otherwise the next allocation would scan all objects of this turn in vain
                gc.set_threshold(*self._usual)

    def make_room(self, limit: int) -> None:
        """Collect the garbage of earlier runs of this process at the start of a run, if there may be much. `limit` is the
        run's memory limit in bytes; 0 means none."""
        with self._lock:
            memory = resident("self") if limit else 0
            if self._holding or not (self._grew_to(memory, limit) if memory else self._has_more_objects()):
                return
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            if memory:
                self._memory = resident("self")
            else:
                self._objects = gc.get_freeze_count()

    def _grew_to(self, memory: int, limit: int) -> bool:
        """True if memory use is high and has grown since the last collection by a quarter, or by a quarter of the remaining
        room."""
        return memory > limit // 4 and memory >= self._memory + min(self._memory // 4, (limit - self._memory) // 4)

    def _has_more_objects(self) -> bool:
        return gc.get_freeze_count() >= self._objects + self._objects // 4 + _ROOM


COLLECTOR = _Collector()
