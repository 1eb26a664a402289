"""The real command with a fault planted into its readers: a file whose name begins with `poison` makes them hang in a pattern,
eat memory, or crash, and nothing but the end of the process stops them.

    python poisoned.py ARGUMENTS…    the command
    python poisoned.py               the process of a run that a coding agent started

What `POISON` says happens where `POISON_AT` says: when such a file is surveyed, whenever its text is read, or when it is parsed.
"""

import math
import os
import re
import signal
import sys
import time
from typing import Any

from counterproof.analysis import project
from counterproof.analysis.source import walk
from counterproof.app import host_child
from counterproof.cli.main import main


def _hang() -> None:
    """In one call, some three times what a file may take: more would only cost time without supervision. The quickest of three
    short ones tells how long it takes, so that a busy machine does not make it too short."""
    each = max(min(_backtracked(20) for _ in range(3)), 0.001)
    _backtracked(20 + round(math.log2(9 / each)))


def _backtracked(length: int) -> float:
    started = time.thread_time()
    re.match(r"(a+)+$", "a" * length + "b")
    return time.thread_time() - started


def _eat() -> None:
    """Three times what it may, in a second or two: more would harm the machine without supervision."""
    held: list[bytes] = []
    for _ in range(150):
        held.append(b"x" * (8 << 20))
        time.sleep(0.01)


def _crash() -> None:
    signal.raise_signal(signal.SIGSEGV)  # in this thread: the process must not get on to another file meanwhile


def _wait() -> None:
    time.sleep(1_000)


FAULTS = {"hang": _hang, "eat": _eat, "crash": _crash, "wait": _wait}


def _strike(path: str) -> None:
    if path.rpartition("/")[2].startswith("poison"):
        FAULTS[os.environ["POISON"]]()


def _plant(holder: Any, name: str, position: int) -> None:
    healthy = getattr(holder, name)

    def poisoned(*arguments: Any, **others: Any) -> Any:
        _strike(str(getattr(arguments[position], "path", arguments[position])))
        return healthy(*arguments, **others)

    setattr(holder, name, poisoned)


PLACES = {"syntax": (project.Project, "_python"), "text": (project, "read_text"), "survey": (walk, "look_at")}
_plant(*PLACES[os.environ["POISON_AT"]], 1)
(main if sys.argv[1:] else host_child.main)()
