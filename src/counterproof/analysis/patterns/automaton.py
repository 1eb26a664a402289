"""A regular expression as a graph of places: each place takes one character of a set, edges say which place may come next.

An edge is counted once for every way the pattern allows it, so that nested repetitions show as edges counted twice. Invariant:
at most MAX_PLACES places; look-around, back references to texts inside repetitions, atomic groups and conditions are not
understood, and then there is no graph. Not handled here: judging the graph.
"""

import importlib
import re
import warnings
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
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
    """The set of one character.

    Invariant: a set is never smaller than what the pattern means by it, but for characters outside ASCII, of which only
    letters and others are told apart."""
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


MAX_PATTERN = 2_000
MAX_PLACES = 160
MAX_DEPTH = 25
MANY = 20
"""A group that may be repeated as often as this counts as repeated without end."""

_parser: Any = importlib.import_module("re._parser")


class NotUnderstood(Exception):
    """A pattern with something that the graph cannot express."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the pattern: the places it may start and end with, and whether it may match nothing."""

    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    empty: bool = True


@dataclass(slots=True)
class Automaton:
    """`takes` gives the set of each place; `last` are the places after which the pattern is satisfied."""

    takes: list[int] = field(default_factory=list[int])
    edges: Counter[tuple[int, int]] = field(default_factory=Counter[tuple[int, int]])
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    anchored: bool = False
    """Whether it begins with the beginning of the text or of a line."""
    never_after: int = 0
    """Characters that a match cannot begin behind: `(?<!x)` at the start."""


def automaton(pattern: str, flags: int = 0) -> Automaton | None:
    """The graph of a pattern, None where it is too large or not understood."""
    if len(pattern) > MAX_PATTERN:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed: Any = _parser.parse(pattern, flags)
        return _Builder(int(parsed.state.flags) | flags).build(list(parsed))
    except (re.error, NotUnderstood, RecursionError, OverflowError, ValueError):
        return None


class _Builder:
    def __init__(self, flags: int) -> None:
        self._flags = flags
        self._graph = Automaton()
        self._without = 0
        """Characters that a look-ahead right before forbids."""
        self._groups: dict[int, list[tuple[Any, Any]]] = {}
        """What a reference to a group inside a repetition stands for: nothing where the group may be empty, or one character."""

    def build(self, parsed: "list[tuple[Any, Any]]") -> Automaton:
        whole = self._sequence(parsed, 0, False)
        self._graph.anchored = bool(parsed) and str(parsed[0][0]) == "AT" and str(parsed[0][1]).startswith("AT_BEGINNING")
        self._graph.first, self._graph.last = whole.first, whole.last
        if parsed and str(parsed[0][0]) == "ASSERT_NOT" and parsed[0][1][0] < 0 and _is_one(inside := list(parsed[0][1][1])):
            self._graph.never_after = self._signs(str(inside[0][0]), inside[0][1])
        return self._graph

    def _sequence(self, parsed: "list[tuple[Any, Any]]", depth: int, repeated: bool) -> Part:
        if depth > MAX_DEPTH:
            raise NotUnderstood
        whole = Part()
        for operator, value in parsed:
            whole = self._joined(whole, self._piece(str(operator), value, depth, repeated))
        return whole

    def _joined(self, left: Part, right: Part) -> Part:
        for source in left.last:
            for target in right.first:
                self._graph.edges[source, target] += 1
        first = left.first + right.first if left.empty else left.first
        last = right.last + left.last if right.empty else right.last
        return Part(first, last, left.empty and right.empty)

    def _piece(self, operator: str, value: Any, depth: int, repeated: bool) -> Part:
        match operator:
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return self._place(self._signs(operator, value))
            case "SUBPATTERN":
                low, high = value[3].getwidth()
                if value[0] is not None and (low == 0 or high == 1):
                    self._groups[int(value[0])] = list(value[3]) if low else []
                return self._sequence(list(value[3]), depth + 1, repeated)
            case "BRANCH":
                return _either([self._sequence(list(each), depth + 1, repeated) for each in value[1]])
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._repeated(int(value[0]), int(value[1]), list(value[2]), depth, repeated)
            case "AT":
                return self._place(END) if str(value) in ("AT_END", "AT_END_STRING") else Part()
            case "GROUPREF" if not repeated:
                return self._place(END)  # what it takes is not known; that it can fail is all that matters
            case "GROUPREF" if value in self._groups:
                return self._sequence(self._groups[value], depth + 1, repeated)
            case "ASSERT" | "ASSERT_NOT":
                return self._looked(operator, int(value[0]), list(value[1]), repeated)
            case _:
                raise NotUnderstood

    def _looked(self, operator: str, direction: int, parsed: "list[tuple[Any, Any]]", repeated: bool) -> Part:
        """`(?!x)` before a single character narrows it; other look-arounds only narrow, too, so outside repetitions they do no
        harm to the answer, and inside them there is none."""
        if operator == "ASSERT_NOT" and direction > 0 and _is_one(parsed):
            self._without = self._signs(str(parsed[0][0]), parsed[0][1])
        elif repeated and direction > 0:
            raise NotUnderstood
        return Part()

    def _signs(self, operator: str, value: Any) -> int:
        match operator:
            case "LITERAL":
                signs = single(value)
            case "NOT_LITERAL":
                signs = ALL & ~single(value)
            case "ANY":
                signs = ALL if self._flags & re.DOTALL else ALL & ~NEWLINE
            case _:
                signs = members(value)
        return either_case(signs) if self._flags & re.IGNORECASE else signs

    def _place(self, signs: int) -> Part:
        if len(self._graph.takes) >= MAX_PLACES:
            raise NotUnderstood
        self._graph.takes.append(signs & ~self._without)
        self._without = 0
        place = (len(self._graph.takes) - 1,)
        return Part(place, place, False)

    def _repeated(self, low: int, high: int, inside: "list[tuple[Any, Any]]", depth: int, repeated: bool) -> Part:
        endless = high >= (_parser.MAXREPEAT if _is_one(inside) else MANY)
        whole = Part()
        for _ in range(min(low, 2) - (1 if endless and low else 0)):
            whole = self._joined(whole, self._sequence(inside, depth + 1, repeated or endless))
        if endless:
            loop = self._sequence(inside, depth + 1, True)
            for source in loop.last:
                for target in loop.first:
                    self._graph.edges[source, target] += 1
            return self._joined(whole, Part(loop.first, loop.last, loop.empty or not low))
        return self._joined(whole, self._optional(min(high - low, 2), inside, depth, repeated))

    def _optional(self, count: int, inside: "list[tuple[Any, Any]]", depth: int, repeated: bool) -> Part:
        """`(x(x)?)?`: the second only after the first, so that leaving one out is possible in one way."""
        copies = [self._sequence(inside, depth + 1, repeated) for _ in range(count)]
        for one, other in pairwise(copies):
            self._joined(one, other)
        return Part(copies[0].first, tuple(place for each in copies for place in each.last), True) if copies else Part()


def _is_one(parsed: "list[tuple[Any, Any]]") -> bool:
    """Whether it takes a single character."""
    return len(parsed) == 1 and str(parsed[0][0]) in ("LITERAL", "NOT_LITERAL", "ANY", "IN")


def _either(parts: list[Part]) -> Part:
    return Part(
        tuple(place for each in parts for place in each.first),
        tuple(place for each in parts for place in each.last),
        any(each.empty for each in parts),
    )
