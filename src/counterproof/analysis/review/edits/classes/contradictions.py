"""Statements that contradict themselves or their neighbour.

A name that says empty for what is filled; a default of a type that lacks the method called on it; the twin of a statement in
which one of the places was not changed along. Harmful because the two things stand side by side and cannot both be meant.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.classes.unset import fresh
from counterproof.analysis.review.edits.differences import flat
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row, Unit, heads
from counterproof.analysis.review.edits.wording import shown

_EMPTY = re.compile(r"(?:is|has)_?(?:empty|no)(?:[A-Z_]\w*)?$|^empty$", re.IGNORECASE)
_PAIRS = tuple(
    (one, two)
    for one, _, two in (
        pair.partition("/")
        for pair in [
            "x/y",
            "width/height",
            "left/right",
            "min/max",
            "start/end",
            "first/last",
            "top/bottom",
            "before/after",
            "source/target",
            "src/dst",
            "old/new",
            "prev/next",
            "row/column",
            "row/col",
            "from/to",
            "input/output",
            "lower/upper",
            "request/response",
        ]
    )
)
_TYPES: dict[str, type] = {"list": list, "tuple": tuple, "set": set, "mapping": dict}


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """Everything in what the change writes."""
    for unit, row in fresh(file):
        for part in heads(row):
            yield from _misnamed(part)
            if file.path.endswith(".py"):
                yield from _wrong_default(part)
        yield from _twin(unit, row)


def _misnamed(part: Part) -> Iterator[Remark]:
    target, value = part.role("left", "name"), part.role("right", "value")
    if part.kind != "assign" or target is None or value is None or not _EMPTY.search(target.text):
        return
    last = flat(value)[-1] if value.kind == "bool" and value.operator in ("and", "&&") else value
    if last.kind == "compare" and len(last.parts) == 2 and last.operator in (">", "!=", "!==") and last.parts[1].text == "0":
        yield Remark(
            "name says the opposite",
            "logic",
            f"`{shown(target)}` holds where there is something",
            f"The name `{shown(target)}` says that there is nothing, and `{shown(last)}` holds just where there is "
            f"something. Whoever reads the "
            "name takes the wrong branch.",
            "Turn the comparison around, or give it the opposite name",
            part.line,
            proved=True,
        )


def _wrong_default(part: Part) -> Iterator[Remark]:
    """`d.get(k, '').decode()`: a text has no `decode`."""
    if part.kind != "call" or (callee := part.role("function")) is None or callee.kind != "attribute":
        return
    base, method = callee.parts[0], callee.parts[-1].text
    given = base.role("arguments") if base.kind == "call" else None
    getter = base.role("function") if base.kind == "call" else None
    if given is None or getter is None or not getter.text.endswith((". get", ". pop")) or len(given.parts) != 2:
        return
    default = given.parts[1]
    kind = (
        bytes
        if default.kind == "text" and default.text[:1] == "b"
        else str
        if default.kind == "text"
        else _TYPES.get(default.kind)
    )
    if kind is not None and not hasattr(kind, method):
        yield Remark(
            "default lacks the method",
            "edge-cases",
            f"the default `{shown(default)}` has no `{method}`",
            f"Where the key is missing, `{shown(base)}` gives the default, and a {kind.__name__} has no `{method}`: the "
            f"line fails with an "
            "AttributeError in just the case that the default is for.",
            "Give a default of the type that the value has",
            part.line,
            proved=True,
        )


def _twin(unit: Unit, row: Row) -> Iterator[Remark]:
    """Two statements side by side that differ in one of a pair of words, but for one place."""
    index = unit.rows.index(row)
    for other in (unit.rows[index - 1] if index else None, unit.rows[index + 1] if index + 1 < len(unit.rows) else None):
        if other is None or other.kind != row.kind or row.kind not in ("expr", "declaration") or other.within != row.within:
            continue
        first, second = (other, row) if other.line < row.line else (row, other)
        for one, two in _PAIRS:
            word = _left_behind(first.part, second.part, one, two)
            if word:
                yield Remark(
                    "copied and not changed along",
                    "logic",
                    f"`{word}` was not changed along with the rest",
                    f"The statement reads like the one at line {first.line} with {one!r} turned into {two!r} everywhere "
                    f"but in `{word}`. It mixes "
                    "the two, which is what happens when a line is copied and one place is missed.",
                    f"Check whether {two!r} was meant there too",
                    second.line,
                    also=first.line,
                )
                return


def _left_behind(first: Part, second: Part, one: str, two: str) -> str:
    before = [part.text for part in walk(first) if part.kind == "name" and not part.parts]
    after = [part.text for part in walk(second) if part.kind == "name" and not part.parts]
    if len(before) != len(after) or len(before) < 4:
        return ""
    turned = sum(_turned(a, b, one, two) for a, b in zip(before, after, strict=True))
    same = [a for a, b in zip(before, after, strict=True) if a == b and one in _words(a)]
    other = any(two in _words(a) for a in before)
    enough = turned >= 2 or (turned == 1 and _sets(first) != _sets(second))
    return same[0] if enough and len(same) == 1 and not other else ""


def _sets(statement: Part) -> str:
    inner = statement.parts[0] if len(statement.parts) == 1 else statement
    target = inner.role("left", "name") if inner.kind == "assign" else None
    return target.text if target is not None else ""


def _turned(before: str, after: str, one: str, two: str) -> bool:
    """Whether a name has the second word of a pair where the other has the first; of single letters the last one counts."""
    if before == after:
        return False
    ends = len(one) == 1 and before[:-1] == after[:-1] and (before[-1:], after[-1:]) == (one, two)
    words = _words(before)
    return ends or (one in words and _words(after) == [two if word == one else word for word in words])


def _words(name: str) -> list[str]:
    return [each.lower() for each in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
