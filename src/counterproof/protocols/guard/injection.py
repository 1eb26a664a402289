"""Detects text that addresses a model instead of describing code (R7, X1, X9, X10), by its intent rather than by single words.

A sign is a short phrase structure: an order to disregard instructions, a new role for the reader, a verdict that the reader
should give, a forged mark, the special tokens of chat formats, a way to execute something. Strong signs count alone; weak ones
only if two different kinds are close together. Authors' claims ("already audited") are a kind of their own: alone they never
count as instructions.

Invariant: pure, total, linear in the text. Security does not depend on this list: typed fields, checked citations, a second
witness and the absence of harmful tools limit what a flagged text can do.
"""

import re
import unicodedata
from dataclasses import dataclass

from counterproof.protocols.guard import sentences
from counterproof.protocols.guard.phrase_patterns import Kind
from counterproof.protocols.guard.phrases import PHRASES

MAX_TEXT = 400_000
NEAR = 400
_MAX_EXCERPT = 120
_LEADERS = re.compile(r"[ \t]*(?:#+|//+!?|/\*+|\*+/?|--+|;+|<!--|rem |\"{3}|'{3}|\||>|%+|│)?[ \t]*")
_BLANKS = re.compile(r"\s+")
_WIDE = re.compile(r"[^\x00-\x7f]+")
_DOUBLES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһոԛԝԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧοικνρυχɑɡıℓӏ",
    "ABESIJKMHOPCTYXaesijopcyxdhnqwQWABEZHIKMNOPTYXoiknpuxagill",
)
"""Letters of other alphabets that look like these, used to disguise words."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One match. `line` counts from 1 in the scanned text."""

    kind: Kind
    line: int
    excerpt: str
    strong: bool


def normal(text: str) -> str:
    """The normalised form for matching (R6): compatibility forms folded, invisible characters removed, lower case."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).translate(_DOUBLES)
    return _WIDE.sub(_shown, folded).casefold()


def _shown(found: re.Match[str]) -> str:
    return "".join(each for each in found[0] if unicodedata.category(each) not in ("Cf", "Mn"))


def signs(text: str) -> tuple[Sign, ...]:
    """All signs in a text, in order. Comment markers and line breaks do not hide a phrase."""
    return tuple(sign for _, sign in _placed(text))


def addresses_model(text: str) -> tuple[Sign, ...]:
    """The signs that count: strong ones, and weak ones of two kinds close together. Empty for ordinary text."""
    placed = _placed(text)
    return tuple(
        sign
        for place, sign in placed
        if sign.kind is not Kind.CLAIM
        and (sign.strong or any(other.kind is not sign.kind and abs(there - place) <= NEAR for there, other in placed))
    )


def possible(text: str) -> bool:
    """True if a full scan could find a strong sign: a quick test that rules out most texts."""
    flat = normal(text[:MAX_TEXT]).replace("\n", " ")
    return any(phrase.strong and phrase.possible(flat) for phrase in PHRASES) or bool(sentences.ordering(flat))


def _placed(text: str) -> list[tuple[int, Sign]]:
    flat, starts = _flattened(text[:MAX_TEXT])
    found = [
        (match.start(), Sign(phrase.kind, _line(starts, match.start()), match[0].strip()[:_MAX_EXCERPT], phrase.strong))
        for phrase in PHRASES
        if phrase.possible(flat)
        for match in phrase.pattern.finditer(flat)
    ]
    found += [
        (place, Sign(Kind.ADDRESS, _line(starts, place), text[:_MAX_EXCERPT], True)) for place, text in sentences.ordering(flat)
    ]
    return sorted(found, key=lambda each: (each[0], each[1].kind, not each[1].strong))


def _flattened(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text on one line, with the offset at which each original line starts. A comment after code or an empty line starts a
    new sentence, so that the code above does not hide it."""
    parts: list[str] = []
    starts: list[tuple[int, int]] = []
    length, led = 0, False
    for number, line in enumerate(normal(text).split("\n"), 1):
        bare = _LEADERS.sub("", line, count=1)
        plain = _BLANKS.sub(" ", bare).strip()
        if not plain:
            continue
        leads = bare.lstrip() != line.lstrip()
        if leads and not led and parts and parts[-1][-1] not in ".!?:;":
            parts[-1] += "."
            length += 1
        led = leads
        starts.append((length, number))
        parts.append(plain)
        length += len(plain) + 1
    return " ".join(parts) + " ", starts


def _line(starts: list[tuple[int, int]], place: int) -> int:
    low, high = 0, len(starts)
    while low < high:
        middle = (low + high) // 2
        if starts[middle][0] <= place:
            low = middle + 1
        else:
            high = middle
    return starts[low - 1][1] if low else 1
