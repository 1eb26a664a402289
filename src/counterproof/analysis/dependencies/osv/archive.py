"""Reading an export: one JSON or JSON Lines file, OSV's zip for an ecosystem, or a folder of these.

Invariant: nothing is unpacked to disk, symbolic links are not followed, and every file, entry and total is bounded; anything left
out is reported as a problem with a name. Order is by name, so that the digest and the results are the same on every machine. Not
handled here: the content of a record.
"""

import hashlib
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from counterproof.model.errors import UserError

MAX_FILE = 4 << 30
MAX_DOCUMENT = 64 << 20
MAX_TOTAL = 16 << 30
MAX_DOCUMENTS = 3_000_000
MAX_DEPTH = 6
_SUFFIXES = (".json", ".jsonl", ".ndjson", ".zip")
_CHUNK = 1 << 20
HINT = "give a folder of OSV files, one JSON or JSON Lines file, or the zip that OSV publishes for an ecosystem"


class UnreadableData(UserError):
    """Raised if the export cannot be used at all."""


@dataclass(frozen=True, slots=True)
class Document:
    """One piece of JSON, or the reason why it is missing."""

    name: str
    content: bytes = b""
    problem: str = ""


def digest_of(path: Path) -> str:
    """One digest over the names and bytes of all files of the export."""
    whole = hashlib.sha256()
    for file in _files(path):
        inner = hashlib.sha256()
        with file.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                inner.update(chunk)
        name = file.name if file == path else file.relative_to(path).as_posix()
        whole.update(f"{name}\0{inner.hexdigest()}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def documents(path: Path) -> Iterator[Document]:
    """Every document of the export, up to a limit."""
    count = total = 0
    for file in _files(path):
        for document in _of_file(file):
            count += 1
            total += len(document.content)
            if count > MAX_DOCUMENTS or total > MAX_TOTAL:
                yield Document(file.name, problem="the export is larger than can be read; the rest was left out")
                return
            yield document


def _files(path: Path) -> tuple[Path, ...]:
    try:
        if path.is_file():
            found = (path,)
        elif path.is_dir():
            found = tuple(_inside(path))
        else:
            raise UnreadableData(f"there are no vulnerability data at {path}", HINT)
        large = next((each for each in found if each.stat().st_size > MAX_FILE), None)
    except OSError as error:
        raise UnreadableData(f"the vulnerability data at {path} cannot be read: {error.strerror}", HINT) from error
    if large is not None:
        raise UnreadableData(f"{large} is larger than {MAX_FILE >> 30} GiB", HINT)
    if not found or not found[0].name.lower().endswith(_SUFFIXES):
        raise UnreadableData(f"there are no OSV files at {path}", HINT)
    return found


def _inside(folder: Path) -> Iterator[Path]:
    """Regular files below a folder, sorted by path."""
    for place, folders, names in os.walk(folder):
        if len(Path(place).relative_to(folder).parts) >= MAX_DEPTH:
            folders.clear()
        folders.sort()
        for name in sorted(names):
            file = Path(place) / name
            if name.lower().endswith(_SUFFIXES) and stat.S_ISREG(file.lstat().st_mode):
                yield file


def _of_file(file: Path) -> Iterator[Document]:
    try:
        if file.name.lower().endswith(".zip"):
            yield from _of_zip(file)
        elif file.name.lower().endswith((".jsonl", ".ndjson")) or file.stat().st_size > MAX_DOCUMENT:
            yield from _of_lines(file)
        else:
            yield Document(file.name, file.read_bytes())
    except OSError as error:
        yield Document(file.name, problem=f"it cannot be read: {error.strerror}")


def _of_lines(file: Path) -> Iterator[Document]:
    with file.open("rb") as opened:
        number = 0
        while line := opened.readline(MAX_DOCUMENT + 1):
            number += 1
            if len(line) > MAX_DOCUMENT:
                yield Document(f"{file.name}:{number}", problem="the line is too long; the rest of the file was left out")
                return
            if line.strip():
                yield Document(f"{file.name}:{number}", line)


def _of_zip(file: Path) -> Iterator[Document]:
    try:
        with zipfile.ZipFile(file) as archive:
            entries = [each for each in archive.infolist() if each.filename.lower().endswith(".json") and not each.is_dir()]
            for entry in sorted(entries, key=lambda each: each.filename):
                yield _entry(archive, entry)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        yield Document(file.name, problem=f"it is not a readable zip file: {error}"[:200])


def _entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Document:
    """One entry. Its declared size is not trusted: reading is bounded again."""
    name = entry.filename[:200]
    if entry.file_size > MAX_DOCUMENT:
        return Document(name, problem="it is too large")
    try:
        with archive.open(entry) as opened:
            content = opened.read(MAX_DOCUMENT + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        return Document(name, problem=f"it cannot be unpacked: {type(error).__name__}")
    return Document(name, content) if len(content) <= MAX_DOCUMENT else Document(name, problem="it is larger than it says")
