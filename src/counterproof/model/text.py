"""Normalises text on its way into the model: the result can be encoded, hashed, stored and read back.

Two kinds of text come from a hostile tree and may contain lone surrogates, which no encoding can represent:

- File names are bytes. In the model, every byte that is not UTF-8, every control character and the backslash are escaped as
  `\\xNN`, so that different names have different forms and each form leads back to its file. `name_form` and `real_name` are
  inverse to each other.
- Content: a string literal, a manifest or a route may contain an escaped lone surrogate. `encodable` replaces it with U+FFFD, as
  decoders do.

Only a newline ends a line: `lines_in`. Other line break characters (form feed, U+2028, …) are part of
a line, so that they cannot shift line numbers or split a line.
"""

import re

from counterproof.model.errors import InvalidValue

MAX_TEXT = 2_000
_HALF = re.compile("[\ud800-\udfff]")
_SPELLED = re.compile("[\x00-\x1f\x7f\\\\\udc80-\udcff]")
_READ_BACK = re.compile(r"\\x([0-9A-F]{2})")


def encodable(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced."""
    if text.isascii() or not _HALF.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def lines_in(text: str) -> list[str]:
    """The lines of a text; a trailing newline starts no further line."""
    return text.removesuffix("\n").split("\n") if text else []


def checked_text(text: str, field: str, most: int = MAX_TEXT, needed: bool = True) -> None:
    """Raises `InvalidValue` for a text that is too long or, where needed, blank."""
    if needed and not text.strip():
        raise InvalidValue(f"{field} is blank")
    if len(text) > most:
        raise InvalidValue(f"{field} is longer than {most} characters")


def name_form(name: str | bytes) -> str:
    """The model form of a file name as the system gives it (bytes, or text with surrogates for bytes that are not UTF-8)."""
    text = name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else name
    return _SPELLED.sub(_spelled, text) if _SPELLED.search(text) else text


def _spelled(found: re.Match[str]) -> str:
    return f"\\x{ord(found[0]) & 0xFF:02X}"


def real_name(form: str) -> str:
    """The system's file name for its model form; a form without escapes is the name itself."""
    return raw_name(form).decode("utf-8", "surrogateescape") if "\\x" in form else form


def raw_name(form: str) -> bytes:
    """The system's file name for its model form, as bytes."""
    parts = _READ_BACK.split(form)
    return b"".join(bytes.fromhex(part) if number % 2 else part.encode() for number, part in enumerate(parts))
