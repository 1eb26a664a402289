"""Reading a surveyed file: only beneath the root, and only while it still holds the bytes that were surveyed.

Whatever is analysed, quoted or shown comes through here, so a finding can never rest on bytes that nobody surveyed.

From bytes to text, only where the result is what a compiler would see. UTF-8 is the rule. A Python file may name another encoding
in its first two lines (PEP 263); it is decoded by the very codec that Python would take, so that the reviewer reads what the
interpreter runs, also where that turns harmless-looking bytes into other code (UTF-7, escapes). What no codec of Python's own
reads is refused. A file that opens with a UTF-16 mark is read as such. Node and PHP run a file with a byte that is not UTF-8, so
such a byte does not hide it here either; it becomes U+FFFD, as it does in Node. Line ends: a carriage return alone ends a line
for the interpreters of most languages, so in code it becomes a newline; otherwise a comment could hide the statement after it.

A Jupyter notebook as Python that stands on the lines of the notebook's own file. Always holds: a line of the result is the line
of code that stands on that line of the file, or the line as it is in a comment; so every place means the same in both, and
nothing is lost. A notebook whose lines cannot be told apart stays as it is, and is then unread.
"""

import codecs
import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import cast

from counterproof.analysis.source.confined import opened_directory, opened_file, opened_root, read_up_to
from counterproof.model.errors import CounterproofError
from counterproof.model.location import checked_path
from counterproof.model.survey import Language, SourceFile
from counterproof.model.text import encodable


class NoCode(CounterproofError):
    """A notebook whose code cannot be read off its lines."""

    def __init__(self) -> None:
        super().__init__("its code does not stand line by line, as notebooks are saved, and cannot be read")


def is_notebook(file: SourceFile) -> bool:
    """Whether a file is a notebook that is read as code."""
    return file.language is Language.PYTHON and file.path.endswith(".ipynb")


def as_python(text: str) -> str:
    """The notebook as Python, or as it is where that cannot be."""
    try:
        return _code(text)
    except NoCode:
        return text


def checked(text: str) -> str:
    """The same text; raises `NoCode` for a notebook that stayed as it is."""
    if text.lstrip().startswith("{"):
        raise NoCode
    return text


def _code(text: str) -> str:
    starts = [0]
    starts.extend(at + 1 for at, letter in enumerate(text) if letter == "\n")
    lines: dict[int, str] = {}
    place = 0
    for source, is_code in _cells(text):
        for line in source:
            place = _found(text, line, place)
            number = bisect_right(starts, place) - 1
            place += 1
            if is_code and line.rstrip("\n").count("\n"):
                raise NoCode
            if is_code and number in lines:
                raise NoCode
            if is_code:
                lines[number] = _plain(line.rstrip("\n"))
    every = text.split("\n")
    return "\n".join(lines.get(number, f"# {line}") for number, line in enumerate(every))


def _cells(text: str) -> Iterator[tuple[list[str], bool]]:
    """The lines of each cell, and whether they are code, in the order of the file."""
    try:
        from counterproof.analysis.syntax.structured import parsed_json  # no other file needs it here

        read = parsed_json(text.encode("utf-8", "replace"))
    except ValueError as error:
        raise NoCode from error
    fields = cast("dict[str, object]", read) if isinstance(read, dict) else {}
    cells = fields.get("cells")
    if not isinstance(cells, list):
        raise NoCode
    for cell in cast("list[object]", cells):
        kept = cast("dict[str, object]", cell) if isinstance(cell, dict) else {}
        source = kept.get("source")
        lines = [source] if isinstance(source, str) else cast("list[object]", source) if isinstance(source, list) else []
        texts = [each for each in lines if isinstance(each, str) and each]
        is_code = kept.get("cell_type") == "code" and not (texts and texts[0].startswith("%%"))
        yield texts, is_code


def _found(text: str, line: str, after: int) -> int:
    for plain in (False, True):
        at = text.find(json.dumps(line, ensure_ascii=plain), after)
        if at >= 0:
            return at
    raise NoCode


def _plain(line: str) -> str:
    """What a notebook runs in another way than Python does is left out, at its depth."""
    bare = line.lstrip()
    return line[: len(line) - len(bare)] + "pass" if bare[:1] in ("%", "!", "?") else line


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


class TargetChanged(CounterproofError):
    """A file is no longer what the survey saw."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path!r} changed since the survey: {why}", "start the audit again on a tree that nobody edits")
        self.path = path


def read_bytes(root: Path, file: SourceFile) -> bytes:
    """The surveyed bytes; `TargetChanged` if they are no longer there."""
    folder, _, name = checked_path(file.path).rpartition("/")
    try:
        with (
            opened_root(root) as top,
            opened_directory(top, folder) as directory,
            opened_file(directory, name) as (descriptor, _),
        ):
            data = read_up_to(descriptor, file.size + 1)
    except OSError as error:
        raise TargetChanged(file.path, error.strerror or "it cannot be opened") from error
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise TargetChanged(file.path, "its content differs")
    return data


def read_text(root: Path, file: SourceFile) -> str:
    """The surveyed text, without a byte order mark; line ends are as they stand in the file."""
    text = decode_as(read_bytes(root, file), file.language)
    return as_python(text) if is_notebook(file) else text
