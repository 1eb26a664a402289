"""The entries of a folder, and the number of files beneath an excluded folder.

Invariant: links are reported as links, only folders are opened, entries are sorted by name, and the work is bounded for any
number of entries. Not handled here: use of the entries.
"""

import os
from dataclasses import dataclass

from counterproof.analysis.source.confined import opened_directory
from counterproof.model.text import name_form

MAX_FOLDER_ENTRIES = 1_000_000
MAX_COUNTED = 10_000
MAX_DEPTH = 256


class TooManyEntries(OSError):
    """Raised if one folder has more entries than the limit."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Names in one folder, sorted, by type."""

    files: tuple[str, ...]
    folders: tuple[str, ...]
    links: tuple[str, ...]
    special: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.files + self.folders + self.links + self.special

    def __len__(self) -> int:
        return len(self.files) + len(self.folders) + len(self.links) + len(self.special)


def list_folder(directory: int, limit: int = MAX_FOLDER_ENTRIES) -> Listing:
    """The entries of an open directory."""
    kinds: tuple[list[str], list[str], list[str], list[str]] = ([], [], [], [])
    with os.scandir(directory) as entries:
        for seen, entry in enumerate(entries):
            if seen >= limit:
                raise TooManyEntries(0, f"it holds more than {limit:,} entries")
            kinds[_kind(entry)].append(name_form(entry.name))
    files, folders, links, special = (tuple(sorted(names)) for names in kinds)
    return Listing(files, folders, links, special)


def _kind(entry: os.DirEntry[str]) -> int:
    try:
        if entry.is_symlink():
            return 2
        if entry.is_dir(follow_symlinks=False):
            return 1
        return 0 if entry.is_file(follow_symlinks=False) else 3
    except OSError:
        return 3


@dataclass(frozen=True, slots=True)
class Count:
    """Files beneath a folder; `exact` is False if counting stopped early."""

    files: int
    exact: bool

    def __str__(self) -> str:
        return f"{self.files:,} files" if self.exact else f"at least {self.files:,} files"


class FileCounter:
    """Counts excluded files. One counter serves a whole survey, so that the total work is bounded."""

    def __init__(self, entries: int = MAX_FOLDER_ENTRIES) -> None:
        self._entries_left = entries

    def beneath(self, root: int, folder: str) -> Count:
        """Files and links beneath the folder, at most about `MAX_COUNTED`."""
        pending = [folder]
        files = 0
        exact = True
        while pending:
            if files >= MAX_COUNTED or self._entries_left <= 0:
                return Count(files, exact=False)
            path = pending.pop()
            listing = _listed(root, path, self._entries_left)
            if listing is None or path.count("/") > MAX_DEPTH:
                exact = False
                continue
            self._entries_left -= len(listing) + 1
            files += len(listing) - len(listing.folders)
            pending.extend(f"{path}/{name}" for name in reversed(listing.folders))
        return Count(files, exact)


def _listed(root: int, path: str, limit: int) -> Listing | None:
    try:
        with opened_directory(root, path) as directory:
            return list_folder(directory, limit)
    except (OSError, ValueError):
        return None
