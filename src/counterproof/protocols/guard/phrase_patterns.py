"""Writes and compiles phrases: groups of words with a bounded number of words between, and literals required in every match.

Invariant: every gap is bounded, so matching is linear in the text; a text without a required word is never searched. Not
handled here: the phrases themselves.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """The subject of a sign."""

    OVERRIDE = "tells the reader to drop its instructions"
    ROLE = "gives the reader a new role"
    STEERING = "tells the reader what to report"
    FORGERY = "imitates the engine's markers"
    TOKENS = "contains special tokens of chat formats"
    TOOL_CALL = "imitates a tool call"
    CARRYING_OUT = "asks the reader to send data elsewhere"
    ADDRESS = "addresses its reader"
    CLAIM = "the author's claims that the code is safe"


@dataclass(frozen=True, slots=True)
class Phrase:
    """`needed` are groups of words; every matching text contains at least one of each, which rules out most texts at once."""

    kind: Kind
    strong: bool
    pattern: re.Pattern[str]
    needed: tuple[tuple[str, ...], ...] = ()

    def possible(self, text: str) -> bool:
        return all(any(word in text for word in group) for group in self.needed)


class Words(str):
    """A group of alternatives as a pattern; `literals` are their beginnings up to the first special character. Text added
    before or after a group keeps its literals required."""

    __slots__ = ("literals",)
    literals: tuple[str, ...]

    def __add__(self, other: str) -> "Words":
        return _group(str(self) + str(other), self.literals)

    def __radd__(self, other: str) -> "Words":
        return _group(str(other) + str(self), self.literals)


def _group(pattern: str, literals: tuple[str, ...]) -> Words:
    group = Words(pattern)
    group.literals = literals
    return group


def any_of(text: str) -> Words:
    """One of these alternatives; '_' stands for a space."""
    words = [word.replace("_", " ") for word in text.split()]
    return _group("(?:" + "|".join(words) + ")", tuple(_beginning(word).rstrip() or " " for word in words))


def _beginning(pattern: str) -> str:
    """The literal text at the start of a pattern, up to its first special character."""
    return re.split(r".\?|[\[\\(]", pattern)[0]


def phrase(kind: Kind, strong: bool, *parts: str | int) -> Phrase:
    """Groups of words; a number between two groups is the most other words allowed between them."""
    pattern = r"(?<![\w-])"
    for part in parts:
        pattern += rf"(?: [^ ]{{1,40}}){{0,{part}}}? " if isinstance(part, int) else part
    words = (part for part in parts if not isinstance(part, int))
    needed = tuple(part.literals if isinstance(part, Words) else (_beginning(part),) for part in words)
    return Phrase(kind, strong, re.compile(pattern + r"(?![\w-])"), needed)


def raw(kind: Kind, strong: bool, needed: str, *alternatives: str) -> Phrase:
    """Alternatives as raw patterns; `needed` are space-separated texts of which every match contains one."""
    groups = [each.literals for each in alternatives if isinstance(each, Words)]
    held = ({word: None for group in groups for word in group},) if len(groups) == len(alternatives) else ()
    return Phrase(kind, strong, re.compile("|".join(alternatives)), (tuple(needed.split()), *map(tuple, held)))
