"""Git's globs, matched in linear time for any pattern.

`*`, `?`, `[a-z]`, `[!a]`, `**` between slashes, a leading `/` or an inner slash to anchor, a trailing `/` for
directories, a leading `!` to negate, a backslash to escape a character. A pattern that git never matches (an unclosed class, a
lone backslash at the end) matches nothing here. One difference: a slash inside a class ends the component.

Invariant: matching costs at most pattern length times path length. Patterns come from the target, and `*a*a*a*b` must not stall a
run; so runs between stars are matched leftmost in atomic groups, which never backtrack.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass

_PIECE = re.compile(
    r"(?P<star>\*+)|(?P<any>\?)|\[(?P<other>[!^]?+)(?P<inside>(?:\\.|[^\\])(?:\\.|[^\]\\])*)\]|(?P<broken>\[|\\\Z)|\\?(?P<plain>.)",
    re.DOTALL,
)


class NeverMatches(Exception):
    """Raised for a pattern that git accepts and never matches, and for classes by name (`[[:alpha:]]`)."""


def bytewise(text: str) -> str:
    """One character per byte: git compares bytes, so `?` matches half an `é`."""
    return text if text.isascii() else os.fsencode(text).decode("latin-1")


def translated(part: str) -> re.Pattern[str]:
    """One segment as a regular expression that cannot backtrack across stars: each run between two stars is matched leftmost
    inside an atomic group, so the cost is bounded by pattern length times name length."""
    runs: list[str] = [""]
    for found in _PIECE.finditer(part):
        if found["broken"] or (found["inside"] or "").startswith("[:"):
            raise NeverMatches
        if found["star"]:
            runs.append("")
        elif found["inside"]:
            inside = re.sub(r"\\(.)|([\[\]^&~|])", lambda each: re.escape(each[1] or each[2]), found["inside"])
            runs[-1] += f"[{'^' if found['other'] else ''}{inside}]"
        else:
            runs[-1] += "." if found["any"] else re.escape(found["plain"])
    first, *rest = runs
    middle = "".join(f"(?>.*?{run})" for run in rest[:-1] if run)
    try:
        return re.compile(f"{first}{middle}.*{rest[-1]}" if rest else first, re.DOTALL)
    except re.error as error:  # a range that ends before it begins
        raise NeverMatches from error


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
    pattern = translated(bytewise(part))
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
