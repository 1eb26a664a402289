"""The lines of a text that are new, or next to removed lines.

Invariant: lines that occur exactly once in both texts, in the same order, are the same; lines between them are compared within a
limit, beyond which everything between counts as changed. So the cost is linear in the file's length, and changes at both ends
leave the middle unaffected.
"""

import difflib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

MAX_COMPARED = 4_000_000
"""Limit on pairs of lines compared between two known equal lines."""

Ranges = tuple[tuple[int, int], ...]


def changed_lines(old: str | None, new: str) -> Ranges:
    """Ranges of the newer text, counted from 1."""
    after = lines_of(new)
    if not after:
        return ()
    if old is None:
        return ((1, len(after)),)
    found: list[tuple[int, int]] = []
    for _, _, low, high in replaced(lines_of(old), after):
        first = min(low + 1, len(after))
        found.append((first, max(first, high)))
    return tuple(dict.fromkeys(found))


def lines_of(text: str) -> list[str]:
    found = [line.rstrip("\r") for line in text.split("\n")]
    return found[:-1] if not found[-1] else found


def replaced(before: list[str], after: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Half-open ranges of older lines, and of the newer lines that replace them; either may be empty."""
    start, stop = 0, 0
    for old, new in (*_anchors(before, after), (len(before), len(after))):
        yield from _between(before[start:old], after[stop:new], start, stop)
        start, stop = old + 1, new + 1


def _between(older: list[str], newer: list[str], start: int, stop: int) -> Iterator[tuple[int, int, int, int]]:
    if not older and not newer:
        return
    if len(older) * len(newer) > MAX_COMPARED:
        yield start, start + len(older), stop, stop + len(newer)
        return
    for kind, first, last, low, high in difflib.SequenceMatcher(None, older, newer, autojunk=False).get_opcodes():
        if kind != "equal":
            yield start + first, start + last, stop + low, stop + high


def _anchors(before: list[str], after: list[str]) -> list[tuple[int, int]]:
    """Positions of lines that are unique in both texts and in the same order: the longest such sequence."""
    once, twice = Counter(before), Counter(after)
    place = {line: index for index, line in enumerate(before) if once[line] == 1}
    pairs = [(place[line], index) for index, line in enumerate(after) if twice[line] == 1 and line in place]
    ends: list[int] = []  # the smallest last old position of a sequence of each length
    last: list[int] = []  # and its pair
    links: list[int] = []
    for number, (old, _) in enumerate(pairs):
        at = bisect_left(ends, old)
        ends[at : at + 1] = [old]
        last[at : at + 1] = [number]
        links.append(last[at - 1] if at else -1)
    found: list[tuple[int, int]] = []
    current = last[-1] if last else -1
    while current >= 0:
        found.append(pairs[current])
        current = links[current]
    return found[::-1]
