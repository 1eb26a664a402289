"""Java versions in Maven's order.

A version is a sequence of tokens, each with the separator before it; a change between digits and letters separates like a hyphen.
Empty values at the end, and before each hyphen, are ignored. The shorter of two is padded with empty values. Invariant: every
text is a version, as in Maven itself.
"""

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"([.-]?)([0-9]+|[^0-9.-]+|)")
_QUALIFIERS = {
    "alpha": 0,
    "beta": 1,
    "milestone": 2,
    "rc": 3,
    "cr": 3,
    "snapshot": 4,
    "": 5,
    "final": 5,
    "ga": 5,
    "release": 5,
    "sp": 6,
}
_SHORT = {"a": "alpha", "b": "beta", "m": "milestone"}
_UNKNOWN = 7
MAX_TOKENS = 200


@dataclass(frozen=True, slots=True)
class _Token:
    separator: str
    value: int | str

    @property
    def empty(self) -> bool:
        return self.value == 0 or (isinstance(self.value, str) and _QUALIFIERS.get(self.value) == _QUALIFIERS[""])


def compare(left: str, right: str) -> int | None:
    one, other = _tokens(left), _tokens(right)
    if not one or not other:
        return None
    for index in range(max(len(one), len(other))):
        mine = one[index] if index < len(one) else _filling(other[index])
        theirs = other[index] if index < len(other) else _filling(one[index])
        first, second = _rank(mine), _rank(theirs)
        if first != second:
            return -1 if first < second else 1
    return 0


def _filling(token: _Token) -> _Token:
    return _Token(token.separator, 0 if isinstance(token.value, int) else "")


def _rank(token: _Token) -> tuple[int, int, str]:
    """Words come before numbers after a hyphen, and those before numbers after a dot."""
    if isinstance(token.value, int):
        return (2 if token.separator == "." else 1, token.value, "")
    known = _QUALIFIERS.get(token.value)
    return (0, _UNKNOWN, token.value) if known is None else (0, known, "")


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    parts = _parts(text.lower())
    for index, (separator, value) in enumerate(parts):
        follows_number = index + 1 < len(parts) and parts[index + 1][0] == "" and parts[index + 1][1].isdigit()
        joint = separator or ("-" if index else ".")
        word = _SHORT.get(value, value) if follows_number else value
        found.append(_Token(joint, int(value or "0") if value.isdigit() or not value else word))
    return _trimmed(found)


def _parts(text: str) -> list[tuple[str, str]]:
    """(separator, token) pairs; the separator is '' between digits and letters."""
    parts: list[tuple[str, str]] = []
    position = 0
    while position < len(text) and len(parts) < MAX_TOKENS:
        found = _TOKEN.match(text, position)
        if found is None or found.end() == position:
            break
        parts.append((found[1], found[2]))
        position = found.end()
    return parts


def _trimmed(tokens: list[_Token]) -> list[_Token]:
    """The tokens without empty values at the end, and at the end of each part that a hyphen closes."""
    kept = list(tokens)
    end = len(kept)
    while end > 0:
        start = end
        while start > 1 and kept[start - 1].empty:
            start -= 1
        del kept[start:end]
        end = next((index for index in range(start - 1, 0, -1) if kept[index].separator == "-"), 0)
    return kept
