"""One driver per run. The lock dies with its process, so a crash never leaves a run locked."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager

from counterproof.model.errors import JournalError
from counterproof.runtime.home import RunFolder


@contextmanager
def held(run: RunFolder) -> Generator[None]:
    """Hold the run's lock, or say who does."""
    descriptor = os.open(run.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 64).decode("ascii", "replace").strip() or "unknown"
            raise JournalError(
                f"run {run.id} is being driven by process {holder}", "wait for it, or stop that process first"
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)
