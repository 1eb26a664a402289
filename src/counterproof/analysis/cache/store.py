"""Entries on disk: one file each, in a folder that belongs to the user alone.

Invariant: an entry is written whole or not at all; what is read back carries a code that only somebody with the user's key can
have made, over the name that it is kept under and every byte, checked before anything else is done with it; the folder and
each entry are bounded, the oldest entries going first; links are not followed. Nothing here raises for a bad or missing entry.
What entries mean does not belong here.
"""

import contextlib
import hashlib
import hmac
import os
import re
import secrets
import stat
import zlib
from dataclasses import dataclass
from pathlib import Path

from counterproof.analysis.cache.trust import key_of_cache

MAX_ENTRY = 64 << 20
"""Bytes of one entry, before compression."""

MAX_TOTAL = 512 << 20
"""Bytes of all entries on disk."""

_MAGIC = b"counterproof result 2\n"
_CODE = hashlib.sha256().digest_size
_OURS = re.compile(r"[0-9a-f]{64}|\.[0-9a-f]{16}")
"""Names of entries, and of drafts that a killed run left."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Some entries: how many, how large on disk, and when the first and the last was written, in seconds since 1970."""

    count: int = 0
    size: int = 0
    oldest: float = 0.0
    newest: float = 0.0


class Store:
    """A folder of entries. Where it cannot be used, every look-up misses and nothing is kept. `used` counts what was found, by
    kind: a run says in its receipt what it took over."""

    def __init__(self, folder: Path, secret: bytes | None = None) -> None:
        self.folder = folder
        self.used: dict[str, int] = {}
        self._secret = secret

    @property
    def secret(self) -> bytes:
        """What entries are signed with; never written into the folder."""
        if self._secret is None:
            self._secret = key_of_cache()
        return self._secret

    def find(self, key: str, kind: str = "") -> bytes | None:
        """What was kept under a key; None if there is nothing, or nothing that can be trusted."""
        found = self._read(key)
        if found is not None and kind:
            self.used[kind] = self.used.get(kind, 0) + 1
        return found

    def _read(self, key: str) -> bytes | None:
        try:
            handle = os.open(self._path(key), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError:
            return None
        with open(handle, "rb") as entry:
            found = os.fstat(entry.fileno())
            if not _is_private(found) or not stat.S_ISREG(found.st_mode) or found.st_size > MAX_ENTRY:
                return None
            try:
                return self._opened(key, entry.read(MAX_ENTRY))
            except (OSError, zlib.error):
                return None

    def keep(self, key: str, body: bytes) -> None:
        """Keep an entry. A full disk or a folder that is not ours only means that the next run works for itself."""
        if len(body) > MAX_ENTRY:
            return
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_private(os.stat(self.folder, follow_symlinks=False)):
                packed = zlib.compress(body, 1)
                self._write(key, _MAGIC + self._code(key, packed) + packed)
                self._prune()

    def kept(self) -> Kept:
        """What is there. Files that are not entries are not counted."""
        return _counted([found for found, _ in self._entries()])

    def clear(self) -> Kept:
        """Remove every entry, and nothing else; says what was removed. Raises OSError where an entry cannot be removed."""
        removed: list[os.stat_result] = []
        for found, path in self._entries():
            with contextlib.suppress(FileNotFoundError):  # another run pruned it
                os.unlink(path)
                removed.append(found)
        return _counted(removed)

    def _entries(self) -> list[tuple[os.stat_result, str]]:
        """None where the folder is missing, is not ours alone or is a link: then no run uses it either."""
        try:
            if not _is_private(os.stat(self.folder, follow_symlinks=False)):
                return []
            with os.scandir(self.folder) as found:
                ours = [each for each in found if _OURS.fullmatch(each.name) and each.is_file(follow_symlinks=False)]
            return [(each.stat(follow_symlinks=False), each.path) for each in ours]
        except OSError:
            return []

    def _write(self, key: str, data: bytes) -> None:
        draft = self.folder / f".{secrets.token_hex(8)}"
        try:
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with open(handle, "wb") as entry:
                entry.write(data)
            draft.replace(self._path(key))
        finally:
            draft.unlink(missing_ok=True)

    def _prune(self) -> None:
        entries = [(found.stat(follow_symlinks=False), found.path) for found in os.scandir(self.folder)]
        total = sum(each.st_size for each, _ in entries)
        for each, path in sorted(entries, key=lambda entry: (entry[0].st_mtime_ns, entry[1])):
            if total <= MAX_TOTAL:
                return
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            total -= each.st_size

    def _opened(self, key: str, data: bytes) -> bytes | None:
        code, packed = data[len(_MAGIC) : len(_MAGIC) + _CODE], data[len(_MAGIC) + _CODE :]
        if not data.startswith(_MAGIC) or not hmac.compare_digest(code, self._code(key, packed)):
            return None
        unpacking = zlib.decompressobj()
        body = unpacking.decompress(packed, MAX_ENTRY)
        return body if unpacking.eof and not unpacking.unconsumed_tail else None

    def _code(self, key: str, packed: bytes) -> bytes:
        return hmac.digest(self.secret, len(key).to_bytes(8, "big") + key.encode() + packed, "sha256")

    def _path(self, key: str) -> Path:
        return self.folder / hashlib.sha256(key.encode()).hexdigest()


def _counted(entries: list[os.stat_result]) -> Kept:
    if not entries:
        return Kept()
    times = [each.st_mtime for each in entries]
    return Kept(len(entries), sum(each.st_size for each in entries), min(times), max(times))


def _is_private(found: os.stat_result) -> bool:
    """Ours, and closed to everybody else."""
    return found.st_uid == os.getuid() and not found.st_mode & 0o077
