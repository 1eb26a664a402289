"""The files tracked by git, read from `.git/index` without running git.

The index decides whether `.gitignore` may exclude a file, so a broken or unusual index must never count as empty: in doubt
`IndexUnknown` is raised, and the survey then reviews everything and says why. Every length is checked before use. Versions 2 to
4, SHA-1 and SHA-256; a split index is rejected because half of it is in another file.
"""

import hashlib
import struct
from dataclasses import dataclass

from counterproof.analysis.source.confined import LINK_ERRORS, NotRegular, opened_directory, opened_file, read_up_to
from counterproof.model.errors import CounterproofError
from counterproof.model.text import name_form

MAX_INDEX_BYTES = 128_000_000
_FIXED = 40
_EXTENDED = 0x4000
_MAX_NAME = 4_200
_MODE_DIRECTORY = 0o040000


class IndexUnknown(CounterproofError):
    """Raised with the reason if the tracked files cannot be determined."""


@dataclass(frozen=True, slots=True)
class Tracked:
    """Paths in the index, and all their parent folders."""

    files: frozenset[str]
    folders: frozenset[str]


def read_tracked(root: int) -> Tracked:
    """The tracked files of the repository rooted at the directory `root`."""
    try:
        with opened_directory(root, ".git") as git, opened_file(git, "index") as (descriptor, size):
            if size > MAX_INDEX_BYTES:
                raise IndexUnknown("the git index is too large to read")
            data = read_up_to(descriptor, MAX_INDEX_BYTES)
    except (NotRegular, PermissionError):
        raise IndexUnknown("the git index cannot be read") from None
    except FileNotFoundError:
        raise IndexUnknown("there is no git index") from None
    except OSError as error:
        linked = error.errno in LINK_ERRORS
        raise IndexUnknown(".git is not a directory of this tree" if linked else "the git index cannot be read") from None
    return tracked_of(parse_index(data))


def tracked_of(paths: tuple[str, ...]) -> Tracked:
    """The paths with all their parent folders."""
    folders: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return Tracked(frozenset(paths), frozenset(folders))


def parse_index(data: bytes) -> tuple[str, ...]:
    """Paths in the index, in its order."""
    if len(data) < 12 + 20 or data[:4] != b"DIRC":
        raise IndexUnknown("the git index is damaged: no header")
    version, count = struct.unpack(">II", data[4:12])
    if version not in (2, 3, 4):
        raise IndexUnknown(f"the git index has the unknown version {version}")
    hash_size = _hash_size(data)
    body = data[: len(data) - hash_size]
    if count * (_FIXED + hash_size + 2) > len(body):
        raise IndexUnknown("the git index is damaged: more entries than bytes")
    paths: list[str] = []
    at, name = 12, b""
    for _ in range(count):
        at, name, mode = _entry(body, at, name, version, hash_size)
        paths += [name_form(name)] if mode != _MODE_DIRECTORY else []  # a folder outside a sparse checkout
    while at < len(body):
        if body[at : at + 4] == b"link":
            raise IndexUnknown("the git index is split over several files")
        at += 8 + int.from_bytes(body[at + 4 : at + 8])
    if at > len(body):
        raise IndexUnknown("the git index is damaged: it ends in the middle of an entry")
    return tuple(paths)


def _entry(body: bytes, at: int, previous: bytes, version: int, hash_size: int) -> tuple[int, bytes, int]:
    """The position after the entry at `at`, its path and its mode. Version 4 writes how much of the previous path to drop."""
    flags_at = at + _FIXED + hash_size
    mode, flags = int.from_bytes(body[at + 24 : at + 28]), int.from_bytes(body[flags_at : flags_at + 2])
    start, kept = flags_at + (4 if flags & _EXTENDED else 2), b""
    if version == 4:
        drop, start = _varint(body, start)
        kept = previous[: max(0, len(previous) - drop)]
    end = body.find(b"\0", start, start + _MAX_NAME)
    name = kept + body[start:end]
    impossible = any(part in (b"", b".", b"..") for part in name.rstrip(b"/").split(b"/")) or len(name) > _MAX_NAME
    if end < 0 or impossible or (version == 2 and flags & _EXTENDED):
        raise IndexUnknown("the git index is damaged: an impossible path")
    return end + 1 if version == 4 else at + (end - at + 8) // 8 * 8, name, mode


def _varint(body: bytes, at: int) -> tuple[int, int]:
    value = -1
    for place in range(at, min(at + 4, len(body))):
        value = ((value + 1) << 7) | (body[place] & 0x7F)
        if not body[place] & 0x80:
            return value, place + 1
    raise IndexUnknown("the git index is damaged: an endless path")


def _hash_size(data: bytes) -> int:
    for size, algorithm in ((20, "sha1"), (32, "sha256")):
        stored = data[-size:]
        if hashlib.new(algorithm, data[:-size], usedforsecurity=False).digest() == stored:
            return size
    if not any(data[-20:]):  # git can be configured to write no checksum
        return 20
    raise IndexUnknown("the git index is damaged: its checksum is wrong")
