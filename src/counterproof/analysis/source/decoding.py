"""Decoding bytes, only if the text is the same that a compiler sees.

UTF-8 is the default. A Python file may declare another encoding in its first two lines (PEP 263); it is decoded with the codec
that Python uses, so that the reviewer reads what the interpreter runs, even if that turns harmless-looking bytes into other code
(UTF-7, escapes). An encoding without a Python codec is rejected. A file with a UTF-16 byte order mark is decoded as such. Node
and PHP run files with bytes that are not UTF-8, so such a byte does not hide a file here either; it becomes U+FFFD, as in Node.

Line ends: a lone carriage return ends a line for the interpreters of most languages, so in code it becomes a newline; otherwise a
comment could hide the statement after it.
"""

import codecs
import re
from functools import cache

from counterproof.model.errors import CounterproofError
from counterproof.model.survey import Language
from counterproof.model.text import encodable

_COOKIE = re.compile(rb"[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]{1,40})")
_BLANK = re.compile(rb"[ \t\f]*(?:#.*)?")

_UNSUITED = ("utf-16", "utf-32", "idna", "punycode", "undefined", "mbcs", "oem")
"""Codecs that Python does not use for source code, or that exist only on some machines."""

_SAID_OTHERWISE = {
    **dict.fromkeys(("utf-8-unix", "utf-8-mac", "utf-8-dos"), "utf-8"),
    **dict.fromkeys(("latin-1-unix", "iso-latin-1"), "latin-1"),
}
"""Encoding names that editors write and Python accepts, although no codec has that name."""

_HEAD = 50_000
"""Two lines of the maximum reviewed length, so that no declaration can be moved out of the examined part."""

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


_RUN_ANYWAY = (Language.JAVASCRIPT, Language.TYPESCRIPT, Language.PHP)
"""Languages whose interpreters accept invalid bytes."""


_RETURN = re.compile(r"\r(?!\n)")
_RETURN_IS_BLANK = (Language.GO, Language.RUBY)
"""Languages in which a lone carriage return does not end a line."""


class BrokenEncoding(CounterproofError):
    """Raised with the reason if the bytes are not text in a supported encoding."""


def is_utf16(head: bytes) -> bool:
    """Return True if the bytes start with a UTF-16 byte order mark (Windows tools write manifests like that)."""
    return head.startswith(_UTF16_MARKS)


def declared_encoding(data: bytes) -> str:
    """The encoding that a Python file declares in its first two lines, normalised; "" if none."""
    first, _, rest = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").partition(b"\n")
    lines = (first, rest.partition(b"\n")[0]) if _BLANK.fullmatch(first.rstrip(b"\r")) else (first,)
    for line in lines:
        if found := _COOKIE.match(line):
            return found[1].decode("ascii", "replace").lower().replace("_", "-")
    return ""


def decode_as(data: bytes, language: Language | None) -> str:
    """The text of a file as the interpreter of its language decodes it."""
    text = _decoded_as(data, language)
    if language is None or language in _RETURN_IS_BLANK or "\r" not in text:
        return text
    return _RETURN.sub("\n", text)


def _decoded_as(data: bytes, language: Language | None) -> str:
    try:
        return decode(data, python=language is Language.PYTHON)
    except BrokenEncoding:
        if language not in _RUN_ANYWAY or is_utf16(data):
            raise
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


def decode(data: bytes, python: bool) -> str:
    """The text of a file. `python`: PEP 263 applies."""
    codec = "utf-8"
    if is_utf16(data):
        codec = "utf-16"
    elif python and (declared := declared_encoding(data)):
        codec = _codec(declared)
        if not codec:
            raise BrokenEncoding(f"it declares the encoding {declared!r}, which is not read")
    try:
        return encodable(data.removeprefix(b"\xef\xbb\xbf").decode(codec))
    except UnicodeDecodeError as error:
        raise BrokenEncoding(f"it is not valid {codec} at byte {error.start}") from None


@cache
def _codec(declared: str) -> str:
    """The codec that Python uses for a declaration; "" if none."""
    name = _SAID_OTHERWISE.get(declared, declared)
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    text = getattr(found, "_is_text_encoding", False)
    return found.name if text and not found.name.startswith(_UNSUITED) else ""
