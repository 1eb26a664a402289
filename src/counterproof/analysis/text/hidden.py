"""Characters that a person does not see, or takes for others, made visible (R6, X4).

Each becomes a mark with its code point, `‹U+200B›`; a letter that only looks Latin keeps its shape in the mark, `‹U+0430:а›`.
Invariant: `restored(visible(text).text) == text` for text without such marks of its own, so a quote of shown text can be
compared with the file; line breaks stay; everything that was surfaced is counted by class.
"""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum


class Hidden(StrEnum):
    """Classes of characters that hide something."""

    TAG = "tag characters"
    ZERO_WIDTH = "zero-width characters"
    BIDI = "bidirectional controls"
    VARIATION = "variation selectors"
    CONTROL = "control characters"
    LOOK_ALIKE = "letters that look Latin"
    PRIVATE = "private-use characters"
    SEPARATOR = "unusual separators"


@dataclass(frozen=True, slots=True)
class Visible:
    """The text as it may be shown, and how many characters of each class were surfaced, by name of the class."""

    text: str
    found: tuple[tuple[Hidden, int], ...] = ()


_ZERO_WIDTH = frozenset(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\u206a\u206b"
    "\u206c\u206d\u206e\u206f\u2800\u3164\ufeff\uffa0\ufff9\ufffa\ufffb"
)
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_FOREIGN = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "MATHEMATICAL", "FULLWIDTH", "MODIFIER", "DESERET")
_WORD = re.compile(r"\w+")
_WIDE = re.compile(r"[^\x00-\x7f]+")
_UNPRINTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MARK = re.compile(r"‹U\+([0-9A-F]{4,6})(?::.)?›", re.DOTALL)


def visible(text: str) -> Visible:
    """The text with every hidden character replaced by its mark."""
    if text.isascii() and not _UNPRINTED.search(text):
        return Visible(text)
    doubles = _look_alikes(text)
    counts: Counter[Hidden] = Counter()
    shown: list[str] = []
    for place, each in enumerate(text):
        kind = Hidden.LOOK_ALIKE if place in doubles else _kind(each)
        if kind is None:
            shown.append(each)
            continue
        counts[kind] += 1
        shown.append(f"‹U+{ord(each):04X}{f':{each}' if kind is Hidden.LOOK_ALIKE else ''}›")
    return Visible("".join(shown), tuple(sorted(counts.items())))


def restored(text: str) -> str:
    """Marks turned back into the characters that they stand for."""
    return _MARK.sub(lambda found: chr(int(found[1], 16)) if int(found[1], 16) < 0x110000 else found[0], text)


def concealed(text: str) -> str:
    """What tag characters and variation selectors spell, for a scan of what they say; '' if they spell nothing."""
    letters: list[str] = []
    for each in "" if text.isascii() else "".join(_WIDE.findall(text)):
        code = ord(each)
        if 0xE0020 <= code <= 0xE007E:
            letters.append(chr(code - 0xE0000))
        elif 0xFE00 <= code <= 0xFE0F:
            letters.append(chr(code - 0xFE00))
        elif 0xE0100 <= code <= 0xE01EF:
            letters.append(chr(code - 0xE0100 + 16))
    said = "".join(letter for letter in letters if letter.isprintable())
    return said if len(said) >= 8 else ""


def _kind(each: str) -> Hidden | None:
    code = ord(each)
    if code < 0x80:
        return Hidden.CONTROL if (code < 32 and each not in "\t\n\r") or code == 0x7F else None
    if 0xE0000 <= code <= 0xE007F:
        return Hidden.TAG
    if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:
        return Hidden.VARIATION
    if each in _ZERO_WIDTH:
        return Hidden.ZERO_WIDTH
    if each in _BIDI:
        return Hidden.BIDI
    return _by_category(each)


def _by_category(each: str) -> Hidden | None:
    category = unicodedata.category(each)
    if category in ("Cc", "Cn", "Cs"):
        return Hidden.CONTROL
    if category == "Cf":
        return Hidden.ZERO_WIDTH
    if category == "Co":
        return Hidden.PRIVATE
    return Hidden.SEPARATOR if category in ("Zl", "Zp", "Zs") else None


def _look_alikes(text: str) -> frozenset[int]:
    """Places of letters from other alphabets inside words that also hold Latin letters, and of letters that fold to ASCII."""
    if text.isascii():
        return frozenset()
    places: set[int] = set()
    for word in _WORD.finditer(text):
        if word[0].isascii():
            continue
        foreign = [place for place, each in enumerate(word[0], word.start()) if ord(each) > 0x7F and _foreign(each)]
        latin = any(each.isascii() and each.isalpha() for each in word[0])
        places.update(place for place in foreign if latin or unicodedata.normalize("NFKC", text[place]).isascii())
    return frozenset(places)


def _foreign(each: str) -> bool:
    return unicodedata.name(each, "").startswith(_FOREIGN)
