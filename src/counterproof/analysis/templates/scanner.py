"""Cuts the text of a template into literal text, printed expressions and tags.

Invariant: every character belongs to one piece; unclosed pieces are text; at most `MAX_PIECES` pieces. Not handled here: what
is inside a piece.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_TEXT = 400_000
"""Characters of a template that are read."""

MAX_PIECES = 20_000
MAX_INSIDE = 2_000
"""Characters of one expression or tag."""

_CLOSERS = {"{{": "}}", "{%": "%}", "{#": "#}"}
_QUOTED_OR_END = re.compile(r""""[^"]*"|'[^']*'|%}|}}""")
_VERBATIM = {"raw": "endraw", "verbatim": "endverbatim", "comment": "endcomment"}


class Piece(NamedTuple):
    """`kind` is 'text', 'print' or 'tag'."""

    kind: str
    text: str
    line: int


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a template, in order; comments are left out."""
    text = text[:MAX_TEXT]
    last = {name: text.rfind(ending) for name, ending in _VERBATIM.items()}
    position, line, count = 0, 1, 0
    while position < len(text) and count < MAX_PIECES:
        count += 1
        start = _next_opening(text, position)
        if start < 0:
            yield Piece("text", text[position:], line)
            return
        if start > position:
            yield Piece("text", text[position:start], line)
            line += text.count("\n", position, start)
        opener = text[start : start + 2]
        end = _end(text, start + 2, _CLOSERS[opener])
        if end < 0:
            yield Piece("text", text[start : start + 2], line)
            position = start + 2
            continue
        inside = text[start + 2 : end]
        after = end + 2
        if opener != "{#":
            yield Piece("print" if opener == "{{" else "tag", inside.strip(" \t\r\n-+"), line)
        line += text.count("\n", start, after)
        if opener == "{%":
            skipped = _after_verbatim(text, inside.strip(" \t\r\n-+"), after, last)
            line += text.count("\n", after, skipped)
            after = skipped
        position = after


def _next_opening(text: str, position: int) -> int:
    """Where the next `{{`, `{%` or `{#` is; -1 if there is none."""
    while True:
        found = text.find("{", position)
        if found < 0 or found + 1 >= len(text):
            return -1
        if text[found + 1] in "{%#":
            return found
        position = found + 1


def _end(text: str, start: int, closer: str) -> int:
    """Where the piece ends; closers inside quotes do not count, unless the quotes do not end."""
    limit = min(len(text), start + MAX_INSIDE)
    first = text.find(closer, start, limit)
    if first < 0 or closer == "#}":
        return first
    for match in _QUOTED_OR_END.finditer(text, start, limit):
        if match.group() == closer:
            return match.start()
    return first


def _after_verbatim(text: str, tag: str, position: int, last: dict[str, int]) -> int:
    """Past a part that is printed as it stands (`raw`) or not at all (`comment`)."""
    name = tag.split(None, 1)[0] if tag else ""
    if name not in _VERBATIM or (name == "raw" and tag != "raw"):
        return position
    if last[name] < position:
        return position
    found = text.find(_VERBATIM[name], position)
    closed = text.find("%}", found)
    return closed + 2 if closed >= 0 else position
