"""The copy of the target: regular files packed into a stream that is unpacked inside the sandbox.

Invariant: no link, device, socket or version history is copied; the size is bounded.
"""

import io
import os
import stat
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

MAX_BYTES: Final = 400 << 20
MAX_FILES: Final = 60_000
_LEFT_OUT = {".git", ".hg", ".svn", "__pycache__", ".tox", ".mypy_cache", ".pytest_cache", ".venv", "venv"}


def packed(target: Path, beside: tuple[tuple[str, str], ...], stream: IO[bytes]) -> None:
    """Write the target to `code/`, with our own texts, which replace the target's files of the same name."""
    with tarfile.open(fileobj=stream, mode="w|") as archive:
        own = {name for name, _ in beside}
        for name, text in beside:
            data = text.encode("utf-8", "surrogateescape")
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
        files, left = 0, MAX_BYTES
        for path, inside, status in _walk(target):
            if inside in own:
                continue
            if stat.S_ISDIR(status.st_mode):
                entry = tarfile.TarInfo(inside)
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            elif files < MAX_FILES and status.st_size <= left:
                files, left = files + 1, left - status.st_size
                _add(archive, path, inside, status)


def _add(archive: tarfile.TarFile, path: str, inside: str, status: os.stat_result) -> None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(status.st_size)
    entry = tarfile.TarInfo(inside)
    entry.size, entry.mode = len(data), 0o755 if status.st_mode & 0o100 else 0o644
    archive.addfile(entry, io.BytesIO(data))


def _walk(target: Path) -> Iterator[tuple[str, str, os.stat_result]]:
    """Folders and regular files, a folder before its contents. Links are left out."""
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
