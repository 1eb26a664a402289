"""One driver per run. The lock dies with its process, so a crash never leaves a run locked; its text names the holder.

What always holds: whoever holds the lock holds the file that stands at the lock's path now, so removing or replacing that
file does not let a second driver in beside one that starts later. Should it ever happen, the journal refuses the second writer.
The lock is of the machine's own kernel: on a network file system it is as good as that system's `flock`.
"""

import fcntl
import json
import os
import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from counterproof.model.errors import JournalError, StorageError
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder

_MAX_TEXT = 4096
_MAX_COMMAND = 200


@contextmanager
def held(run: RunFolder) -> Generator[None]:
    """Hold the run's lock, or say who does."""
    try:
        descriptor = _locked(run)
    except OSError as error:
        raise _unwritten(run, error) from error
    try:
        _sign(run, descriptor)
        yield
    finally:
        os.close(descriptor)


def _sign(run: RunFolder, descriptor: int) -> None:
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, _self_description(), 0)
    except OSError as error:
        raise _unwritten(run, error) from error


def _unwritten(run: RunFolder, error: OSError) -> StorageError:
    hint = f"free disk space or repair the disk, then start again, or `counterproof resume {run.id}` if it had begun"
    return StorageError(f"the lock of run {run.id} could not be written: {error.strerror or error}", hint)


def under_way(run: RunFolder) -> bool:
    """True if a process of this machine drives the run now."""
    try:
        descriptor = os.open(run.lock, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _locked(run: RunFolder) -> int:
    descriptor = os.open(run.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not _still_there(run, descriptor):
            raise JournalError(f"the lock of run {run.id} was just removed", "try again")
    except BlockingIOError:
        holder = _holder(os.pread(descriptor, _MAX_TEXT, 0))
        os.close(descriptor)
        raise JournalError(f"run {run.id} is being processed by {holder}", "wait for it, or stop that process first") from None
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _still_there(run: RunFolder, descriptor: int) -> bool:
    try:
        found, mine = os.stat(run.lock, follow_symlinks=False), os.fstat(descriptor)
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == (mine.st_dev, mine.st_ino)


def _self_description() -> bytes:
    """Who holds it: process, machine, since when, with which command."""
    command = " ".join([os.path.basename(sys.argv[0]), *sys.argv[1:]])[:_MAX_COMMAND]
    who = {"pid": os.getpid(), "host": socket.gethostname(), "since": WallClock().now(), "command": command}
    return json.dumps(who).encode("ascii")


def _holder(text: bytes) -> str:
    """The holder in words. A lock that is being written right now has no text yet."""
    try:
        who: Any = json.loads(text)
        return f"process {int(who['pid'])} on {who['host']} since {who['since']} ({who['command']})"
    except (ValueError, KeyError, TypeError):
        return "another process"
