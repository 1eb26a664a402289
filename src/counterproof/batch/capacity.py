"""How many jobs this machine can run at a time: limited by processors, and by memory divided by a run's maximum."""

import os
from pathlib import Path
from typing import Final

from counterproof.supervision.supervisor import memory_limit

_CONTROL: Final = Path("/sys/fs/cgroup")
_TABLE: Final = Path("/proc/meminfo")


def jobs_at_a_time(wanted: int) -> int:
    """The requested number, or the number of processors, but at most what fits in memory; at least one."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    ceiling, free = memory_limit(), available_memory()
    fitting = free // ceiling if ceiling and free else wanted or processors
    return max(1, min(wanted or processors, fitting))


def available_memory(table: Path = _TABLE, control: Path = _CONTROL) -> int:
    """The available bytes according to the machine and the container; 0 if neither reports them."""
    known = [each for each in (_of_machine(table), _of_container(control)) if each is not None]
    return max(0, min(known)) if known else 0


def _of_machine(table: Path) -> int | None:
    try:
        for line in table.read_text(encoding="ascii", errors="replace").split("\n"):
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        return None
    return None


def _of_container(control: Path) -> int | None:
    try:
        limit = (control / "memory.max").read_text(encoding="ascii").strip()
        return int(limit) - int((control / "memory.current").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
