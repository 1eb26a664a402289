"""A key that is spelt otherwise at one place and as before at the others.

Harmful where the old spelling is still asked for, set or passed in the same function, or as a key elsewhere in the file, and the
new one occurs nowhere else: the two sides no longer meet. Harmless where every place was changed along, where the new spelling
was there already, and for texts that people read.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit, UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Unit, heads
from counterproof.analysis.review.edits.wording import shown

_KEY = re.compile(r'"[\w$.:/-]{3,60}"')
_GETTERS = re.compile(
    r"(?:^|\. )(?:get|pop|setdefault|has|set|delete|getenv|getItem|setItem|on|emit|once|off|getattr|setattr|hasattr)$"
)


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """One remark for each key of which one place alone was changed."""
    for edit in file.edits:
        for old, new, changes in edit.changes:
            for each in changes:
                pair = each.how == "exchanged" and each.old.kind == each.new.kind == "text"
                if pair and _is_key(old.part, each.old) and _is_key(new.part, each.new):
                    yield from _remark(file, edit, each.old.text, each.new.text, new.line)


def _remark(file: FileEdit, edit: UnitEdit, before: str, after: str, line: int) -> Iterator[Remark]:
    if not _KEY.fullmatch(before) or not _KEY.fullmatch(after):
        return
    left = next((part.line for part in _texts(edit.new) if part.text == before), 0)
    if not left:
        left = next((part.line for unit in file.new.values() for part in _keys(unit) if part.text == before), 0)
    known = any(part.text == after for unit in file.old.values() for part in _texts(unit))
    times = sum(part.text == after for unit in file.new.values() for part in _texts(unit))
    if left and not known and times == 1:
        yield Remark(
            "key renamed on one side",
            "invariants",
            f"the key is `{shown(after)}` here and still `{shown(before)}` at line {left}",
            f"Before, this place and line {left} used the same key `{shown(before)}`. Only this one was changed, and "
            f"`{shown(after)}` occurs nowhere else in the file, so what the one writes the other does not find.",
            "Use one spelling at both places",
            line,
            also=left,
        )


def _texts(unit: Unit) -> Iterator[Part]:
    return (part for row in unit.rows for part in heads(row) if part.kind == "text")


def _keys(unit: Unit) -> Iterator[Part]:
    for row in unit.rows:
        for part in heads(row):
            yield from _key_parts(part)


def _key_parts(part: Part) -> Iterator[Part]:
    """The texts that a part uses as keys: an item, a question for membership, the first argument of a getter."""
    if part.kind == "index" and len(part.parts) == 2 and part.parts[1].kind == "text":
        yield part.parts[1]
    elif part.kind == "compare" and part.operator in ("in", "not in") and part.parts[0].kind == "text":
        yield part.parts[0]
    elif part.kind == "pair" and (key := part.role("key")) is not None and key.kind == "text":
        yield key
    elif part.kind == "call" and (callee := part.role("function")) is not None and _GETTERS.search(callee.text):
        given = part.role("arguments")
        yield from (each for each in (given.parts[:2] if given is not None else ()) if each.kind == "text")


def _is_key(root: Part, text: Part) -> bool:
    return any(each.text == text.text for part in walk(root) for each in _key_parts(part))
