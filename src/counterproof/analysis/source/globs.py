"""Git's globs, matched in linear time for any pattern.

`*`, `?`, `[a-z]`, `[!a]`, `[[:alpha:]]`, `**` between slashes, a leading `/` or an inner slash to anchor, a trailing `/` for
directories, a leading `!` to negate, a backslash to escape a character. A pattern that git never matches (an unclosed class, a
lone backslash at the end) matches nothing here. One difference: a slash inside a class ends the component.

Invariant: matching costs at most pattern length times path length. Patterns come from the target, and `*a*a*a*b` must not stall a
run; so runs between stars are matched leftmost in atomic groups, which never backtrack.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass

_POSIX = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "\\x21-\\x7e",
    "lower": "a-z",
    "print": "\\x20-\\x7e",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


class NeverMatches(Exception):
    """Raised for a pattern that git accepts and never matches.

    Each run between two stars is matched leftmost inside an atomic group, so the cost is bounded by pattern length times name
    length. Handles only the characters inside one component, not slashes and `**`."""


def bytewise(text: str) -> str:
    """One character per byte: git compares bytes, so `?` matches half an `é`."""
    return text if text.isascii() else os.fsencode(text).decode("latin-1")


class Translation:
    """One segment as a regular expression that cannot backtrack across stars."""

    def __init__(self, part: str) -> None:
        self.part = part
        self.position = 0

    def regex(self) -> re.Pattern[str]:
        runs: list[str] = [""]
        while self.position < len(self.part):
            character = self.part[self.position]
            self.position += 1
            if character == "*":
                runs.append("")
            else:
                runs[-1] += self._single(character)
        first, *rest = runs
        if not rest:
            return re.compile(first, re.DOTALL)
        middle = "".join(f"(?>.*?{run})" for run in rest[:-1] if run)
        return re.compile(f"{first}{middle}.*{rest[-1]}", re.DOTALL)

    def _single(self, character: str) -> str:
        if character == "?":
            return "."
        if character == "[":
            return self._character_class()
        if character == "\\":
            if self.position == len(self.part):
                raise NeverMatches
            character = self.part[self.position]
            self.position += 1
        return re.escape(character)

    def _character_class(self) -> str:
        negated = self.part[self.position : self.position + 1] in ("!", "^")
        self.position += negated
        inside = ""
        first = True
        while True:
            if self.position >= len(self.part):
                raise NeverMatches
            character = self.part[self.position]
            if character == "]" and not first:
                self.position += 1
                break
            inside += self._class_member()
            first = False
        return f"[^{inside}]" if negated else (f"[{inside}]" if inside else "(?!)")

    def _class_member(self) -> str:
        if self.part.startswith("[:", self.position):
            end = self.part.find(":]", self.position + 2)
            name = self.part[self.position + 2 : end] if end > 0 else ""
            if name in _POSIX:
                self.position = end + 2
                return _POSIX[name]
        low = self._class_character()
        if self.part[self.position : self.position + 1] == "-" and self.part[self.position + 1 : self.position + 2] not in (
            "",
            "]",
        ):
            self.position += 1
            high = self._class_character()
            return f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low)
        return re.escape(low)

    def _class_character(self) -> str:
        character = self.part[self.position]
        self.position += 1
        if character == "\\":
            if self.position >= len(self.part):
                raise NeverMatches
            character = self.part[self.position]
            self.position += 1
        return character


MAX_PATTERN = 1_024
"""Longer lines are not handwritten patterns; `parse_glob` rejects them."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The part between two slashes. A deep segment (`**`) stands for any number of path components."""

    test: Callable[[str], bool]
    deep: bool = False


@dataclass(frozen=True, slots=True)
class Glob:
    """One parsed pattern. Unless anchored, it is compared only with the last path component."""

    text: str
    segments: tuple[Segment, ...]
    anchored: bool
    directory_only: bool
    negated: bool

    def matches(self, parts: tuple[str, ...], directory: bool) -> bool:
        """Whether the path with these components matches."""
        if self.directory_only and not directory:
            return False
        if not self.anchored:
            return self.segments[0].test(parts[-1])
        return _match_segments(self.segments, parts)

    @property
    def names_a_place(self) -> bool:
        """Return True if it starts at a certain folder, unlike `*.py` or `**/*.py`, which apply to every folder."""
        return self.anchored and not self.segments[0].deep

    def reaches_into(self, folder: tuple[str, ...]) -> bool:
        """Return True if a path beneath the folder could match; only for globs that name a place."""
        for segment, part in zip(self.segments, folder, strict=False):
            if segment.deep:
                return True
            if not segment.test(part):
                return False
        return True


def parse_glob(line: str) -> Glob | None:
    """The glob in one line of an ignore file; None for blank lines, comments and patterns that cannot match."""
    text = _without_trailing_blanks(line.rstrip("\r\n"))
    if not text or text.startswith("#") or len(text) > MAX_PATTERN:
        return None
    negated = text.startswith("!")
    body = text[1:] if negated else text
    directory_only = body.endswith("/")
    body = body[:-1] if directory_only else body
    anchored = "/" in body
    body = body.removeprefix("/")
    if not body:
        return None
    try:
        segments = _segments(body, anchored)
    except NeverMatches:
        return None
    return Glob(text, segments, anchored, directory_only, negated)


def _without_trailing_blanks(line: str) -> str:
    end = len(line)
    while end and line[end - 1] in " \t" and not (line[end - 1] == " " and _escaped(line, end - 1)):
        end -= 1
    return line[:end]


def _escaped(line: str, position: int) -> bool:
    slashes = 0
    while position - slashes > 0 and line[position - slashes - 1] == "\\":
        slashes += 1
    return slashes % 2 == 1


def _anything(_: str) -> bool:
    return True


_DEEP = Segment(_anything, deep=True)
_ANY = Segment(_anything)


def _segments(body: str, anchored: bool) -> tuple[Segment, ...]:
    if not anchored:
        return (_segment(body),)
    segments: list[Segment] = []
    for part in body.split("/"):
        if part != "**":
            segments.append(_segment(part))
        elif not segments or not segments[-1].deep:
            segments.append(_DEEP)
    if segments[-1].deep:
        segments.append(_ANY)  # `a/**` is everything inside a, but not a itself
    return tuple(segments)


def _segment(part: str) -> Segment:
    if not any(mark in part for mark in "*?[\\"):
        return Segment(part.__eq__)
    plain = part.strip("*")
    if plain and not any(mark in plain for mark in "*?[\\"):
        return _one_star(part, plain)
    pattern = Translation(bytewise(part)).regex()
    return Segment(lambda name: pattern.fullmatch(bytewise(name)) is not None)


def _one_star(part: str, plain: str) -> Segment:
    """Common patterns (`*.pyc`, `build*`, `*cache*`) without a regex engine."""
    if part.startswith("*") and part.endswith("*"):
        return Segment(lambda name: plain in name)
    return Segment((lambda name: name.endswith(plain)) if part.startswith("*") else (lambda name: name.startswith(plain)))


def _match_segments(segments: tuple[Segment, ...], parts: tuple[str, ...]) -> bool:
    """Greedy with one remembered `**`: the earliest match of each run suffices, so nothing else is retried."""
    position = index = 0
    resume = resume_part = -1
    while index < len(parts):
        if position < len(segments) and segments[position].deep:
            resume, resume_part = position, index
            position += 1
        elif position < len(segments) and segments[position].test(parts[index]):
            position += 1
            index += 1
        elif resume >= 0:
            resume_part += 1
            position, index = resume + 1, resume_part
        else:
            return False
    return position == len(segments)
