"""A statement that now runs at another time than before.

Harmful where it left the `try` whose success it depended on, or the block whose condition it depended on. Harmless where it
stays in the same block: two statements that do not depend on each other may change places.
"""

from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.units import Row
from counterproof.analysis.review.edits.wording import shown

_EXITS = ("return", "raise", "jump")


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Statements of the same text that went from one block to one further out."""
    for old in edit.lost:
        new = next((each for each in edit.gained if each.text == old.text), None)
        if new is None or old.kind not in ("expr", "declaration") or not old.within:
            continue
        outer, slot = old.within[-1]
        after = edit.same.get(outer)
        if after is None or any(each is after for each, _ in new.within) or len(new.within) >= len(old.within):
            continue
        if outer.kind == "try" and slot == "body" and new.line > after.line and _goes_on(edit, after):
            yield _remark(edit, new, "the `try` before it failed", after)
        elif outer.kind == "if" and slot == "then":
            test = after.part.role("condition")
            yield _remark(edit, new, f"`{shown(test) if test else ''}` does not hold", after)


def _goes_on(edit: UnitEdit, attempt: Row) -> bool:
    """Whether a handler of it comes to its end."""
    handlers = [row for row in edit.new.rows if row.kind == "handler" and row.within and row.within[-1][0] is attempt]
    for handler in handlers:
        inside = [row for row in edit.new.rows if row.within and row.within[-1][0] is handler]
        if not inside or inside[-1].kind not in _EXITS:
            return True
    return False


def _remark(edit: UnitEdit, new: Row, when: str, outer: Row) -> Remark:
    return Remark(
        "runs in more cases",
        "logic",
        f"`{shown(new.text)}` now runs also where {when}",
        f"Before, the statement stood inside the block at line {outer.line}. It was moved out of it, so it now runs as well "
        f"where {when}, with whatever values are there then.",
        "Move it back, or make sure that it fits that case too",
        edit.path,
        new.line,
    )
