"""Python literals as values: escapes decoded, pieces joined, numbers read within bounds.

Always holds: no literal is evaluated by running code, and none can make us spend more than its own length. Does not belong
here: strings with values put in; only their literal pieces come here.
"""

import re

from counterproof.model.text import encodable

MAX_NUMBER = 400
"""Characters of a number that is still read; a longer one is no setting anyone compares with."""

_ESCAPE = re.compile(
    r"\\(\r\n|\r|\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^{}\n]{1,100}\}|.)", re.DOTALL
)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def _unescaped(match: re.Match[str]) -> str:
    body = match.group(1)
    lead = body[0]
    if body in _SIMPLE:
        return _SIMPLE[body]
    if lead in "\r\n":
        return ""
    if lead in "01234567":
        return chr(int(body, 8))
    if lead in "xuU" and len(body) > 1:
        code = int(body[1:], 16)
        return chr(code) if code < 0x110000 else "�"
    return match.group(0)


def prefix_of(opening: str) -> str:
    """The letters before the quotes, in lower case."""
    return opening.rstrip("'\"").lower()


def piece(text: str, prefix: str) -> str:
    """One stretch of literal text inside quotes with this prefix."""
    if "f" in prefix or "t" in prefix:
        text = text.replace("{{", "{").replace("}}", "}")
    return encodable(_ESCAPE.sub(_unescaped, text)) if "\\" in text and "r" not in prefix else text


def as_bytes(text: str) -> bytes:
    return text.encode("latin-1", "replace")


def number(text: str) -> int | float | None:
    """The value of a number; None for imaginary, malformed and very long ones."""
    if len(text) > MAX_NUMBER:
        return None
    plain = text.replace("_", "").rstrip("lL")
    try:
        if plain.isdigit():
            return int(plain)
        if plain[:2].lower() in ("0x", "0o", "0b"):
            return int(plain, 0)
        return float(plain)
    except ValueError:
        return None
