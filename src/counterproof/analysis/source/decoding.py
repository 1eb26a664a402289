"""From bytes to text, only where the result is what a compiler would see.

UTF-8 is the rule. A Python file may name another encoding in its first two lines (PEP 263); it is decoded by the very codec that
Python would take, so that the reviewer reads what the interpreter runs, also where that turns harmless-looking bytes into other
code (UTF-7, escapes). What no codec of Python's own reads is refused. A file that opens with a UTF-16 mark is read as such.
Node and PHP run a file with a byte that is not UTF-8, so such a byte does not hide it here either; it becomes U+FFFD, as it
does in Node.

Line ends: a carriage return alone ends a line for the interpreters of most languages, so in code it becomes a newline; otherwise
a comment could hide the statement after it.
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
"""Codecs that Python has and does not read source with, or that only some machines have."""

_SAID_OTHERWISE = {
    **dict.fromkeys(("utf-8-unix", "utf-8-mac", "utf-8-dos"), "utf-8"),
    **dict.fromkeys(("latin-1-unix", "iso-latin-1"), "latin-1"),
}
"""What editors write and Python understands, though no codec is called that."""

_HEAD = 50_000
"""Two lines of the longest length that is still reviewed; nobody can push a declaration out of our sight."""

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


_RUN_ANYWAY = (Language.JAVASCRIPT, Language.TYPESCRIPT, Language.PHP)
"""Languages whose interpreters do not mind bytes that are no text."""


_RETURN = re.compile(r"\r(?!\n)")
_RETURN_IS_BLANK = (Language.GO, Language.RUBY)
"""Languages to which a carriage return alone is no end of a line."""


class BrokenEncoding(CounterproofError):
    """The bytes are not text in an encoding that is read here; the message says which."""


def is_utf16(head: bytes) -> bool:
    """Whether the bytes open with a UTF-16 mark (Windows tools write manifests like that)."""
    return head.startswith(_UTF16_MARKS)


def declared_encoding(data: bytes) -> str:
    """The encoding that a Python file names for itself, normalised; "" if none. Only the first two lines can."""
    first, _, rest = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").partition(b"\n")
    lines = (first, rest.partition(b"\n")[0]) if _BLANK.fullmatch(first.rstrip(b"\r")) else (first,)
    for line in lines:
        if found := _COOKIE.match(line):
            return found[1].decode("ascii", "replace").lower().replace("_", "-")
    return ""


def decode_as(data: bytes, language: Language | None) -> str:
    """The text of a file as the interpreter of its language reads it."""
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
    """The text of a file. `python` says that PEP 263 applies."""
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
    """The codec that Python takes for a declaration; "" if it has none that it reads source with."""
    name = _SAID_OTHERWISE.get(declared, declared)
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    text = getattr(found, "_is_text_encoding", False)
    return found.name if text and not found.name.startswith(_UNSUITED) else ""
