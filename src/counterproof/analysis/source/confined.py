"""Opening files beneath an untrusted root.

Invariant: a path is walked one component at a time through directory descriptors, no component is followed if it is a symbolic
link, and only the checked descriptor is read. So replacing a file or a folder by a link during the run has no effect. Opening
never blocks, not even on a FIFO. Names are in the form of the model.

Not handled here: which files are worth reading.
"""

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from counterproof.model.location import checked_path
from counterproof.model.text import real_name

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_CHUNK = 1 << 20

LINK_ERRORS = (errno.ELOOP, errno.EMLINK, errno.ENOTDIR)
"""Error codes when O_NOFOLLOW meets a link, or a folder turned into something else."""


class NotRegular(OSError):
    """Raised if the last component is a directory, FIFO, socket or device."""


@contextmanager
def opened_root(root: Path) -> Generator[int]:
    """A descriptor of the root. The root itself is the user's choice, so a link there is followed."""
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def opened_directory(root: int, path: str) -> Generator[int]:
    """A descriptor of the directory `path` beneath `root`; "" is the root itself."""
    descriptor = os.dup(root)
    try:
        for part in checked_path(path).split("/") if path else ():
            inner = os.open(real_name(part), _DIRECTORY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def opened_file(directory: int, name: str) -> Generator[tuple[int, int]]:
    """Descriptor and size of the regular file `name` in `directory`."""
    descriptor = os.open(real_name(name), _FILE, dir_fd=directory)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotRegular(errno.EINVAL, "not a regular file", name)
        yield descriptor, status.st_size
    finally:
        os.close(descriptor)


def read_up_to(descriptor: int, limit: int) -> bytes:
    """At most `limit` bytes, whatever size the file system reports."""
    chunks: list[bytes] = []
    left = limit
    while left > 0:
        chunk = os.read(descriptor, min(left, _CHUNK))
        if not chunk:
            break
        chunks.append(chunk)
        left -= len(chunk)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)
