"""One file looked at: text that is reviewed, or left out with a reason.

Always: at most `max_bytes` are read, the hash is of exactly the bytes that were judged, and a refusal says why. Printable
magic numbers are ignored for source files, so `GIF89a = 1` at the top of a module does not hide it.
"""

import hashlib
from collections.abc import Mapping

from counterproof.analysis.source.confined import LINK_ERRORS, NotRegular, opened_file, read_up_to
from counterproof.analysis.source.decoding import BrokenEncoding, decode_as, is_utf16
from counterproof.analysis.source.languages import is_test, language_of, lines_of, lines_of_code
from counterproof.analysis.source.origin import generated_by_marker, is_known_library
from counterproof.model.survey import Language, Skipped, SkipReason, SourceFile

MAX_LINE = 20_000
_HEAD = 8_192
_PACKED_SIZE = 4_096
_PACKED_LINE = 250
_MAGIC = (b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x89PNG", b"\xff\xd8\xff", b"GIF8")


Judged = Mapping[tuple[str, str], SourceFile]
"""Files that were judged before, by path and digest."""


def look_at(directory: int, path: str, max_bytes: int, include_generated: bool, earlier: Judged) -> SourceFile | Skipped:
    """The file as the survey lists it."""
    try:
        with opened_file(directory, path.rpartition("/")[2]) as (descriptor, size):
            data = read_up_to(descriptor, max_bytes + 1) if size <= max_bytes else None
    except NotRegular:
        return Skipped(path, SkipReason.SPECIAL)
    except OSError as error:
        reason = SkipReason.SYMLINK if error.errno in LINK_ERRORS else SkipReason.UNREADABLE
        return Skipped(path, reason, detail=error.strerror or "")
    if data is None or len(data) > max_bytes:
        return Skipped(path, SkipReason.TOO_LARGE, detail=f"{max(size, max_bytes + 1):,} bytes, the limit is {max_bytes:,}")
    digest = hashlib.sha256(data).hexdigest()
    return earlier.get((path, digest)) or judge(path, data, digest, include_generated)


def judge(path: str, data: bytes, digest: str, include_generated: bool) -> SourceFile | Skipped:
    """The same from the bytes alone."""
    language = language_of(path, data[:256])
    if _is_binary(data[:_HEAD], language):
        return Skipped(path, SkipReason.BINARY)
    try:
        text = decode_as(data, language)
    except BrokenEncoding as error:
        return Skipped(path, SkipReason.ENCODING, detail=str(error))
    lines = lines_of(text)
    if language and _has_long_line(text):
        return Skipped(path, SkipReason.LONG_LINES, detail=f"a line of more than {MAX_LINE:,} characters")
    if not include_generated and generated_by_marker(text, lines, language):
        return Skipped(path, SkipReason.GENERATED, detail="it says so in its first lines")
    if not include_generated and language in (Language.JAVASCRIPT, Language.TYPESCRIPT) and _is_packed(text, lines):
        return Skipped(path, SkipReason.GENERATED, detail="it is packed for browsers")
    if not include_generated and is_known_library(path, text, language):
        return Skipped(path, SkipReason.VENDORED, detail="a copy of a library for browsers")
    return SourceFile(
        path=path,
        language=language,
        loc=lines_of_code(text, language) if language else 0,
        lines=lines,
        size=len(data),
        sha256=digest,
        test=is_test(path),
    )


def _is_binary(head: bytes, language: Language | None) -> bool:
    if language is None:
        if is_utf16(head):
            return False
        if head.startswith(_MAGIC):
            return True
    return b"\0" in head


def _is_packed(text: str, lines: int) -> bool:
    """What a minifier makes: much text on few lines. People write a fifth of that on a line."""
    return len(text) > _PACKED_SIZE and len(text) > _PACKED_LINE * lines


def _has_long_line(text: str) -> bool:
    """Whether a line has more than `MAX_LINE` characters; looks at one newline in each stretch of that length."""
    start = 0
    while len(text) - start > MAX_LINE:
        newline = text.rfind("\n", start, start + MAX_LINE + 1)
        if newline < 0:
            return True
        start = newline + 1
    return False
