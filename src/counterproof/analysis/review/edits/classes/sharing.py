"""A value that was made anew for each call and now is one for all of them.

Harmful where something changes it: what one call leaves in it the next one finds. Harmless for values that nobody changes.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.parts import Part
from counterproof.analysis.review.edits.units import Row, Unit, heads
from counterproof.analysis.review.edits.wording import shown

_MUTABLE = ("mapping", "list", "set")
_CHANGING = "push|pop|shift|unshift|splice|set|add|append|extend|update|insert|clear|delete|remove|setdefault|sort|reverse"


def remarks(file: FileEdit, change: Change) -> Iterator[Remark]:
    """Values that left a function for the file or the class around it."""
    outside = {name: part for unit in _outer(file.new) for name, part in _set_here(unit).items()}
    before = {name for unit in _outer(file.old) for name in _set_here(unit)}
    for edit in file.edits:
        if not edit.old.is_function:
            continue
        now = _set_here(edit.new)
        for name, value in _set_here(edit.old).items():
            shared = outside.get(name) if name not in before and name not in now else None
            if shared is not None and shared.text == value.text and (use := _changed(file, name)) is not None:
                yield Remark(
                    "one value for all calls", "races", f"`{name}` is made once and shared by all calls of `{edit.new.name}`",
                    f"Before, each call of `{edit.new.name}` made its own `{shown(value)}`. Now there is one, made at line "
                    f"{shared.line}, and line {use.line} changes it: what one call leaves in it the next one finds.",
                    "Make it inside the function again, or do not change it", shared.line, also=use.line,
                )  # fmt: skip


def _outer(units: dict[str, Unit]) -> list[Unit]:
    return [unit for unit in units.values() if not unit.is_function]


def _set_here(unit: Unit) -> dict[str, Part]:
    """Names that are set to a fresh collection."""
    found: dict[str, Part] = {}
    for row in unit.rows:
        for part in heads(row):
            target, value = part.role("left", "name"), part.role("right", "value")
            if part.kind == "assign" and target is not None and value is not None and value.kind in _MUTABLE:
                found[target.text] = value
    return found


def _changed(file: FileEdit, name: str) -> Row | None:
    """A statement that puts something into a value of that name, held by another one or not."""
    held = {key.text for unit in file.new.values() for row in unit.rows for part in heads(row) if (key := _holds(part, name))}
    word = rf"(?:{'|'.join(re.escape(each.strip(chr(34))) for each in (name, *sorted(held)))})"
    item = rf"\b{word} (?:\. [\w$]+|\[ .{{1,60}}? \]) =(?!=)"
    pattern = re.compile(rf"{item}|\b{word} \. (?:{_CHANGING}) \(|\bdelete [^;]*\b{word}\b|assign \( {word}\b")
    rows = (row for unit in file.new.values() if unit.is_function for row in unit.rows)
    return next((row for row in rows if pattern.search(row.text)), None)


def _holds(part: Part, name: str) -> Part | None:
    """The key of an entry whose value it is."""
    value = part.role("value")
    return part.role("key", "name") if part.kind in ("pair", "keyword") and value is not None and value.text == name else None
