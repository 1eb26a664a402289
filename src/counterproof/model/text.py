"""The gate for text: whatever enters the model can be encoded, hashed, stored and read back.

Two kinds of text come from a hostile tree and may hold halves of characters (lone surrogates), which no encoding has a form for:

- Names of files are bytes. Their form in the model spells every byte that is no UTF-8, every control character and the backslash
  as `\\xNN`, so that two names never share a form and each leads back to its file. `name_form` and `real_name` are each other's
  inverse.
- Content: a string literal, a manifest or a route may spell half a character with an escape. `encodable` puts U+FFFD in its
  place, as every decoder does.

A line is what ends with a newline, here and everywhere: `lines_in`. Other characters that some programs break lines at (form
feed, U+2028, …) are part of a line, so that they can neither shift a number nor make one line many.
"""

import re

_HALF = re.compile("[\ud800-\udfff]")
_SPELLED = re.compile("[\x00-\x1f\x7f\\\\\udc80-\udcff]")
_READ_BACK = re.compile(r"\\x([0-9A-F]{2})")


def encodable(text: str) -> str:
    """The text with halves of characters joined where they make one, and replaced where they do not."""
    if text.isascii() or not _HALF.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def lines_in(text: str) -> list[str]:
    """The lines of a text; a newline at the end opens no further one."""
    return text.removesuffix("\n").split("\n") if text else []


def name_form(name: str | bytes) -> str:
    """A name as the system gives it (bytes, or text with surrogates for bytes that are no UTF-8), in the form of the model."""
    text = name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else name
    return _SPELLED.sub(_spelled, text) if _SPELLED.search(text) else text


def _spelled(found: re.Match[str]) -> str:
    return f"\\x{ord(found[0]) & 0xFF:02X}"


def real_name(form: str) -> str:
    """The name that the system knows, from its form in the model; what holds no such spelling is the name itself."""
    return raw_name(form).decode("utf-8", "surrogateescape") if "\\x" in form else form


def raw_name(form: str) -> bytes:
    """The same, as bytes."""
    parts = _READ_BACK.split(form)
    return b"".join(bytes.fromhex(part) if number % 2 else part.encode() for number, part in enumerate(parts))
