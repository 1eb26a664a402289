"""Where a raw reply lands first: one plain file beside the journal, written before anything else is done with the reply (F14).

A reply is safe from a killed process as soon as one write has returned; the synced commit to the journal takes milliseconds
longer. So it is put here first, and taken out again when the journal has it. What is found here at the next start is a reply
that was received and paid for; it enters the journal then and is not asked for again.

Invariant: a record that is torn, too large or does not fit its digest ends the reading, as if it and what follows had never
come; the file is never followed through a link and belongs to the user alone. It is no second journal: the chain, and with it
every check, knows only what has been taken over. A power cut may lose it, since it is not synced: the journal is.
"""

import contextlib
import json
import os
import stat
import threading
from pathlib import Path
from typing import Any

from counterproof.ports import ReplyKey
from counterproof.runtime.chain import raw_digest

MAX_INBOX = 256 * 1024 * 1024
_MAX_HEAD = 16 * 1024


class Inbox:
    """The file of one run. Opened by the process that holds the run's lock."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.Lock()
        self._waiting = 0
        self._descriptor = -1

    def open(self) -> None:
        """Make ready to write, so that a reply has to wait for nothing but its own write."""
        with contextlib.suppress(OSError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            self._descriptor = os.open(self._path, flags, 0o600)

    def close(self) -> None:
        """An empty file is not left lying about."""
        if self._descriptor < 0:
            return
        with contextlib.suppress(OSError):
            if os.fstat(self._descriptor).st_size == 0:
                self._path.unlink()
        os.close(self._descriptor)
        self._descriptor = -1

    def put(self, key: ReplyKey, raw: bytes) -> None:
        """One record in one write. A disk that takes no more is for the journal to report, which is written next."""
        head = {"task": key.task, "attempt": key.attempt, "step": key.step, "request": key.request}
        line = json.dumps({**head, "sha256": raw_digest(raw), "bytes": len(raw)}).encode()
        with self._turn, contextlib.suppress(OSError):
            self._waiting += 1
            os.writev(self._descriptor, [line, b"\n", raw, b"\n"])

    def taken(self) -> None:
        """A reply that was put here is in the journal. The file is emptied when nothing waits any more."""
        with self._turn:
            self._waiting -= 1
            if self._waiting == 0:
                self.clear()

    def clear(self) -> None:
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, 0)

    def waiting(self) -> list[tuple[ReplyKey, bytes]]:
        """The whole records that an earlier process left behind."""
        data = self._bytes()
        found: list[tuple[ReplyKey, bytes]] = []
        place = 0
        while (record := _record(data, place)) is not None:
            key, raw, place = record
            found.append((key, raw))
        return found

    def _bytes(self) -> bytes:
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return b""
        with open(descriptor, "rb") as file:
            return file.read(MAX_INBOX) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""


def _record(data: bytes, place: int) -> tuple[ReplyKey, bytes, int] | None:
    """The record that begins here and where the next one does; None for anything but a whole one."""
    end = data.find(b"\n", place, place + _MAX_HEAD)
    if end < 0:
        return None
    try:
        head: dict[str, Any] = json.loads(data[place:end])
        key = ReplyKey(str(head["task"]), int(head["attempt"]), int(head["step"]), str(head["request"]))
        size, digest = int(head["bytes"]), str(head["sha256"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    raw = data[end + 1 : end + 1 + max(0, size)]
    after = end + 1 + len(raw)
    if len(raw) != size or raw_digest(raw) != digest or data[after : after + 1] != b"\n":
        return None
    return key, raw, after + 1
