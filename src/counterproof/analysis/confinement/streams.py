"""Talking to a running program without ever waiting for it: bounded reading, feeding from a thread, one deadline.

Always holds: memory stays within the bound however much the program says, and a program that neither reads nor writes cannot
hold us up. Does not belong here: starting and ending it.
"""

import os
import selectors
import threading
import time
from collections.abc import Iterable
from enum import StrEnum
from subprocess import Popen

_CHUNK = 1 << 16
MAX_ERRORS = 16_384


class Cut(StrEnum):
    """Which bound stopped a program."""

    NONE = ""
    TIME = "it took too long"
    OUTPUT = "it said too much"


def exchange(process: "Popen[bytes]", feed: Iterable[bytes], deadline: float, limit: int) -> tuple[bytes, bytes, Cut]:
    """Output, errors (only their beginning) and the bound that was met."""
    feeder = threading.Thread(target=_feed, args=(process, feed), daemon=True, name="counterproof-feed")
    feeder.start()
    collected: dict[int, list[bytes]] = {1: [], 2: []}
    cut = _collect(process, collected, deadline, limit)
    if cut is Cut.NONE and not _ended_by(process, deadline):
        cut = Cut.TIME
    return b"".join(collected[1])[:limit], b"".join(collected[2])[:MAX_ERRORS], cut


def _feed(process: "Popen[bytes]", feed: Iterable[bytes]) -> None:
    stream = process.stdin
    if stream is None:
        return
    try:
        with stream:
            for chunk in feed:
                stream.write(chunk)
    except (OSError, ValueError):
        return  # the program stopped reading, or was ended; what it did say still counts


def _collect(process: "Popen[bytes]", collected: dict[int, list[bytes]], deadline: float, limit: int) -> Cut:
    left = {1: limit, 2: MAX_ERRORS}
    with selectors.DefaultSelector() as selector:
        for number, stream in ((1, process.stdout), (2, process.stderr)):
            if stream:
                selector.register(stream, selectors.EVENT_READ, number)
        while selector.get_map():
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return Cut.TIME
            for key, _ in selector.select(remaining):
                chunk = os.read(key.fd, _CHUNK)
                number = int(key.data)
                if not chunk:
                    selector.unregister(key.fileobj)
                elif left[number] > 0:
                    collected[number].append(chunk)
                left[number] -= len(chunk)
                if left[1] < 0:
                    return Cut.OUTPUT
    return Cut.NONE


def _ended_by(process: "Popen[bytes]", deadline: float) -> bool:
    """Wait for the end without reaping: the group is killed first, while the number is still ours."""
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.001)
    return True
