"""A digest of the files of a tree, by names and contents alone.

Invariant: nothing is parsed and no link is followed, so a hostile tree costs the time to read it and nothing else; a file that
is too large for any audit to read counts by its size and time. What cannot be walked to its end has no digest.
"""

import hashlib
import os
from pathlib import Path
from typing import Final

from counterproof.analysis.source.confined import opened_file, read_up_to
from counterproof.model.text import name_form

MAX_FILES: Final = 1_000_000
MAX_FILE: Final = 8_000_000
MAX_DEPTH: Final = 300
"""Folders inside one another. How deep a walk can go at all depends on the version of Python; this does not."""


def tree_digest(root: Path) -> str:
    """'' where the tree is too large, too deep, or cannot be read."""
    total, left = hashlib.sha256(), MAX_FILES
    try:
        for folder, folders, files, descriptor in os.fwalk(root, follow_symlinks=False):
            place = os.path.relpath(folder, root)
            folders[:] = sorted(each for each in folders if each != ".git")
            total.update(os.fsencode(place) + b"\0")
            for name in sorted(files):
                left -= 1
                total.update(os.fsencode(name) + b"\0" + _content(descriptor, name))
            if left < 0 or place.count(os.sep) >= MAX_DEPTH:
                return ""
    except (OSError, RecursionError):
        return ""
    return total.hexdigest()


def _content(folder: int, name: str) -> bytes:
    try:
        with opened_file(folder, name_form(name)) as (file, size):
            if size > MAX_FILE:
                return f"{size} {os.fstat(file).st_mtime_ns}".encode()
            return hashlib.sha256(read_up_to(file, MAX_FILE)).digest()
    except OSError:  # a link, a pipe, or a file of somebody else: an audit does not read it either
        return b"-"
