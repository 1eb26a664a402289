"""A small reader of XML manifests: start, text and end of elements with their lines, and nothing else.

Always holds: a document type is refused, so there is no entity to declare, expand or fetch; depth and number of elements are
bounded; one pass over the text. Does not belong here: what the elements mean. Attributes are skipped: manifests do not need them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_DEPTH = 200
MAX_ELEMENTS = 200_000
MAX_VALUE = 1_000
_TAG = re.compile(r"<(/?)([A-Za-z_][\w:.-]{0,200})((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>")
_PLAIN = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}


class Refused(Exception):
    """The document is not read, and why."""


@dataclass(frozen=True, slots=True)
class Closed:
    """An element that ended: the names from the root to it, its text, the lines of its start and its end."""

    trail: tuple[str, ...]
    text: str
    start: int
    line: int


def elements(text: str) -> Iterator[Closed]:
    """Every element in the order in which they end. Raises `Refused` for what is not well-formed."""
    open_: list[tuple[str, int, list[str]]] = []
    count, line, position = 0, 1, 0
    while (mark := text.find("<", position)) >= 0:
        if open_ and mark > position:
            _keep(open_[-1][2], text[position : min(mark, position + MAX_VALUE)])
        line += text.count("\n", position, mark)
        end, tag = _token(text, mark, open_)
        if tag is not None:
            closing, name, rest = tag[1], tag[2].rpartition(":")[2], tag[3]
            count += 1
            if count > MAX_ELEMENTS or len(open_) > MAX_DEPTH:
                raise Refused("it is too large or too deep")
            if not closing:
                open_.append((name, line, []))
            if closing or rest.endswith("/"):
                yield _closed(open_, name, line)
        line += text.count("\n", mark, end)
        position = end
    if open_ or not count:
        raise Refused("it is not well-formed")


def _token(text: str, mark: int, open_: list[tuple[str, int, list[str]]]) -> tuple[int, re.Match[str] | None]:
    """Where the token at a mark ends, and the tag if it is one."""
    for opening, closing in (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")):
        if text.startswith(opening, mark):
            end = text.find(closing, mark + len(opening))
            if end < 0:
                raise Refused("it is not well-formed")
            if opening == "<![CDATA[" and open_:
                _keep(open_[-1][2], text[mark + len(opening) : min(end, mark + MAX_VALUE)])
            return end + len(closing), None
    if text.startswith("<!", mark):
        raise Refused("it declares a document type, which is not read")
    tag = _TAG.match(text, mark)
    if tag is None:
        raise Refused("it is not well-formed")
    return tag.end(), tag


def _closed(open_: list[tuple[str, int, list[str]]], name: str, line: int) -> Closed:
    if not open_ or open_[-1][0] != name:
        raise Refused("it is not well-formed")
    trail = tuple(each[0] for each in open_)
    _, start, pieces = open_.pop()
    value = "".join(pieces)
    for entity, plain in _PLAIN.items():
        value = value.replace(entity, plain)
    return Closed(trail, value.strip(), start, line)


def _keep(pieces: list[str], piece: str) -> None:
    if sum(map(len, pieces)) < MAX_VALUE and len(pieces) < 50:
        pieces.append(piece)
