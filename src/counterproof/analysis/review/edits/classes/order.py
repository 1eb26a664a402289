"""A statement that now runs at another time than before.

Harmful where it left the `try` whose success it depended on, or the block whose condition it depended on, where it went into a
block that does not always run, and where it sets what a statement before it uses now. Harmless where it stays in the same block
otherwise: two statements that do not depend on each other may change places.
"""

from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.units import Row
from counterproof.analysis.review.edits.wording import shown

_EXITS = ("return", "raise", "jump")
_DONE = ("expr", "declaration")
_ALWAYS = ("try", "with", "else")
"""Blocks that run whenever one comes by."""


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Statements of the same text that stand in another block, or on the other side of one that they have to do with."""
    moved = {old: new for old in edit.lost if (new := next((each for each in edit.gained if each.text == old.text), None))}
    if not moved:
        return
    now = {**edit.same, **moved}
    for old, new in now.items():
        if old.kind in _DONE and old.text == new.text:
            yield from _in_another_block(edit, old, new, now)
    for old, new in moved.items():
        for one, other in now.items():
            if one.within == old.within and other.within == new.within and (old.line < one.line) != (new.line < other.line):
                first, second = (new, other) if new.line < other.line else (other, new)
                yield from _too_late(edit, first, second)


def _in_another_block(edit: UnitEdit, old: Row, new: Row, now: dict[Row, Row]) -> Iterator[Remark]:
    around, known = [now.get(outer) for outer, _ in old.within], set(now.values())
    inside = [outer for outer, _ in new.within]
    if any(each is None for each in around):
        return
    entered = [row for row in inside if row not in around and row in known]
    left = [(outer, slot) for outer, slot in old.within if now[outer] not in inside]
    if len(entered) == 1 == len(inside) - len(around) and not left and entered[0].kind not in _ALWAYS:
        yield _remark(new, "runs in fewer cases", f"only within the block at line {entered[0].line}", entered[0])
    elif len(left) == 1 and not entered:
        (outer, slot), after = left[0], now[left[0][0]]
        if outer.kind == "try" and slot == "body" and new.line > after.line and _goes_on(edit, after):
            yield _remark(new, "runs in more cases", "also where the `try` before it failed", after)
        elif outer.kind == "if" and slot == "then":
            test = after.part.role("condition")
            yield _remark(new, "runs in more cases", f"also where `{shown(test) if test else ''}` does not hold", after)


def _too_late(edit: UnitEdit, use: Row, row: Row) -> Iterator[Remark]:
    """A statement of the same block now uses a value before it is set."""
    inner = row.part.parts[-1] if row.kind in _DONE and len(row.part.parts) == 1 else row.part
    target = inner.role("left", "name") if inner.kind == "assign" else None
    words = f" {target.text} " if target is not None else ""
    if target is None or len(target.text) < 3 or words not in f" {use.text} " or use.text.startswith(f"{target.text} = "):
        return
    if not any(each.text.startswith(f"{target.text} = ") for each in edit.new.rows if each.line < use.line):
        yield Remark(
            "set after it is used",
            "logic",
            f"`{shown(target)}` is set after line {use.line} uses it",
            f"Before, `{shown(row.text)}` came first. Now line {use.line} uses `{shown(target)}` and only then it is set, so the "
            "use meets what was there before, or nothing.",
            "Set it first again",
            row.line,
            also=use.line,
        )


def _goes_on(edit: UnitEdit, attempt: Row) -> bool:
    """Whether a handler of it comes to its end."""
    handlers = [row for row in edit.new.rows if row.kind == "handler" and row.within and row.within[-1][0] is attempt]
    for handler in handlers:
        inside = [row for row in edit.new.rows if row.within and row.within[-1][0] is handler]
        if not inside or inside[-1].kind not in _EXITS:
            return True
    return False


def _remark(new: Row, kind: str, when: str, outer: Row) -> Remark:
    return Remark(
        kind,
        "logic",
        f"`{shown(new.text)}` now runs {when}",
        f"The statement changed sides of the block at line {outer.line} and reads as before, so it now runs {when}. What it "
        "needs, and what needs it, is as it was.",
        "Move it back, or make sure that every case fits",
        new.line,
    )
