"""How much memory the analysis may take, asked between files.

Always holds: the question costs next to nothing, because the system is asked a few times a second at most; once the ceiling was
reached it stays reached, so that whoever works hands in. Where the system does not tell, there is no ceiling. Does not belong
here: bounds on foreign programs, which the system holds them to.
"""

import os
import time

SWITCH = "COUNTERPROOF_MAX_MEMORY"
"""The environment variable that says how many MiB the analysis may take; 0 means no limit."""

DEFAULT = 1_536 << 20
_EVERY = 0.25


class MemoryCeiling:
    """One for each run."""

    def __init__(self) -> None:
        wanted = os.environ.get(SWITCH, "")
        self.limit = (int(wanted) << 20) if wanted.isascii() and wanted.isdigit() and len(wanted) < 9 else DEFAULT
        self._next = 0.0
        self._reached = False

    def is_used_up(self) -> bool:
        now = time.monotonic()
        if self.limit and not self._reached and now >= self._next:
            self._next = now + _EVERY
            self._reached = resident() > self.limit
        return self._reached


def resident() -> int:
    """Bytes of this process that are in memory now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb", buffering=0) as table:
            return int(table.read(200).split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
