"""The copy of the target: plain files packed into a stream that is unpacked inside the sandbox.

Invariant: no link of the target is followed, and no device, socket or history of versions is copied; how much is copied has a
bound, and what was left out is counted.
"""

import io
import os
import stat
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

MAX_BYTES: Final = 400 << 20
MAX_FILES: Final = 60_000
_LEFT_OUT = {".git", ".hg", ".svn", "__pycache__", ".tox", ".mypy_cache", ".pytest_cache", ".venv", "venv"}


@dataclass(slots=True)
class Copied:
    """What became of it so far."""

    files: int = 0
    left_out: int = 0
    bytes: int = 0


def packed(target: Path, beside: tuple[tuple[str, str], ...], stream: IO[bytes], copied: Copied) -> None:
    """Write the target below `code/`, and the texts of our own, which take the place of the target's files of the same name."""
    with tarfile.open(fileobj=stream, mode="w|") as archive:
        own = {name for name, _ in beside}
        for name, text in beside:
            data = text.encode("utf-8", "surrogateescape")
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
        for path, inside, status in _walk(target):
            if inside in own:
                continue
            if stat.S_ISDIR(status.st_mode):
                entry = tarfile.TarInfo(inside)
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            elif copied.files < MAX_FILES and copied.bytes + status.st_size <= MAX_BYTES:
                _add(archive, path, inside, status, copied)
            else:
                copied.left_out += 1


def _add(archive: tarfile.TarFile, path: str, inside: str, status: os.stat_result, copied: Copied) -> None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        copied.left_out += 1
        return
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(status.st_size)
    entry = tarfile.TarInfo(inside)
    entry.size, entry.mode = len(data), 0o755 if status.st_mode & 0o100 else 0o644
    archive.addfile(entry, io.BytesIO(data))
    copied.files += 1
    copied.bytes += len(data)


def _walk(target: Path) -> Iterator[tuple[str, str, os.stat_result]]:
    """Folders and plain files, a folder before what is in it. Links that stay in the target are copied as what they lead to."""
    yield str(target), "code", os.stat(target)
    folders = [(str(target), "code")]
    for folder, inside in folders:
        try:
            entries = sorted(os.scandir(folder), key=lambda each: each.name)
        except OSError:
            continue
        for entry in entries:
            if entry.name in _LEFT_OUT:
                continue
            status = entry.stat(follow_symlinks=False)
            name = f"{inside}/{entry.name}"
            if stat.S_ISDIR(status.st_mode):
                folders.append((entry.path, name))
                yield entry.path, name, status
            elif stat.S_ISREG(status.st_mode):
                yield entry.path, name, status
