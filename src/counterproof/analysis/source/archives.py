"""Archives that the program names, searched for code (A64).

Invariant: nothing is unpacked to disk, sizes are bounded, and an archive that is broken, encrypted or too large may hold code.
Not handled here: archives inside archives, which count as code.
"""

import bz2
import gzip
import io
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import BinaryIO, Final

from counterproof.analysis.source.languages import language_of
from counterproof.analysis.source.other_languages import other_language

ARCHIVE: Final = "an archive that"
MAX_UNPACKED: Final = 128_000_000
MAX_ZIP: Final = 16_000_000
"""Bytes of a zip file: its directory is read at once."""
MAX_MEMBERS: Final = 20_000
LOADABLE: Final = frozenset(
    [
        ".jar", ".war", ".ear", ".class", ".pyc", ".pyo", ".so", ".pyd", ".dll", ".dylib", ".whl", ".egg", ".zip", ".phar",
        ".node", ".wasm", ".exe", ".bin", ".pkl", ".pickle", ".marshal", ".dat", ".gz", ".tgz", ".xz", ".bz2", ".7z", ".nupkg",
        ".gem", ".o", ".a", ".ko",
    ]
)  # fmt: skip
_OPENERS = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open}
_OBSCURE = (
    b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\0asm", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05",
    b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf",
)  # fmt: skip
"""The first bytes of machine code, bytecode, pickles and archives."""
_HEAD = 4_096
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError, RuntimeError)


class Archives:
    """The archives of one walk, which share a limit."""

    def __init__(self) -> None:
        self._unpacked, self._members = MAX_UNPACKED, MAX_MEMBERS

    def searched(self, descriptor: int, path: str) -> str | None:
        """The contents of an archive other than data: "" if nothing, None for a file that is no archive."""
        with os.fdopen(os.dup(descriptor), "rb") as stream:
            magic = stream.read(2)
            stream.seek(0)
            if magic != b"PK" and magic not in _OPENERS and not path.endswith(".tar"):
                return None
            try:
                files = _zipped(stream) if magic == b"PK" else self._tarred(stream, magic, path)
                code = next((name for name, head in files if self._may_be_code(name, head)), "")
            except _BROKEN:
                return f"{ARCHIVE} could not be searched to its end"
        return f"{ARCHIVE} may hold code: {code[:200]}" if code else ""

    def _may_be_code(self, name: str, head: bytes) -> bool:
        self._members -= 1
        if self._members < 0 or language_of(name, head) or other_language(name, head):
            return True
        suffix = PurePosixPath(name).suffix.lower()
        return head.startswith(_OBSCURE) or (suffix in LOADABLE and suffix not in (".bin", ".dat"))

    def _tarred(self, stream: BinaryIO, magic: bytes, path: str) -> Iterator[tuple[str, bytes]]:
        """The files in a tar file, or the one file that is compressed, with their first bytes."""
        content = _OPENERS[magic](stream) if magic in _OPENERS else stream
        data = content.read(self._unpacked + 1)
        self._unpacked -= len(data)
        if self._unpacked < 0:
            raise ValueError
        try:
            tarfile.TarInfo.frombuf(data[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape")
        except tarfile.HeaderError:
            yield PurePosixPath(path).stem, data[:_HEAD]
            return
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for member in archive:
                inner = archive.extractfile(member) if member.isfile() else None
                yield member.name, inner.read(_HEAD) if inner else b""


def _zipped(stream: BinaryIO) -> Iterator[tuple[str, bytes]]:
    if os.fstat(stream.fileno()).st_size > MAX_ZIP:
        raise ValueError
    with zipfile.ZipFile(stream) as archive:
        for member in archive.infolist():
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # the others may unpack without a limit
                raise ValueError
            with archive.open(member) as content:
                yield member.filename, content.read(_HEAD)
