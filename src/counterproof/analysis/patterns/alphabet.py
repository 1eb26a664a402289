"""Sets of characters as bits of a number: one bit for each ASCII character and two for all others.

Always holds: a set is never smaller than what the pattern means by it, but for characters outside ASCII, of which only
letters and others are told apart. Does not belong here: how sets are put together to patterns.
"""

from typing import Any

_LETTER, _OTHER, _END = 1 << 128, 1 << 129, 1 << 130
END = _END
"""What stands after the last character; no set holds it."""


def _of(characters: str) -> int:
    return sum(1 << ord(each) for each in set(characters))


_ASCII = (1 << 128) - 1
ALL = _ASCII | _LETTER | _OTHER
NEWLINE = _of("\n")
_DIGITS = _of("0123456789")
_SPACE = _of(" \t\n\r\f\v")
_SMALL = "abcdefghijklmnopqrstuvwxyz"
_WORD = _DIGITS | _of(_SMALL + _SMALL.upper() + "_") | _LETTER
_CATEGORIES = {
    "CATEGORY_DIGIT": _DIGITS,
    "CATEGORY_NOT_DIGIT": ALL & ~_DIGITS,
    "CATEGORY_SPACE": _SPACE,
    "CATEGORY_NOT_SPACE": ALL & ~_SPACE,
    "CATEGORY_WORD": _WORD,
    "CATEGORY_NOT_WORD": ALL & ~_WORD,
}


def single(code: int) -> int:
    """The set of one character."""
    if code < 128:
        return 1 << code
    return _LETTER if chr(code).isalnum() else _OTHER


def between(low: int, high: int) -> int:
    """All characters from one to another."""
    found = ((1 << (min(high, 127) + 1)) - (1 << low)) if low < 128 else 0
    return found | (_LETTER | _OTHER if high > 127 else 0)


def either_case(signs: int) -> int:
    """The set with the other case of every letter in it."""
    for letter in _SMALL:
        pair = 1 << ord(letter) | 1 << ord(letter.upper())
        if signs & pair:
            signs |= pair
    return signs


def members(items: "list[tuple[Any, Any]]") -> int:
    """The set that the inside of square brackets means."""
    signs = 0
    negated = False
    for operator, value in items:
        name = str(operator)
        if name == "NEGATE":
            negated = True
        elif name == "LITERAL":
            signs |= single(value)
        elif name == "RANGE":
            signs |= between(*value)
        else:
            signs |= _CATEGORIES.get(str(value), ALL)
    return ALL & ~signs if negated else signs
