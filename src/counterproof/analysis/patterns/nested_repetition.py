"""Regular expressions that can take exponential time, read without running them (CWE-1333).

Only clear cases: a repeated group whose own repetition can match the same text as everything else in the group, so that a text
can be cut up in exponentially many ways, followed by something that can fail. In doubt a pattern is harmless. Does not belong
here: where patterns are used.
"""

from dataclasses import dataclass

MAX_PATTERN = 2_000
MAX_DEPTH = 12

_DIGITS = frozenset("0123456789")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_WORD = _DIGITS | _LETTERS | {"_"}
_SPACE = frozenset(" \t\n\r\f\v")
_ALL = frozenset(chr(code) for code in range(32, 127)) | _SPACE
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": _SPACE, "D": _ALL - _DIGITS, "W": _ALL - _WORD, "S": _ALL - _SPACE}


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that matches one character of `signs`, or a group; repeated without end if `endless`, left out if `optional`."""

    signs: frozenset[str]
    endless: bool
    optional: bool
    inside: "tuple[tuple[Piece, ...], ...]" = ()


class Unreadable(Exception):
    """A pattern that is not understood; it counts as harmless."""


def is_exponential(pattern: str) -> bool:
    """Whether a failing text can make this pattern try exponentially many ways."""
    if len(pattern) > MAX_PATTERN:
        return False
    try:
        alternatives, end = _alternatives(pattern, 0, 0)
    except Unreadable:
        return False
    if end != len(pattern):
        return False
    return any(_exponential(pieces, pattern.endswith(("$", "\\Z", "\\z"))) for pieces in alternatives)


def _exponential(pieces: tuple[Piece, ...], anchored: bool) -> bool:
    for index, piece in enumerate(pieces):
        follows = anchored or any(not each.optional for each in pieces[index + 1 :])
        if piece.inside and piece.endless and follows and _ambiguous(piece.inside):
            return True
        if any(_exponential(inner, True) for inner in piece.inside):
            return True
    return False


def _ambiguous(alternatives: tuple[tuple[Piece, ...], ...]) -> bool:
    """An alternative that repeats inside, with nothing that its repetition could not match; or two that match the same sign."""
    for pieces in alternatives:
        for piece in pieces:
            others = [each for each in pieces if each is not piece and not each.optional]
            if piece.endless and not piece.inside and all(not each.inside and each.signs & piece.signs for each in others):
                return True
    single = [pieces[0].signs for pieces in alternatives if len(pieces) == 1 and not pieces[0].inside]
    return any(first & second for index, first in enumerate(single) for second in single[index + 1 :])


def _alternatives(pattern: str, position: int, depth: int) -> tuple[tuple[tuple[Piece, ...], ...], int]:
    if depth > MAX_DEPTH:
        raise Unreadable
    found: list[tuple[Piece, ...]] = []
    pieces: list[Piece] = []
    while position < len(pattern) and pattern[position] != ")":
        if pattern[position] == "|":
            found.append(tuple(pieces))
            pieces = []
            position += 1
            continue
        piece, position = _piece(pattern, position, depth)
        if piece is not None:
            pieces.append(piece)
    return (*found, tuple(pieces)), position


def _piece(pattern: str, position: int, depth: int) -> tuple[Piece | None, int]:
    sign = pattern[position]
    if sign in "^$":
        return None, position + 1
    inside: tuple[tuple[Piece, ...], ...] = ()
    if sign == "(":
        inside, position = _group(pattern, position, depth)
        signs = frozenset[str]()
    elif sign == "[":
        signs, position = _set(pattern, position)
    elif sign == "\\":
        if position + 1 >= len(pattern) or pattern[position + 1].isdigit():
            raise Unreadable
        letter = pattern[position + 1]
        position += 2
        if letter in "bBAZz":
            return None, position
        signs = _CLASSES.get(letter, frozenset(letter))
    else:
        signs = _ALL if sign == "." else frozenset(sign)
        position += 1
    endless, optional, position = _repetition(pattern, position)
    if len(inside) == 1 and len(inside[0]) == 1 and not endless:  # brackets around one thing, which change nothing
        only = inside[0][0]
        return Piece(only.signs, only.endless, only.optional or optional, only.inside), position
    return Piece(signs, endless, optional, inside), position


def _group(pattern: str, position: int, depth: int) -> tuple[tuple[tuple[Piece, ...], ...], int]:
    position += 1
    if pattern.startswith("?:", position):
        position += 2
    elif pattern.startswith("?P<", position) or (
        pattern.startswith("?<", position) and pattern[position + 2 : position + 3] not in ("=", "!")
    ):
        position = pattern.find(">", position) + 1
        if position == 0:
            raise Unreadable
    elif pattern.startswith("?", position):
        raise Unreadable  # look-around and flags
    inside, position = _alternatives(pattern, position, depth + 1)
    if position >= len(pattern):
        raise Unreadable
    return inside, position + 1


def _set(pattern: str, position: int) -> tuple[frozenset[str], int]:
    position += 1
    negated = pattern.startswith("^", position)
    position += negated
    signs: set[str] = set()
    start = position
    while position < len(pattern) and (pattern[position] != "]" or position == start):
        current = pattern[position]
        if current == "\\" and position + 1 < len(pattern):
            letter = pattern[position + 1]
            signs |= _CLASSES.get(letter, frozenset(letter))
            position += 2
        elif pattern[position + 1 : position + 2] == "-" and pattern[position + 2 : position + 3] not in ("]", ""):
            first, last = ord(current), ord(pattern[position + 2])
            signs |= {chr(code) for code in range(first, min(last, first + 200) + 1)}
            position += 3
        else:
            signs.add(current)
            position += 1
    if position >= len(pattern):
        raise Unreadable
    return (_ALL - signs if negated else frozenset(signs)), position + 1


def _repetition(pattern: str, position: int) -> tuple[bool, bool, int]:
    """(endless, optional, where it ends)."""
    sign = pattern[position : position + 1]
    if sign in ("*", "+", "?"):
        position += 1
        if pattern[position : position + 1] == "+":
            return False, sign != "+", position + 1  # possessive: nothing is tried twice
        lazy = pattern[position : position + 1] == "?"
        return sign != "?", sign != "+", position + lazy
    if sign == "{":
        end = pattern.find("}", position)
        inside = pattern[position + 1 : end] if end > 0 else ""
        low, comma, high = inside.partition(",")
        if low.isdigit() and (not high or high.isdigit()):
            return bool(comma) and not high, low == "0", end + 1
        raise Unreadable
    return False, False, position
