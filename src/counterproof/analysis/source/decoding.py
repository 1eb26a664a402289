"""From bytes to text, only where the result is what a compiler would see.

UTF-8 is the rule. A Python file may name another encoding in its first two lines (PEP 263); it is honoured when the encoding
keeps ASCII bytes as they are or is a common multi-byte one. An encoding that turns harmless-looking bytes into other code
(UTF-7, rot13, escapes) is refused: the reviewer must read what the interpreter runs. Node and PHP run a file with a byte that is
not UTF-8, so such a byte does not hide it here either; it becomes U+FFFD, as it does in Node.
"""

import re

from counterproof.model.errors import CounterproofError
from counterproof.model.survey import Language

_COOKIE = re.compile(rb"[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]{1,40})")
_BLANK = re.compile(rb"[ \t\f]*(?:#.*)?")

_UTF8 = ("utf-8", "utf8", "utf-8-sig", "u8", "utf", "cp65001", "utf-8-unix", "utf-8-mac", "utf-8-dos")
_HONOURED = (
    ("ascii", "ascii us-ascii 646"),
    ("latin-1", "latin-1 latin1 iso-8859-1 iso8859-1 8859 cp819 l1 latin-1-unix iso-latin-1"),
    ("iso-8859-2", "iso-8859-2 latin2 latin-2"),
    ("iso-8859-5", "iso-8859-5 cyrillic"),
    ("iso-8859-7", "iso-8859-7 greek"),
    ("iso-8859-9", "iso-8859-9 latin5"),
    ("iso-8859-15", "iso-8859-15 latin9 latin-9 l9"),
    ("cp1250", "cp1250 windows-1250"),
    ("cp1251", "cp1251 windows-1251"),
    ("cp1252", "cp1252 windows-1252"),
    ("cp1254", "cp1254 windows-1254"),
    ("koi8-r", "koi8-r"),
    ("koi8-u", "koi8-u"),
    ("mac-roman", "mac-roman macroman"),
    ("gbk", "gbk gb2312 cp936 936"),
    ("gb18030", "gb18030"),
    ("big5", "big5 cp950"),
    ("euc-jp", "euc-jp eucjp ujis"),
    ("shift_jis", "shift-jis sjis shiftjis"),
    ("cp932", "cp932 ms932 windows-31j"),
    ("euc-kr", "euc-kr euckr"),
    ("cp949", "cp949 uhc ms949"),
)
_CODECS = {alias: codec for codec, aliases in _HONOURED for alias in aliases.split()} | dict.fromkeys(_UTF8, "utf-8")

_HEAD = 50_000
"""Two lines of the longest length that is still reviewed; nobody can push a declaration out of our sight."""

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


_RUN_ANYWAY = (Language.JAVASCRIPT, Language.TYPESCRIPT, Language.PHP)
"""Languages whose interpreters do not mind bytes that are no text."""


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
    try:
        return decode(data, python=language is Language.PYTHON)
    except BrokenEncoding:
        if language not in _RUN_ANYWAY or is_utf16(data):
            raise
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


def decode(data: bytes, python: bool) -> str:
    """The text of a file. `python` says that PEP 263 applies."""
    codec = "utf-8"
    if python:
        declared = declared_encoding(data)
        codec = _CODECS.get(declared, "") if declared else "utf-8"
        if not codec:
            raise BrokenEncoding(f"it declares the encoding {declared!r}, which is not read")
    elif is_utf16(data):
        codec = "utf-16"
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode(codec)
    except UnicodeDecodeError as error:
        raise BrokenEncoding(f"it is not valid {codec} at byte {error.start}") from None
