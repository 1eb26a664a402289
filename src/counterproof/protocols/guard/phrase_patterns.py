"""How phrases are written and compiled: groups of words with at most so many words between, and what every match must hold.

Invariant: every gap is bounded, so matching is linear in the text; a text that lacks a needed word is never searched. Does not
belong here: which phrases there are.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a sign is about."""

    OVERRIDE = "tells the reader to drop its instructions"
    ROLE = "gives the reader a new role"
    STEERING = "tells the reader what to report"
    FORGERY = "imitates marks of the engine"
    TOKENS = "holds special tokens of chat formats"
    TOOL_CALL = "imitates a tool call"
    CARRYING_OUT = "asks for data to be carried out"
    ADDRESS = "addresses its reader"
    CLAIM = "claims of the author about the code's safety"


@dataclass(frozen=True, slots=True)
class Phrase:
    """`needed` are groups of words of which every text that matches holds at least one each; most texts fail that at once."""

    kind: Kind
    strong: bool
    pattern: re.Pattern[str]
    needed: tuple[tuple[str, ...], ...] = ()

    def possible(self, text: str) -> bool:
        return all(any(word in text for word in group) for group in self.needed)


class Words(str):
    """A group of alternatives as a pattern; `literals` are their beginnings up to the first special character. What is written
    before or behind a group leaves it needed."""

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
    """One of these, where '_' stands for a blank."""
    words = [word.replace("_", " ") for word in text.split()]
    return _group("(?:" + "|".join(words) + ")", tuple(_beginning(word).rstrip() or " " for word in words))


def _beginning(pattern: str) -> str:
    """The text that a pattern begins with, up to its first special character."""
    return re.split(r".\?|[\[\\(]", pattern)[0]


def phrase(kind: Kind, strong: bool, *parts: str | int) -> Phrase:
    """Groups of words; a number between two groups is how many other words may stand there."""
    pattern = r"(?<![\w-])"
    for part in parts:
        pattern += rf"(?: [^ ]{{1,40}}){{0,{part}}}? " if isinstance(part, int) else part
    words = (part for part in parts if not isinstance(part, int))
    needed = tuple(part.literals if isinstance(part, Words) else (_beginning(part),) for part in words)
    return Phrase(kind, strong, re.compile(pattern + r"(?![\w-])"), needed)


def raw(kind: Kind, strong: bool, needed: str, *alternatives: str) -> Phrase:
    """Alternatives as they are; `needed` are texts, separated by blanks, of which one stands in every match."""
    groups = [each.literals for each in alternatives if isinstance(each, Words)]
    held = ({word: None for group in groups for word in group},) if len(groups) == len(alternatives) else ()
    return Phrase(kind, strong, re.compile("|".join(alternatives)), (tuple(needed.split()), *map(tuple, held)))
