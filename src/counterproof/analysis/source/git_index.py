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
_NAME_MASK = 0x0FFF
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
    body = memoryview(data)[: len(data) - hash_size]
    if count * (_FIXED + hash_size + 2) > len(body):
        raise IndexUnknown("the git index is damaged: more entries than bytes")
    reader = _Entries(body, version, hash_size)
    paths = [path for path in (reader.entry() for _ in range(count)) if path]
    if b"link" in reader.extensions():
        raise IndexUnknown("the git index is split over several files")
    return tuple(paths)


def _hash_size(data: bytes) -> int:
    for size, algorithm in ((20, "sha1"), (32, "sha256")):
        stored = data[-size:]
        if hashlib.new(algorithm, data[:-size], usedforsecurity=False).digest() == stored:
            return size
    if not any(data[-20:]):  # git can be configured to write no checksum
        return 20
    raise IndexUnknown("the git index is damaged: its checksum is wrong")


class _Entries:
    """A cursor over the entries, which never moves past the end."""

    def __init__(self, body: memoryview, version: int, hash_size: int) -> None:
        self.body = body
        self.version = version
        self.hash_size = hash_size
        self.position = 12
        self.previous = b""

    def entry(self) -> str:
        """The next path; "" for a directory outside a sparse checkout."""
        start = self.position
        mode = struct.unpack(">I", self._take(_FIXED)[24:28])[0]
        self._take(self.hash_size)
        flags = struct.unpack(">H", self._take(2))[0]
        if flags & _EXTENDED:
            if self.version < 3:
                raise IndexUnknown("the git index is damaged: extended flags in version 2")
            self._take(2)
        name = self._compressed_name() if self.version == 4 else self._name(start, flags & _NAME_MASK)
        if not name or b"\0" in name or any(part in (b"", b".", b"..") for part in name.rstrip(b"/").split(b"/")):
            raise IndexUnknown("the git index is damaged: an impossible path")
        return "" if mode == _MODE_DIRECTORY else name_form(name)

    def extensions(self) -> tuple[bytes, ...]:
        """Signatures of the extensions after the entries."""
        found: list[bytes] = []
        while self.position < len(self.body):
            header = bytes(self._take(8))
            found.append(header[:4])
            self._take(struct.unpack(">I", header[4:])[0])
        return tuple(found)

    def _take(self, size: int) -> memoryview:
        end = self.position + size
        if end > len(self.body):
            raise IndexUnknown("the git index is damaged: it ends in the middle of an entry")
        taken = self.body[self.position : end]
        self.position = end
        return taken

    def _until_nul(self) -> bytes:
        window = 4_200
        chunk = bytes(self.body[self.position : self.position + window])
        end = chunk.find(b"\0")
        if end < 0:
            raise IndexUnknown("the git index is damaged: a path without an end")
        self.position += end + 1
        return chunk[:end]

    def _name(self, start: int, length: int) -> bytes:
        name = self._until_nul()
        if length < _NAME_MASK and length != len(name):
            raise IndexUnknown("the git index is damaged: a path of the wrong length")
        used = self.position - start
        self._take(-used % 8)
        return name

    def _compressed_name(self) -> bytes:
        drop = self._varint()
        if drop > len(self.previous):
            raise IndexUnknown("the git index is damaged: a path shortened below nothing")
        self.previous = self.previous[: len(self.previous) - drop] + self._until_nul()
        if len(self.previous) > 4_200:
            raise IndexUnknown("the git index is damaged: an endless path")
        return self.previous

    def _varint(self) -> int:
        byte = self._take(1)[0]
        value = byte & 0x7F
        while byte & 0x80:
            byte = self._take(1)[0]
            value = ((value + 1) << 7) | (byte & 0x7F)
            if value > 1 << 20:
                raise IndexUnknown("the git index is damaged: an endless path")
        return value
