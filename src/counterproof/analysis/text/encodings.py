"""Text encoded so that a filter does not read it, but a model may (X5): decoded, so that it can be judged.

Each class is one decoder: it finds stretches that look encoded and returns their text. Letter ciphers are decoded over the whole
text. Invariant: bounded work and size, nothing is executed, a stretch that does not decode to printable text is skipped. The
decoded text is only judged; agents see the file's own text. Not handled here: the meaning of the text.
"""

import base64
import binascii
import codecs
import html
import re
import string
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from counterproof.analysis.text.hidden import concealed

_MORSE = (
    "a .- b -... c -.-. d -.. e . f ..-. g --. h .... i .. j .--- k -.- l .-.. m -- n -. o --- p .--. q --.- r .-. s ... t - "
    "u ..- v ...- w .-- x -..- y -.-- z --.. 0 ----- 1 .---- 2 ..--- 3 ...-- 4 ....- 5 ..... 6 -.... 7 --... 8 ---.. 9 ----."
)
_PAIRS = _MORSE.split(" ")
MORSE: dict[str, str] = dict(zip(_PAIRS[1::2], _PAIRS[::2], strict=True))

LEET = str.maketrans("013457@$!|8", "oieastasilb")

MAX_TEXT = 400_000
MAX_STRETCHES = 200
_MAX_DECODED = 20_000
_MIN_LETTERS = 12


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded stretch. `line` counts from 1; it is 0 for ciphers, which are decoded over the whole text, line by line."""

    encoding: str
    line: int
    text: str


def decoded(text: str) -> Iterator[Decoded]:
    """All decoded stretches, class by class."""
    text = text[:MAX_TEXT]
    for name, (pattern, decode) in _STRETCHES.items():
        for number, match in enumerate(pattern.finditer(text)):
            if number >= MAX_STRETCHES:
                break
            said = _said(decode, match[0])
            if said and said != match[0]:
                yield Decoded(name, text.count("\n", 0, match.start()) + 1, said)
    for name, undo in _CIPHERS.items():
        said = undo(text)
        if said and said != text:
            yield Decoded(name, 0, said)


def _said(decode: Callable[[str], bytes | str], stretch: str) -> str:
    """The decoded stretch, if it is text."""
    try:
        raw = decode(stretch)
        said = raw if isinstance(raw, str) else raw.decode("utf-8")
    except (ValueError, binascii.Error, zlib.error, OverflowError):
        return ""
    said = said[:_MAX_DECODED]
    printable = sum(each.isprintable() or each in "\n\t\r" for each in said)
    letters = sum(each.isalpha() for each in said)
    return said if letters >= _MIN_LETTERS and printable >= 0.95 * len(said) else ""


def _base64(stretch: str) -> bytes:
    plain = re.sub(r"\s", "", stretch).replace("-", "+").replace("_", "/").rstrip("=")
    return base64.b64decode(plain + "=" * (-len(plain) % 4))


def _packed(stretch: str) -> bytes:
    """Deflate inside base64; decompressed only up to the limit."""
    return zlib.decompressobj(wbits=47).decompress(_base64(stretch), _MAX_DECODED)


def _base32(stretch: str) -> bytes:
    plain = stretch.upper().rstrip("=")
    return base64.b32decode(plain + "=" * (-len(plain) % 8))


def _ascii85(stretch: str) -> bytes:
    plain = stretch.strip()
    try:
        return base64.a85decode(plain.removeprefix("<~").removesuffix("~>"))
    except ValueError:
        return base64.b85decode(plain)


def _hex(stretch: str) -> bytes:
    return bytes.fromhex(re.sub(r"0x|\\x|[^0-9a-fA-F]", "", stretch))


def _codes(base: int) -> Callable[[str], str]:
    def decode(stretch: str) -> str:
        numbers = [int(each, base) for each in re.findall(r"[0-9a-fA-F]+", stretch)]
        return "".join(chr(each) for each in numbers if each < 0x110000)

    return decode


def _binary(stretch: str) -> bytes:
    bits = re.sub(r"[^01]", "", stretch)
    return bytes(int(bits[place : place + 8], 2) for place in range(0, len(bits) - 7, 8))


def _unicode_escapes(stretch: str) -> str:
    return re.sub(r"\\u\{?([0-9a-fA-F]{4,6})\}?", lambda found: chr(min(int(found[1], 16), 0x10FFFF)), stretch)


def _percent(stretch: str) -> bytes:
    return re.sub(rb"%([0-9a-fA-F]{2})", lambda found: bytes([int(found[1], 16)]), stretch.encode())


def _morse(stretch: str) -> str:
    words = re.split(r"\s*[/|]\s*|\s{2,}", stretch.strip())
    return " ".join("".join(MORSE.get(letter, "") for letter in word.split()) for word in words).lower()


def _spaced(stretch: str) -> str:
    words = re.split(r"\s{2,}|\s*[|/]\s*", stretch.strip())
    return " ".join(re.sub(r"[\s.\-_*]", "", word) for word in words)


_STRETCHES: dict[str, tuple[re.Pattern[str], Callable[[str], bytes | str]]] = {
    "base64": (re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,6000}={0,2}"), _base64),
    "deflated base64": (re.compile(r"(?<![A-Za-z0-9+/_-])(?:H4sI|eJ|eN|eA)[A-Za-z0-9+/_-]{20,6000}={0,2}"), _packed),
    "base32": (re.compile(r"(?<![A-Z2-7])[A-Z2-7]{24,6000}={0,6}"), _base32),
    "base85": (re.compile(r"<~[!-u\s]{20,4000}~>|(?<=[\"'`])[!-~]{20,4000}(?=[\"'`])"), _ascii85),
    "hex": (re.compile(r"(?<![0-9a-fA-F])(?:[0-9a-fA-F]{2}[ :]?){16,4000}(?![0-9a-fA-F])"), _hex),
    "hex escapes": (re.compile(r"(?:(?:\\x|0x)[0-9a-fA-F]{2},? ?){12,4000}"), _hex),
    "unicode escapes": (re.compile(r"(?:\\u\{?[0-9a-fA-F]{4,6}\}?){8,2000}"), _unicode_escapes),
    "octal escapes": (re.compile(r"(?:\\[0-3]?[0-7]{2}){12,2000}"), _codes(8)),
    "percent": (re.compile(r"(?:%[0-9a-fA-F]{2}|[A-Za-z0-9.~_-]){20,6000}"), _percent),
    "HTML entities": (re.compile(r"(?:&(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});[ A-Za-z]{0,3}){8,2000}"), html.unescape),
    "binary": (re.compile(r"(?<![01])(?:[01]{8}[ ,]?){12,2000}(?![01])"), _binary),
    "decimal codes": (re.compile(r"(?<![0-9])(?:[0-9]{2,3}[ ,]{1,2}){12,2000}[0-9]{2,3}"), _codes(10)),
    "morse": (re.compile(r"(?:[.\-·−]{1,6}[ /|]{1,3}){10,2000}[.\-·−]{1,6}"), lambda each: _morse(each.translate(_DASHES))),
    "spaced letters": (re.compile(r"(?<![A-Za-z])(?:[A-Za-z][ ._*\-|/]{1,3}){14,1000}[A-Za-z](?![A-Za-z])"), _spaced),
}  # fmt: skip
_DASHES = str.maketrans("·−", ".-")

_ATBASH = str.maketrans(string.ascii_letters, string.ascii_lowercase[::-1] + string.ascii_uppercase[::-1])
_ROT47 = str.maketrans("".join(map(chr, range(33, 127))), "".join(chr(33 + (code + 14) % 94) for code in range(33, 127)))


_TELLTALE = ("instruct", "prompt", "report", "review", "finding")


def _caesar(text: str) -> str:
    """The text decoded with the first shift that yields a telling word."""
    lower = string.ascii_lowercase
    plain = text.lower()
    for shift in range(1, 26):
        table = str.maketrans(lower, lower[shift:] + lower[:shift])
        if any(word.translate(table) in plain for word in _TELLTALE):
            moved = lower[-shift:] + lower[:-shift]
            return plain.translate(str.maketrans(lower, moved))
    return ""


def _backwards(text: str) -> str:
    return "\n".join(line[::-1] for line in text.split("\n"))


_MIXED = re.compile(r"\b[a-z]{0,20}[013457@$!][a-z013457@$!]{2,20}\b")
_MIN_WORDS = 3


def _leet(text: str) -> str:
    return _where(_MIXED, text, lambda line: line.translate(LEET))


def _where(sign: re.Pattern[str], text: str, undo: Callable[[str], str]) -> str:
    """The lines with at least three such words, decoded; the others are empty, so that lines keep their numbers."""
    lines = text.lower().split("\n")
    wanted = [undo(line) if sum(1 for _ in sign.finditer(line)) >= _MIN_WORDS else "" for line in lines]
    return "\n".join(wanted) if any(wanted) else ""


_CIPHERS: dict[str, Callable[[str], str]] = {
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "rot47": lambda text: text.translate(_ROT47),
    "caesar": _caesar,
    "atbash": lambda text: text.translate(_ATBASH),
    "reversed": _backwards,
    "leetspeak": _leet,
    "hidden characters": concealed,
}
