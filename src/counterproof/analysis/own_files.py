"""The files of this program, for digests over what it is made of.

Invariant: in order of their paths, part by part, whatever order the disk has; without what Python compiled. Not handled here:
files of a target.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import counterproof

_PACKAGE = str(Path(counterproof.__file__).parent)


def own_files(*folders: str) -> Iterator[tuple[str, bytes]]:
    """Path within the package and content of every file beneath these folders of it."""
    found = [path for folder in folders for path in _beneath(folder)]
    for path in sorted(found, key=lambda path: path.split("/")):
        with open(f"{_PACKAGE}/{path}", "rb", buffering=0) as file:  # through `Path`, a run would spend a tenth of its time here
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
