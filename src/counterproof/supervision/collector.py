"""The garbage collector of a process that analyses code, once or again and again.

Invariant: while anything is analysed the collector waits, and after the last of several analyses that overlap it is as it was
before the first; what earlier analyses left is collected before it takes more than a quarter of the memory that a run may use,
or a quarter of what was in use after the last collection. Not handled here: who takes turns, and how much memory that is.
"""

import gc
import threading

from counterproof.supervision.supervisor import resident

_RARELY = (2_000_000, 50, 50)
"""Thresholds while code is analysed. Syntax trees and values are millions of objects of which next to none goes before the
analysis ends; at the usual thresholds a fifth of the time goes into walking them in vain."""
_ROOM = 200_000
"""So many objects more than after the last collection are not worth another one, where the system does not tell the memory."""


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
                gc.freeze()  # or the very next allocation would walk through everything that this turn made, in vain
                gc.set_threshold(*self._usual)

    def make_room(self, limit: int) -> None:
        """Collect at the start of a run what earlier runs of this process left, where it may be much. `limit` is the memory in
        bytes that the run may take; 0 means no limit."""
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
        """True if the process takes much, and since the last collection a quarter more or a quarter of the room that was left."""
        return memory > limit // 4 and memory >= self._memory + min(self._memory // 4, (limit - self._memory) // 4)

    def _has_more_objects(self) -> bool:
        return gc.get_freeze_count() >= self._objects + self._objects // 4 + _ROOM


COLLECTOR = _Collector()
