"""Ruby versions in RubyGems' order: a word precedes any number; zeros at the end of a part are ignored."""

import re

_VERSION = re.compile(r"[0-9]+(?:\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?", re.ASCII)
_SEGMENT = re.compile(r"[0-9]+|[a-z]+", re.IGNORECASE)

Segment = int | str


def compare(left: str, right: str) -> int | None:
    one, other = _segments(left), _segments(right)
    if one is None or other is None:
        return None
    for index in range(max(len(one), len(other))):
        mine = one[index] if index < len(one) else 0
        theirs = other[index] if index < len(other) else 0
        if mine != theirs:
            return _order(mine, theirs)
    return 0


def _order(left: Segment, right: Segment) -> int:
    if isinstance(left, int) and isinstance(right, int):
        return -1 if left < right else 1
    if isinstance(left, str) and isinstance(right, str):
        return -1 if left < right else 1
    return -1 if isinstance(left, str) else 1


def _segments(text: str) -> list[Segment] | None:
    if not _VERSION.fullmatch(text):
        return None
    every: list[Segment] = [int(part) if part.isdigit() else part for part in _SEGMENT.findall(text.replace("-", ".pre."))]
    first = next((index for index, part in enumerate(every) if isinstance(part, str)), len(every))
    return [*_without_zeros(every[:first]), *_without_zeros(every[first:])]


def _without_zeros(part: list[Segment]) -> list[Segment]:
    while part and part[-1] == 0:
        part = part[:-1]
    return part
