"""A way out of a block that is gone: a `return`, a `raise`, a `break`, a case of a `switch`.

Harmful where what the block did is still there and now runs on into what follows, where the function no longer gives the value
that it gave, and where a case that was refused is passed over without a word. Harmless where another exit that says as much was
written in its place, where nothing follows, and for a plain `return` at the end.
"""

from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark, alone, inside, place
from counterproof.analysis.review.edits.units import Row
from counterproof.analysis.review.edits.wording import shown

EXITS = ("return", "raise", "jump")


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Exits that went by themselves."""
    for row in edit.lost:
        if row.kind == "raise" and row.within and not change.moved([row]):
            yield from _passed_over(edit, row)
    if not edit.only_loses:
        return
    for row in edit.lost:
        if change.moved([row]) or change.retired(row.part, edit) or not alone(edit, row):
            continue
        if row.kind == "case" and inside(edit, row) and not any(each in edit.same for each in inside(edit, row)):
            yield from _case(edit, row)
        elif row.kind in EXITS:
            yield from _exit(edit, row)


def _passed_over(edit: UnitEdit, row: Row) -> Iterator[Remark]:
    """An error that was raised where a block now just leaves."""
    outer = edit.same.get(row.within[-1][0])
    leaves = [each for each in edit.gained if each.kind in ("return", "jump") and each.within and each.within[-1][0] is outer]
    if outer is not None and outer.kind == "if" and len(leaves) == 1 and _says_nothing(leaves[0]):
        test = outer.part.role("condition")
        yield Remark(
            "refusal became silent",
            "error-handling",
            f"the case `{shown(test) if test else ''}` is no longer refused but passed over",
            f"Before, `{shown(row.text)}` told the caller that this case is not served. Now `{shown(leaves[0].text)}` leaves "
            "without a word, and the caller goes on as if it had been.",
            "Raise the error again, or tell the caller in another way",
            leaves[0].line,
        )


def _says_nothing(row: Row) -> bool:
    return row.kind == "jump" or not row.part.parts or row.part.parts[0].kind == "none"


def _exit(edit: UnitEdit, row: Row) -> Iterator[Remark]:
    at = place(edit, row)
    if at is None:
        return
    before = [each for each in edit.old.rows if each.within == row.within and each.line < row.line and each in edit.same]
    follows = _next(edit, row)
    if row.within and before and follows is not None and row.kind != "raise":
        yield Remark(
            "exit removed",
            "logic",
            f"`{shown(row.text)}` is gone, and the block now runs on",
            f"Before, `{shown(row.text)}` ended the block. It is gone and the rest of the block is the same, so the case now "
            f"runs on into line {follows.line}, which it never reached.",
            "Bring it back, or make sure that what follows fits this case",
            at.line,
        )
    elif row.kind == "return" and not row.within[1:] and row.part.parts and follows is None and edit.old.rows[-1] is row:
        yield Remark(
            "return removed",
            "logic",
            f"`{shown(row.text)}` is gone, and the function gives nothing at its end",
            f"Before, `{edit.new.name}` ended with `{shown(row.text)}`. Nothing is returned in its place, so whoever uses what "
            "it gives gets nothing instead.",
            "Return it again",
            at.line,
        )


def _next(edit: UnitEdit, row: Row) -> Row | None:
    """The statement that is reached now: the first one after the block, in a block around it."""
    index = edit.old.rows.index(row)
    depth = len(row.within) - 1
    for each in edit.old.rows[index + 1 :]:
        outside = each in edit.same and len(each.within) <= depth and each.within == row.within[: len(each.within)]
        if outside and len(edit.same[each].within) == len(each.within):
            return edit.same[each]
    return None


def _case(edit: UnitEdit, row: Row) -> Iterator[Remark]:
    at = place(edit, row)
    if at is not None:
        yield Remark(
            "case no longer handled",
            "edge-cases",
            f"`{shown(row.text)}` is no longer told apart",
            f"Before, `{shown(row.text)}` had a branch of its own, which did `{shown(inside(edit, row)[0].text)}`. The branch is "
            "gone and the others are unchanged, so the case now falls to the rest or to nobody.",
            "Bring the branch back, or say where the case is handled now",
            at.line,
        )
