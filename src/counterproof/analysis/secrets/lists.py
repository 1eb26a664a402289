"""Values that a list of names calls secrets by their place: `user, password = "bob", "…"`, `(name, password) VALUES (…)`, tables.

Always holds: the list of names and each row of values are read a bounded way; a row of another length says nothing.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.secrets.values import is_template

Span = tuple[int, int]

_BEFORE = re.compile(
    r"(?:^|[\n(\[;{`\"']|const |let |var )[ \t]{0,60}(?P<names>(?:[`\"'\[]?[\w.]{1,60}[`\"'\]]?\s{0,20},\s{0,20})*)[`\"'\[]?$"
)
_AFTER = re.compile(
    r"[`\"'\]]?(?P<more>(?:\s{0,20},\s{0,20}[`\"'\[]?[\w.]{1,60}[`\"'\]]?)*)[ \t]{0,8}(?P<end>[)\]}]?)\s{0,20}"
    r"(?P<sign>=(?!=)|:=|values\b|\n)\s{0,20}",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"\s*(?:[brfuNBRFU]{0,2}\"((?:[^\"\\\n]|\\.){0,2000})\"|[brfuNBRFU]{0,2}'((?:[^'\\\n]|\\.){0,2000})'|([^,()\[\]\"'\n;]{0,200}))\s*"
)
_LOOK_BACK = 400
_LOOK_AHEAD = 1_000
_MAX_ROWS = 200


def values_in_lists(text: str, start: int, end: int) -> Iterator[Span]:
    """The values of the name at `start` to `end`, where it stands in a list of names."""
    before = _BEFORE.search(text[max(0, start - _LOOK_BACK) : start])
    after = _AFTER.match(text, end, min(len(text), end + _LOOK_AHEAD)) if before else None
    if not before or not after:
        return
    index, total = before["names"].count(","), 1 + before["names"].count(",") + after["more"].count(",")
    if total < 2:
        return
    if after["sign"] == "\n":
        if not after["end"] and before.group()[:1] in ("", "\n"):
            yield from _table(text, after.end("sign"), index, total)
    elif (
        after["sign"].lower() == "values" or after["end"] or before.group()[:1] in ("", "\n", ";") or before.group()[:1].isalpha()
    ):
        yield from _rows(text, after.end(), index, total)


def _rows(text: str, position: int, index: int, total: int) -> Iterator[Span]:
    for _ in range(_MAX_ROWS):
        opened = text[position : position + 1] in tuple("([{")
        items, position = _items(text, position + opened, total)
        if len(items) != total:
            return
        first, last, quoted = items[index]
        if quoted and last > first and "‹" not in text[first:last] and not is_template(text[first:last]):
            yield first, last
        following = re.match(r"[)\]}]?\s{0,20},\s{0,40}(?=[(\[])", text[position : position + 80]) if opened else None
        if not following:
            return
        position += following.end()


def _items(text: str, position: int, total: int) -> tuple[list[tuple[int, int, bool]], int]:
    items: list[tuple[int, int, bool]] = []
    while len(items) < total:
        found = _ITEM.match(text, position)
        if not found or found.lastindex is None:
            return [], position
        items.append((*found.span(found.lastindex), found.lastindex < 3))
        position = found.end()
        if len(items) < total:
            if text[position : position + 1] != ",":
                return [], position
            position += 1
    return items, position


def _table(text: str, position: int, index: int, total: int) -> Iterator[Span]:
    """Rows of values under a row of names, one a line."""
    for _ in range(_MAX_ROWS):
        end = text.find("\n", position)
        line = text[position : end if end >= 0 else len(text)]
        cells = line.split(",")
        if len(cells) != total or len(line) > _LOOK_AHEAD or any(each in line for each in "(){}[];="):
            return
        first = position + sum(len(each) + 1 for each in cells[:index])
        if len(cells[index].strip()) > 2 and "‹" not in cells[index]:
            yield first, first + len(cells[index])
        if end < 0:
            return
        position = end + 1
