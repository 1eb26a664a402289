"""This program's own files, for digests over its version.

Invariant: sorted by path components, whatever the disk order; without compiled files. Not handled here: files of a target.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import counterproof

_PACKAGE = str(Path(counterproof.__file__).parent)


def own_files(*folders: str) -> Iterator[tuple[str, bytes]]:
    """Path within the package and content of every file below these folders."""
    found = [path for folder in folders for path in _beneath(folder)]
    for path in sorted(found, key=lambda path: path.split("/")):
        with open(f"{_PACKAGE}/{path}", "rb", buffering=0) as file:  # with `Path`, a run would spend a tenth of its time here
            yield path, file.read()


def _beneath(folder: str) -> Iterator[str]:
    pending = [folder]
    while pending:
        inside = pending.pop()
        with os.scandir(f"{_PACKAGE}/{inside}") as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        pending.append(f"{inside}/{entry.name}")
                elif entry.is_file():
                    yield f"{inside}/{entry.name}"
