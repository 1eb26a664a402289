"""The garbage collector of a process that analyses code, once or again and again.

Always holds: while anything is analysed the collector waits, and after the last of several analyses that overlap it is as it was
before the first; what analyses made and nobody holds any more never grows much beyond a quarter of what is in use, or of the
memory that a run may use. Does not belong here: who takes turns, and how much memory that is.
"""

import gc
import threading

_RARELY = (2_000_000, 50, 50)
"""Thresholds while code is analysed. Syntax trees and values are millions of objects of which next to none goes before the
analysis ends; at the usual thresholds a fifth of the time goes into walking them in vain."""
_ROOM = 200_000
"""So many objects more than there were at the last look are not worth a look."""


class _Collector:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holding = 0
        self._usual = gc.get_threshold()
        self._kept = 0

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

    def make_room(self, pressing: bool = False) -> None:
        """At the start of a run: take away what earlier runs of this process left, where they left much, or where memory is
        `pressing`: a few objects may hold the texts of a whole tree."""
        with self._lock:
            if self._holding or not (pressing or gc.get_freeze_count() >= self._kept + self._kept // 4 + _ROOM):
                return
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._kept = gc.get_freeze_count()


COLLECTOR = _Collector()
