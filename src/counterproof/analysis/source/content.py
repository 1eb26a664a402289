"""Reading one file: text for review, or a skipped file with a reason.

Invariant: at most `max_bytes` are read, the hash covers exactly the judged bytes, and a skipped file has a reason. Printable
magic numbers are ignored for source files, so `GIF89a = 1` at the top of a module does not hide it.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from counterproof.analysis.source.confined import LINK_ERRORS, NotRegular, opened_file, read_up_to
from counterproof.analysis.source.decoding import BrokenEncoding, decode_as, is_utf16
from counterproof.analysis.source.languages import language_of, lines_of, lines_of_code
from counterproof.analysis.source.notebooks import as_python
from counterproof.analysis.source.origin import (
    generated_by_marker,
    is_known_library,
    is_own_report,
    is_protoc_output,
    is_served,
)
from counterproof.model.survey import Language, Skipped, SkipReason, SourceFile

MAX_LINE = 20_000
NO_SCRIPT = "no script: a picture, a font or the like"
"""The reason for a file that scripts load but that cannot be a script."""
_SCRIPTS = (Language.JAVASCRIPT, Language.TYPESCRIPT)
_OPENS = re.compile(rb"[\"'`/<#]")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")

GONE = "it is not there"
_HEAD = 8_192
_PACKED_SIZE = 4_096
_PACKED_LINE = 250
_MAGIC = (b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x89PNG", b"\xff\xd8\xff", b"GIF8")


Notice = Callable[[str, bytes, Language | None], None]
"""Callback for every file that is read, with its bytes."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How files are read. `generated`: also read files that look generated or vendored; `language`: the language of a file whose
    name does not show it."""

    max_bytes: int
    generated: bool = False
    language: Language | None = None


def look_at(directory: int, path: str, manner: Manner, notice: Notice) -> SourceFile | Skipped:
    """The file as the survey lists it."""
    max_bytes = manner.max_bytes
    try:
        with opened_file(directory, path.rpartition("/")[2]) as (descriptor, size):
            data = read_up_to(descriptor, max_bytes + 1 if size <= max_bytes else _HEAD)
    except NotRegular:
        return Skipped(path, SkipReason.SPECIAL)
    except FileNotFoundError:
        return Skipped(path, SkipReason.UNREADABLE, detail=GONE)
    except OSError as error:
        reason = SkipReason.SYMLINK if error.errno in LINK_ERRORS else SkipReason.UNREADABLE
        return Skipped(path, reason, detail=error.strerror or "")
    if size > max_bytes or len(data) > max_bytes:
        binary = not (language_of(path, data[:256]) or manner.language) and _is_binary(data, None)
        large = f"{max(size, max_bytes + 1):,} bytes, the limit is {max_bytes:,}"
        return Skipped(path, SkipReason.BINARY if binary else SkipReason.TOO_LARGE, detail=_no_script(data, manner) or large)
    digest = hashlib.sha256(data).hexdigest()
    seen = judge(path, data, digest, manner)
    if isinstance(seen, SourceFile):
        notice(path, data, seen.language)
    return seen


def judge(path: str, data: bytes, digest: str, manner: Manner) -> SourceFile | Skipped:
    """The same from the bytes."""
    language = language_of(path, data[:256]) or manner.language
    if _is_binary(data, language):
        return Skipped(path, SkipReason.BINARY, detail=_no_script(data, manner))
    try:
        text = decode_as(data, language)
    except BrokenEncoding as error:
        return Skipped(path, SkipReason.ENCODING, detail=_no_script(data, manner) or str(error))
    lines = lines_of(text)
    if not manner.generated and (foreign := _foreign(path, text, lines, language)):
        return foreign
    notebook = path.endswith(".ipynb")  # its pictures are long lines
    text = as_python(text) if notebook else text
    if language and not notebook and _has_long_line(text):
        return Skipped(path, SkipReason.LONG_LINES, detail=f"a line of more than {MAX_LINE:,} characters")
    return SourceFile(
        path=path,
        language=language,
        loc=lines_of_code(text, language) if language else 0,
        lines=lines,
        size=len(data),
        sha256=digest,
    )


def _foreign(path: str, text: str, lines: int, language: Language | None) -> Skipped | None:
    """The reason why a file looks as if it was not written in this project."""
    if is_protoc_output(path, text):
        return Skipped(path, SkipReason.GENERATED, detail="by protoc")
    if generated_by_marker(text, lines, language):
        return Skipped(path, SkipReason.GENERATED, detail="it says so in its first lines")
    if language in (Language.JAVASCRIPT, Language.TYPESCRIPT) and is_served(path) and _is_packed(text, lines):
        return Skipped(path, SkipReason.GENERATED, detail="it is packed for browsers")
    if is_own_report(path, text):
        return Skipped(path, SkipReason.GENERATED, detail="a report of an earlier run")
    if is_known_library(path, text, language):
        return Skipped(path, SkipReason.VENDORED, detail="a copy of a library for browsers")
    return None


def _is_binary(data: bytes, language: Language | None) -> bool:
    """Return True for a binary signature or a NUL at the start. Valid code is text all the same: interpreters accept NULs in a
    comment."""
    head = data[:_HEAD]
    if is_utf16(head):
        return False
    if language is None:
        return head.startswith(_MAGIC) or b"\0" in head
    return b"\0" in head and not _is_utf8(data)


def _no_script(data: bytes, manner: Manner) -> str:
    return NO_SCRIPT if manner.language in _SCRIPTS and _is_no_script(data) else ""


def _is_no_script(data: bytes) -> bool:
    """Return True if no engine can run these bytes as a script: an invalid byte comes before anything that could hide it in a
    string or comment. Images start like that; an image that is also a script does not."""
    head = _OPENS.split(data[:_HEAD], maxsplit=1)[0]
    if _CONTROL.search(head):
        return True
    try:
        head[:-3].decode("utf-8")  # the last character may be incomplete
    except UnicodeDecodeError as error:
        return error.start < len(head) - 3
    return False


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_packed(text: str, lines: int) -> bool:
    """Return True for minified text: long text on few lines, with at least five times the usual line length."""
    return len(text) > _PACKED_SIZE and len(text) > _PACKED_LINE * lines


def _has_long_line(text: str) -> bool:
    """Return True if a line is longer than `MAX_LINE`; tests one newline in each stretch of that length."""
    start = 0
    while len(text) - start > MAX_LINE:
        newline = text.rfind("\n", start, start + MAX_LINE + 1)
        if newline < 0:
            return True
        start = newline + 1
    return False
